import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, EmbeddedLog, type LogStorage } from '@lanescope/core'

/** How often a list of files is taken anew that others take away meanwhile. */
const LOOKS = 10

/**
 * The files of an embedded log as they are when they are first looked at, for reading alone: no lock is taken, and
 * nothing is written, so another process may write the log meanwhile.
 */
class LogSnapshot implements LogStorage {
  readonly #handles = new Map<string, FileHandle>()
  readonly #sizes = new Map<string, number>()

  constructor(private readonly dir: string) {}

  async list(): Promise<readonly string[]> {
    try {
      return await readdir(this.dir)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }

  async size(file: string): Promise<number> {
    const known = this.#sizes.get(file)
    if (known !== undefined) return known
    const { size } = await (await this.#handle(file)).stat()
    this.#sizes.set(file, size)
    return size
  }

  async read(file: string, from: number, length: number): Promise<Uint8Array> {
    const handle = await this.#handle(file)
    const bytes = new Uint8Array(Math.min(length, Math.max(0, (await this.size(file)) - from)))
    let got = 0
    while (got < bytes.length) {
      const { bytesRead } = await handle.read(bytes, got, bytes.length - got, from + got)
      if (bytesRead === 0) break
      got += bytesRead
    }
    return bytes.subarray(0, got)
  }

  /** The log that is opened on it begins a file where there is none: not here. */
  async append(): Promise<void> {}
  /** The other process may be in the middle of what looks torn. */
  async truncate(): Promise<void> {}
  async replace(): Promise<void> {}
  async remove(): Promise<void> {}
  async sync(): Promise<void> {}

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close()
    this.#handles.clear()
  }

  async #handle(file: string): Promise<FileHandle> {
    const known = this.#handles.get(file)
    if (known !== undefined) return known
    const handle = await open(join(this.dir, file), 'r')
    this.#handles.set(file, handle)
    return handle
  }
}

/**
 * Lets `read` look at the log of a folder as it is now, also while another process writes it. A folder without a log
 * is an empty one.
 *
 * @throws StreamError LOG_CORRUPT when it is damaged
 */
export async function withLogSnapshot<T>(
  dir: string,
  clock: Clock,
  read: (log: Pick<EmbeddedLog, 'listTopics' | 'read'>) => Promise<T>,
): Promise<T> {
  for (let left = LOOKS; ; left--) {
    const storage = new LogSnapshot(dir)
    try {
      return await read(await EmbeddedLog.open({ storage, clock }))
    } catch (error) {
      // The other process has thinned the log out (E12), and a file of the list went with it: the next list is without it.
      if (left === 1 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    } finally {
      await storage.close()
    }
  }
}
