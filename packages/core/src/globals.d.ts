// What every JavaScript host of ours offers: browsers, their workers, and Node. Nothing else may be used in the core.
/** Node's alone: to be asked for by `typeof`. */
declare const setImmediate: ((fn: () => void) => unknown) | undefined
declare function setTimeout(fn: () => void, delayMs?: number): unknown
declare function clearTimeout(handle: unknown): void
declare const performance: { now(): number }
declare const console: { log(line: string): void }
declare class MessagePort {
  onmessage: ((event: unknown) => void) | null
  postMessage(message: unknown): void
  close(): void
}
declare class MessageChannel {
  readonly port1: MessagePort
  readonly port2: MessagePort
}
declare class TextEncoder {
  encode(text: string): Uint8Array
  encodeInto(text: string, target: Uint8Array): { readonly read: number; readonly written: number }
}
declare class TextDecoder {
  constructor(encoding?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes: Uint8Array): string
}
interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
