import type { LogStorage } from '../runtime/embedded/LogStorage.js'
import { MemoryLogStorage } from '../runtime/embedded/MemoryLogStorage.js'
import type { Random } from '../time/Random.js'
import type { SimulationScheduler } from './SimulationScheduler.js'

/** A disk that outlives the engines over it. What no sync has made durable may be torn at any byte by a crash. */
export class SimulatedStorage implements LogStorage {
  readonly #files = new MemoryLogStorage()
  readonly #synced = new Map<string, number>()
  /** Set while an engine runs: writes then complete when the seed says so. */
  #scheduler: SimulationScheduler | undefined

  use(scheduler: SimulationScheduler | undefined): void {
    this.#scheduler = scheduler
  }

  list(): Promise<readonly string[]> {
    return this.#files.list()
  }

  size(file: string): Promise<number> {
    return this.#files.size(file)
  }

  read(file: string, from: number, length: number): Promise<Uint8Array> {
    return this.#files.read(file, from, length)
  }

  async append(file: string, bytes: Uint8Array): Promise<void> {
    await this.#files.append(file, bytes)
    await this.#scheduler?.hold(undefined, 'storage append')
  }

  async truncate(file: string, size: number): Promise<void> {
    await this.#files.truncate(file, size)
    this.#synced.set(file, Math.min(size, this.#synced.get(file) ?? 0))
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    await this.#scheduler?.hold(undefined, 'storage replace')
    await this.#files.replace(file, bytes)
    this.#synced.set(file, bytes.length)
  }

  async remove(file: string): Promise<void> {
    await this.#files.remove(file)
    this.#synced.delete(file)
  }

  async sync(file: string): Promise<void> {
    await this.#scheduler?.hold(undefined, 'storage sync')
    this.#synced.set(file, await this.#files.size(file))
  }

  async close(): Promise<void> {}

  /** The host dies: each file keeps what was synced and any part of the rest. @returns bytes that are gone */
  async crash(random: Random): Promise<number> {
    let lost = 0
    for (const file of await this.#files.list()) {
      const size = await this.#files.size(file)
      const synced = this.#synced.get(file) ?? 0
      const kept = synced + Math.floor(random.next() * (size - synced + 1))
      await this.#files.truncate(file, kept)
      lost += size - kept
    }
    return lost
  }
}
