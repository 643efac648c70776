import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogStorage, StreamError } from '@lanescope/core'
import { makeFolder } from '../makeFolder.js'
import { LogLock } from './LogLock.js'

/**
 * The files of an embedded log in a folder, which one process at a time may use: `lock` says who.
 * What was appended survives the end of the process; what was synced survives the end of the host.
 */
export class DiskLogStorage implements LogStorage {
  readonly #handles = new Map<string, Promise<FileHandle>>()
  readonly #unsynced = new Set<string>()
  /** Files whose name is on disk for certain. */
  readonly #found = new Set<string>()

  private constructor(
    private readonly dir: string,
    private readonly lock: LogLock,
  ) {}

  /**
   * Makes the folder when there is none, and locks it.
   *
   * @throws StreamError LOG_LOCKED naming the process that uses it, LOG_UNAVAILABLE where the folder cannot be made or
   *   written
   */
  static async open(dir: string): Promise<DiskLogStorage> {
    try {
      await makeFolder(dir)
      return new DiskLogStorage(dir, await LogLock.take(dir))
    } catch (error) {
      if (error instanceof StreamError) throw error
      throw new StreamError(
        `The embedded log in "${dir}" cannot be opened: ${(error as Error).message}. Give embedded.log.dir a folder that this process may write to, on a disk that has room`,
        { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: false, cause: error },
      )
    }
  }

  async list(): Promise<readonly string[]> {
    const entries = await readdir(this.dir, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  async size(file: string): Promise<number> {
    return (await (await this.#handle(file)).stat()).size
  }

  async read(file: string, from: number, length: number): Promise<Uint8Array> {
    const handle = await this.#handle(file)
    const bytes = new Uint8Array(Math.min(length, Math.max(0, (await handle.stat()).size - from)))
    let got = 0
    while (got < bytes.length) {
      const { bytesRead } = await handle.read(bytes, got, bytes.length - got, from + got)
      if (bytesRead === 0) break
      got += bytesRead
    }
    return bytes.subarray(0, got)
  }

  async append(file: string, bytes: Uint8Array): Promise<void> {
    const handle = await this.#handle(file)
    this.#unsynced.add(file)
    await handle.appendFile(bytes)
  }

  async truncate(file: string, size: number): Promise<void> {
    const handle = await this.#handle(file)
    this.#unsynced.add(file)
    await handle.truncate(size)
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.dir, file)
    // No name of the log's own: what a crash leaves of it is nobody's, and the next one of this name takes its place.
    const beside = `${path}.new`
    const made = await open(beside, 'w')
    try {
      await made.writeFile(bytes)
      await made.datasync()
    } finally {
      await made.close()
    }
    await this.#letGo(file)
    await rename(beside, path)
    await this.#syncFolder()
  }

  async remove(file: string): Promise<void> {
    await this.#letGo(file)
    await rm(join(this.dir, file), { force: true })
    await this.#syncFolder()
  }

  async sync(file: string): Promise<void> {
    if (!this.#unsynced.has(file)) return
    const handle = await this.#handle(file)
    this.#unsynced.delete(file)
    try {
      await handle.datasync()
      // A new file has to be found again after a crash.
      if (!this.#found.has(file)) await this.#syncFolder()
    } catch (error) {
      this.#unsynced.add(file)
      throw error
    }
    this.#found.add(file)
  }

  async close(): Promise<void> {
    for (const handle of this.#handles.values()) await (await handle).close()
    this.#handles.clear()
    await this.lock.release()
  }

  async #letGo(file: string): Promise<void> {
    const handle = this.#handles.get(file)
    this.#handles.delete(file)
    this.#unsynced.delete(file)
    await (await handle)?.close()
  }

  #handle(file: string): Promise<FileHandle> {
    const open = this.#handles.get(file) ?? openFile(join(this.dir, file))
    this.#handles.set(file, open)
    return open
  }

  async #syncFolder(): Promise<void> {
    // Windows opens no folders, and needs no sync of them.
    if (process.platform === 'win32') return
    const folder = await open(this.dir, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}

function openFile(path: string): Promise<FileHandle> {
  return open(path, 'a+')
}
