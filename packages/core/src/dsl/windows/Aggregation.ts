/** What one record does to an aggregate, whatever windows it is in. `null` stands for no aggregate. */
export interface Aggregation<K, V, A> {
  /** What a key's first record is added to. */
  initial(): A | null
  add(key: K, value: V, aggregate: A | null): A | null
  /** Of sessions: what two that have become one come to. */
  merge(key: K, one: A | null, other: A): A | null
}
