export function packageEntries(): readonly { readonly specifier: string; readonly source: string }[]
