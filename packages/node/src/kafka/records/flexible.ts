import { readInt64, writeInt64 } from './recordBatch.js'

/** Reads the fields of Kafka's flexible requests: lengths are unsigned varints, one more than they are; 0 is null. */
export class FlexibleReader {
  #at = 0

  constructor(private readonly buffer: Buffer) {}

  int16(): number {
    this.#at += 2
    return this.buffer.readInt16BE(this.#at - 2)
  }

  int32(): number {
    this.#at += 4
    return this.buffer.readInt32BE(this.#at - 4)
  }

  /** Beyond 53 bits not exact: offsets never get there. */
  int64(): number {
    this.#at += 8
    return readInt64(this.buffer, this.#at - 8)
  }

  /** Of 64 bits, exact and as text. */
  id64(): string {
    this.#at += 8
    return String(this.buffer.readBigInt64BE(this.#at - 8))
  }

  /** Of a list; a list that is null has none. */
  length(): number {
    return Math.max(0, this.#varint() - 1)
  }

  text(): string | null {
    const length = this.#varint() - 1
    return length < 0 ? null : this.bytes(length).toString('utf8')
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.buffer.length) throw new RangeError('The answer ends within a field')
    this.#at += length
    return this.buffer.subarray(this.#at - length, this.#at)
  }

  skip(length: number): void {
    this.bytes(length)
  }

  /** Passes over tagged fields: all that are unknown here. */
  tags(): void {
    for (let left = this.#varint(); left > 0; left--) {
      this.#varint()
      this.skip(this.#varint())
    }
  }

  #varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.buffer.readUInt8(this.#at++)
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }
}

/** Writes such fields. */
export class FlexibleWriter {
  readonly #parts: Buffer[] = []

  get buffer(): Buffer {
    return Buffer.concat(this.#parts)
  }

  bytes(bytes: Buffer): this {
    this.#parts.push(bytes)
    return this
  }

  int32(value: number): this {
    const bytes = Buffer.allocUnsafe(4)
    bytes.writeInt32BE(value)
    return this.bytes(bytes)
  }

  int64(value: number): this {
    const bytes = Buffer.allocUnsafe(8)
    writeInt64(bytes, value, 0)
    return this.bytes(bytes)
  }

  boolean(value: boolean): this {
    return this.bytes(Buffer.of(value ? 1 : 0))
  }

  /** Of a list that follows. */
  length(length: number): this {
    return this.bytes(varint(length + 1))
  }

  text(text: string): this {
    const bytes = Buffer.from(text, 'utf8')
    return this.length(bytes.length).bytes(bytes)
  }

  /** No tagged fields. */
  tags(): this {
    return this.bytes(Buffer.of(0))
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Buffer.from([...bytes, rest])
}
