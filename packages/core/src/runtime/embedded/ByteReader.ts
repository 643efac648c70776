/** Reads what `ByteWriter` wrote. Throws a RangeError at the end of the bytes. */
export class ByteReader {
  readonly #view: DataView
  readonly #decoder = new TextDecoder('utf-8')
  #at = 0

  constructor(private readonly source: Uint8Array) {
    this.#view = new DataView(source.buffer, source.byteOffset, source.length)
  }

  get at(): number {
    return this.#at
  }

  get done(): boolean {
    return this.#at >= this.source.length
  }

  u8(): number {
    const value = this.#view.getUint8(this.#at)
    this.#at += 1
    return value
  }

  u32(): number {
    const value = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return value
  }

  number(): number {
    const value = this.#view.getFloat64(this.#at, true)
    this.#at += 8
    return value
  }

  /** A copy, so that one small record does not keep a whole segment in memory. */
  bytes(length: number): Uint8Array {
    const value = this.source.slice(this.#at, this.#at + length)
    this.skip(length)
    return value
  }

  nullable(): Uint8Array | null {
    const length = this.u32()
    return length === 0 ? null : this.bytes(length - 1)
  }

  string(): string {
    return this.#decoder.decode(this.bytes(this.u32()))
  }

  skip(length: number): void {
    if (this.#at + length > this.source.length) throw new RangeError('The bytes end too early')
    this.#at += length
  }
}
