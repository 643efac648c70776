import { long } from '../serde/long.js'
import { Materialized } from './Materialized.js'
import { Named } from './Named.js'

/** The trailing arguments of an aggregation: a name, what it is kept in, both in this order, or neither. */
export type AggregateArguments<K, V> =
  | readonly []
  | readonly [Named | Materialized<K, V> | undefined]
  | readonly [Named | undefined, Materialized<K, V> | undefined]

export function aggregateArguments<K, V>(
  args: AggregateArguments<K, V>,
): { readonly named: Named | undefined; readonly materialized: Materialized<K, V> | undefined } {
  const [first, second] = args
  return {
    named: first instanceof Named ? first : undefined,
    materialized: first instanceof Materialized ? first : second,
  }
}

/** What a count is kept in: its values are longs unless something else is said. */
export function countedAs<K>(materialized: Materialized<K, number> | undefined): Materialized<K, number> {
  const kept = materialized ?? Materialized.with<K, number>(undefined, undefined)
  return kept.options.valueSerde === undefined ? kept.withValueSerde(long) : kept
}
