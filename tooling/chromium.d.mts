export function findChromium(environment?: { readonly [name: string]: string | undefined }): Promise<string | undefined>
export function chromiumArguments(userId?: number): string[]
