import { StreamError } from '../errors/index.js'

/** Refuses a wrong use of a store. */
export function storeError(store: string, message: string): StreamError {
  return new StreamError(message, { code: 'STORE_INVALID', kind: 'user', retriable: false, context: { store } })
}
