/** The names that every host of a topology offers, Node and a browser's worker alike. The DOM is not among them. */
export const HOST_TYPES = `
interface Console {
  debug(...values: unknown[]): void
  info(...values: unknown[]): void
  log(...values: unknown[]): void
  warn(...values: unknown[]): void
  error(...values: unknown[]): void
}
declare const console: Console
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare class TextEncoder {
  encode(text?: string): Uint8Array
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array): string
}
declare function structuredClone<T>(value: T): T
interface Response {
  readonly ok: boolean
  readonly status: number
  json(): Promise<unknown>
  text(): Promise<string>
}
declare function fetch(
  url: string,
  options?: { method?: string; headers?: { [name: string]: string }; body?: string | Uint8Array; signal?: AbortSignal },
): Promise<Response>
`
