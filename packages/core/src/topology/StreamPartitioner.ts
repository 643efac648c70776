import { isPromise, refusedPromise } from '../errors/refusedPromise.js'

/**
 * Where a partitioner sends a record: to one place; to several, each of which gets it; to none (`[]`), which drops it
 * and counts it as `no_partition` (G3); or, undefined, where the hash of its key says.
 */
export type PartitionChoice = number | readonly number[] | undefined

/**
 * Picks where a record goes in place of the hash of its key: of `repartition()` a lane (L9), of a sink a partition of
 * its topic. Places are integers in 0 … count − 1.
 *
 * Lanes picked by one are outside the affinity contract: no check compares the lanes of timers with them (A8).
 */
export type StreamPartitioner<K, V> = (key: K, value: V, count: number) => PartitionChoice

/**
 * Asks a partitioner.
 *
 * @returns the places without repetition, in the order named; undefined: the hash of the key decides
 * @throws RangeError when it names a place that is not there, StreamError SYNC_CALLBACK_RETURNED_PROMISE
 */
export function choosePlaces(
  partitioner: StreamPartitioner<any, any>,
  key: unknown,
  value: unknown,
  count: number,
): readonly number[] | undefined {
  const choice = partitioner(key, value, count)
  if (isPromise(choice)) throw refusedPromise(choice, 'it returned a promise. Return a number, or a list of numbers.')
  if (choice === undefined || choice === null) return undefined
  const places = typeof choice === 'number' ? [choice] : [...new Set(choice)]
  const wrong = places.find((place) => !Number.isInteger(place) || place < 0 || place >= count)
  if (wrong !== undefined)
    throw new RangeError(`it picked ${String(wrong)}, and there are 0 to ${count - 1}. Return integers of that range.`)
  return places
}
