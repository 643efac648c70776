import type { LogStorage } from './LogStorage.js'

interface MemoryFile {
  bytes: Uint8Array
  size: number
}

/** Files that live as long as the object: a log may be closed and opened again over the same storage. */
export class MemoryLogStorage implements LogStorage {
  readonly #files = new Map<string, MemoryFile>()

  async list(): Promise<readonly string[]> {
    return [...this.#files.keys()]
  }

  async size(file: string): Promise<number> {
    return this.#files.get(file)?.size ?? 0
  }

  async read(file: string, from: number, length: number): Promise<Uint8Array> {
    const found = this.#files.get(file)
    if (!found) return new Uint8Array(0)
    return found.bytes.slice(from, Math.min(from + length, found.size))
  }

  async append(file: string, bytes: Uint8Array): Promise<void> {
    const found = this.#files.get(file) ?? { bytes: new Uint8Array(1024), size: 0 }
    const size = found.size + bytes.length
    if (size > found.bytes.length) {
      const grown = new Uint8Array(Math.max(size, 2 * found.bytes.length))
      grown.set(found.bytes.subarray(0, found.size))
      found.bytes = grown
    }
    found.bytes.set(bytes, found.size)
    found.size = size
    this.#files.set(file, found)
  }

  async truncate(file: string, size: number): Promise<void> {
    const found = this.#files.get(file)
    if (found && size < found.size) found.size = size
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    this.#files.set(file, { bytes: bytes.slice(), size: bytes.length })
  }

  async remove(file: string): Promise<void> {
    this.#files.delete(file)
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}
}
