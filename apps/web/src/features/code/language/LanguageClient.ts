import type { LanguageCall, LanguageReply, LanguageRequest, LanguageResults } from './protocol.js'

/** The part of a `Worker` that the client uses. */
export interface LanguagePort {
  postMessage(call: LanguageCall): void
  onmessage: ((event: MessageEvent<LanguageReply>) => void) | null
  terminate(): void
}

/** The page's end of the language worker: requests in order, each answered once. */
export class LanguageClient {
  readonly #port: LanguagePort
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  #lastId = 0

  constructor(port: LanguagePort) {
    this.#port = port
    port.onmessage = ({ data }) => {
      const waiting = this.#waiting.get(data.id)
      this.#waiting.delete(data.id)
      if (data.ok) waiting?.resolve(data.result)
      else waiting?.reject(new Error(data.message))
    }
  }

  ask<R extends LanguageRequest>(request: R): Promise<LanguageResults[R['type']]> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: (result) => resolve(result as LanguageResults[R['type']]), reject })
      this.#port.postMessage({ ...request, id })
    })
  }

  /** Ends the worker; what was asked and not answered stays unanswered. */
  dispose(): void {
    this.#waiting.clear()
    this.#port.terminate()
  }
}
