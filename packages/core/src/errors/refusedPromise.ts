import { StreamError, type StreamErrorContext } from './StreamError.js'

/** Whether a function has answered with a promise. */
export function isPromise(returned: unknown): returned is PromiseLike<unknown> {
  return typeof returned === 'object' && returned !== null && 'then' in returned && typeof returned.then === 'function'
}

/**
 * The refusal of a promise where an answer is needed at once. The promise's own outcome is nobody's from then on: without
 * a handler a rejection would end the process.
 */
export function refusedPromise(
  promise: PromiseLike<unknown>,
  message: string,
  context: StreamErrorContext = {},
): StreamError {
  promise.then(undefined, () => undefined)
  return new StreamError(message, { code: 'SYNC_CALLBACK_RETURNED_PROMISE', kind: 'user', retriable: false, context })
}
