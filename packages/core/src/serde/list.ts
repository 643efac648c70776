import { readInt32, writeInt32 } from './int64.js'
import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'

const fixedSize = 0
const variableSize = 1
const nullEntry = -1

/** Inner serdes whose every value has the same length: their lists carry no length per entry. */
const fixedLengths: ReadonlyMap<string, number> = new Map([
  ['short', 2],
  ['integer', 4],
  ['long', 8],
  ['bigint', 8],
  ['float', 4],
  ['double', 8],
  ['uuid', 36],
])

/**
 * A list of values of one type, with nulls, as Kafka's ListSerde (`kafka-streams.md` F.1). Fixed-size inner
 * types: `00`, null count, null indexes, size, entries. Others: `01`, size, then per entry its length (−1 for
 * null) and its bytes. All numbers are int32.
 */
export function list<T>(inner: Serde<T>): Serde<readonly (T | null)[]> {
  const length = fixedLengths.get(inner.id)
  const id = `list(${inner.id})`
  return {
    id,
    serialize(topic, headers, value) {
      if (!Array.isArray(value))
        throw unwritable(topic, `The serde "${id}" writes arrays, not ${describeValue(value)}.`)
      // Array.from also visits holes, which count as null.
      const entries = Array.from(value as readonly (T | null)[], (entry) =>
        entry === null || entry === undefined ? null : inner.serialize(topic, headers, entry),
      )
      return length === undefined ? writeVariable(entries) : writeFixed(entries, length)
    },
    deserialize(topic, headers, bytes) {
      return new ListReader(topic, id, bytes, length).entries().map((entry) => {
        return entry === null ? null : inner.deserialize(topic, headers, entry)
      })
    },
  }
}

function writeFixed(entries: readonly (Uint8Array | null)[], length: number): Uint8Array {
  const nulls = entries.flatMap((entry, index) => (entry === null ? [index] : []))
  const bytes = new Uint8Array(1 + 4 + 4 * nulls.length + 4 + (entries.length - nulls.length) * length)
  bytes[0] = fixedSize
  writeInt32(bytes, 1, nulls.length)
  let at = 5
  for (const index of nulls) {
    writeInt32(bytes, at, index)
    at += 4
  }
  writeInt32(bytes, at, entries.length)
  at += 4
  for (const entry of entries) {
    if (entry === null) continue
    bytes.set(entry, at)
    at += length
  }
  return bytes
}

function writeVariable(entries: readonly (Uint8Array | null)[]): Uint8Array {
  const bytes = new Uint8Array(1 + 4 + entries.reduce((sum, entry) => sum + 4 + (entry?.length ?? 0), 0))
  bytes[0] = variableSize
  writeInt32(bytes, 1, entries.length)
  let at = 5
  for (const entry of entries) {
    writeInt32(bytes, at, entry === null ? nullEntry : entry.length)
    at += 4
    if (entry === null) continue
    bytes.set(entry, at)
    at += entry.length
  }
  return bytes
}

/** Cuts a list's bytes into its entries. Trusts no count it reads: a list claims no more than its bytes can hold. */
class ListReader {
  #at = 0

  constructor(
    private readonly topic: string,
    private readonly id: string,
    private readonly bytes: Uint8Array,
    private readonly length: number | undefined,
  ) {}

  entries(): (Uint8Array | null)[] {
    const flag = this.#take(1)[0]
    if (flag === variableSize) return this.#variable()
    if (flag === fixedSize && this.length !== undefined) return this.#fixed(this.length)
    throw this.#refuse(
      flag === fixedSize ? 'its first byte says fixed-size entries, which the inner serde does not write' : undefined,
    )
  }

  #fixed(length: number): (Uint8Array | null)[] {
    const nulls = new Set<number>()
    for (let left = this.#count(); left > 0; left--) nulls.add(this.#int32())
    const entries: (Uint8Array | null)[] = []
    for (let index = 0, size = this.#count(); index < size; index++) {
      entries.push(nulls.has(index) ? null : this.#take(length))
    }
    return entries
  }

  #variable(): (Uint8Array | null)[] {
    const entries: (Uint8Array | null)[] = []
    for (let left = this.#count(); left > 0; left--) {
      const length = this.#int32()
      entries.push(length === nullEntry ? null : this.#take(length))
    }
    return entries
  }

  #count(): number {
    const count = this.#int32()
    if (count < 0 || count > this.bytes.length) throw this.#refuse(`it claims ${count} entries`)
    return count
  }

  #int32(): number {
    return readInt32(this.#take(4), 0)
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length
    if (length < 0) throw this.#refuse(`it claims an entry of ${length} bytes`)
    if (end > this.bytes.length) throw this.#refuse('End of the stream was reached prematurely')
    const taken = this.bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  #refuse(why = 'its first byte is neither 00 nor 01') {
    return unreadable(
      this.topic,
      `The serde "${this.id}" cannot read ${describeBytes(this.bytes)}: ${why}. Declare the serde that wrote them.`,
    )
  }
}
