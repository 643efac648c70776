/** Builds bytes; little-endian; strings as UTF-8 behind their length. */
export class ByteWriter {
  #bytes: Uint8Array
  #view: DataView
  #size = 0
  readonly #encoder = new TextEncoder()

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get size(): number {
    return this.#size
  }

  u8(value: number): void {
    this.#reserve(1)
    this.#view.setUint8(this.#size, value)
    this.#size += 1
  }

  u32(value: number): void {
    this.#reserve(4)
    this.#view.setUint32(this.#size, value, true)
    this.#size += 4
  }

  /** An offset or a time: every JavaScript number, exactly. */
  number(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.#size, value, true)
    this.#size += 8
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#size)
    this.#size += value.length
  }

  /** Length + 1, then the bytes; 0 stands for null. */
  nullable(value: Uint8Array | null): void {
    this.u32(value === null ? 0 : value.length + 1)
    if (value !== null) this.bytes(value)
  }

  string(value: string): void {
    const bytes = this.#encoder.encode(value)
    this.u32(bytes.length)
    this.bytes(bytes)
  }

  /** Overwrites four bytes that were written before. */
  patchU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true)
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  #reserve(more: number): void {
    const needed = this.#size + more
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
