/** One record header. Names may repeat; a value may be null, as in Kafka. */
export interface Header {
  readonly key: string
  readonly value: Uint8Array | null
}

/**
 * The headers of a record, in the order in which they were written.
 *
 * Immutable: `with` and `without` return new headers, so that a record that is forwarded
 * to two children cannot be changed by one of them under the other.
 */
export class Headers implements Iterable<Header> {
  static readonly empty = new Headers([])

  private constructor(private readonly entries: readonly Header[]) {}

  static of(entries: readonly Header[]): Headers {
    return entries.length === 0 ? Headers.empty : new Headers([...entries])
  }

  get size(): number {
    return this.entries.length
  }

  /** The value of the last header of this name, or undefined when there is none. */
  last(key: string): Uint8Array | null | undefined {
    for (let i = this.entries.length - 1; i >= 0; i--) {
      const entry = this.entries[i] as Header
      if (entry.key === key) return entry.value
    }
    return undefined
  }

  /** These headers with one more at the end; names are not made unique. */
  with(key: string, value: Uint8Array | null): Headers {
    return new Headers([...this.entries, { key, value }])
  }

  /** These headers without any of this name. */
  without(key: string): Headers {
    return Headers.of(this.entries.filter((entry) => entry.key !== key))
  }

  toArray(): readonly Header[] {
    return this.entries
  }

  [Symbol.iterator](): Iterator<Header> {
    return this.entries[Symbol.iterator]()
  }
}
