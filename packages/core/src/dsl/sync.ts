import { isPromise, refusedPromise } from '../errors/refusedPromise.js'

/** What a synchronous function may return: anything but a promise. */
export type Sync<R> = R extends PromiseLike<unknown> ? never : R

/**
 * Hands on what a DSL function returned, unless it is a promise.
 *
 * @throws StreamError SYNC_CALLBACK_RETURNED_PROMISE
 */
export function settled<R>(node: string, result: R): R {
  if (!isPromise(result)) return result
  throw refusedPromise(
    result,
    `The function of "${node}" returned a promise. Functions of the DSL are synchronous: await in a processor instead, ` +
      'given to process().',
    { node },
  )
}
