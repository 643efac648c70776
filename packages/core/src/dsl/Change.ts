/**
 * What a table's node hands on for a key: its value now and before. A null `newValue` deletes the key.
 *
 * @internal
 */
export class Change<V> {
  constructor(
    readonly newValue: V | null,
    /** Null also where nobody downstream has asked for old values. */
    readonly oldValue: V | null,
    /** Whether `newValue` is the newest of its key by time. False only for an out-of-order write to a versioned table. */
    readonly isLatest: boolean = true,
  ) {}
}
