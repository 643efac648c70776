import { type Sync, settled } from '../sync.js'
import type { WindowedOperation } from './addWindowedAggregate.js'

const add = (_key: unknown, _value: unknown, count: number | null) => (count ?? 0) + 1
const sum = (_key: unknown, one: number | null, other: number) => (one ?? 0) + other

/** How many records there were. */
export const counting: WindowedOperation = {
  operator: 'windowed-count',
  prefix: 'KSTREAM-AGGREGATE-',
  value: 'changed',
  aggregation: () => ({ initial: () => 0, add, merge: sum }),
}

/** The values combined, two at a time; the first stands for itself. */
export function reducing<V>(reducer: (aggregate: any, value: any) => V | null): WindowedOperation {
  return {
    operator: 'windowed-reduce',
    prefix: 'KSTREAM-REDUCE-',
    value: 'same',
    aggregation(node) {
      const combine = (one: V | null, other: V) => (one === null ? other : settled(node, reducer(one, other)))
      return {
        initial: () => null,
        add: (_key, value: V, aggregate: V | null) => combine(aggregate, value),
        merge: (_key, one: V | null, other: V) => combine(one, other),
      }
    },
  }
}

/** Each record added to what the initializer begins with; of sessions the merger says what two come to. */
export function aggregating<K, V, A>(
  initializer: () => Sync<A>,
  aggregator: (key: K, value: V, aggregate: A) => Sync<A>,
  merger?: (key: K, one: A, other: A) => Sync<A>,
): WindowedOperation {
  return {
    operator: 'windowed-aggregate',
    prefix: 'KSTREAM-AGGREGATE-',
    value: 'changed',
    aggregation: (node) => ({
      initial: () => settled(node, initializer()),
      add: (key: K, value: V, aggregate: A) => settled(node, aggregator(key, value, aggregate)),
      merge: (key: K, one: A, other: A) => settled(node, merger?.(key, one, other)) as A,
    }),
  }
}
