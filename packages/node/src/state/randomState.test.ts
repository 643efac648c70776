import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ByteEntry, type ByteRange, compareBytes, SeededRandom, SystemClock, toHex } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EpochState } from '../../../core/src/state/epoch/EpochState.js'
import { DiskStateBackend } from './DiskStateBackend.js'

type Store = ReturnType<EpochState['store']>
type Reading = Pick<Store, 'get' | 'range' | 'size' | 'bytes'>
type Entries = Map<string, Uint8Array>

const NAMES = ['a', 'b', 'a-part'] as const
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
const text = (entries: Iterable<ByteEntry>) => Array.from(entries, ([k, v]) => `${toHex(k)}=${toHex(v)}`).join()

/** Each pause gives others their turn. */
class TurnClock extends SystemClock {
  #time = 0
  other = () => {}

  override monotonic(): number {
    this.#time += 6
    return this.#time
  }

  override async yield(): Promise<void> {
    this.other()
    await super.yield()
  }
}

/** Lengths on both sides of where something else begins: what is remembered, copied by a loop, one byte of length, packed. */
const KEY_LENGTHS = [0, 1, 63, 64, 65, 127, 128, 200]
const VALUE_LENGTHS = [0, 1, 9, 64, 126, 127, 128, 255, 256, 257, 3_000]

/** What a plain map holds of a range. */
function picked(model: Entries, { from, to, reverse }: ByteRange): ByteEntry[] {
  const found = Array.from(model, ([hex, value]): ByteEntry => [fromHex(hex), value])
    .filter(([k]) => from === undefined || compareBytes(k, from) >= 0)
    .filter(([k]) => to === undefined || compareBytes(k, to) < 0)
    .sort(([a], [b]) => compareBytes(a, b))
  return reverse ? found.reverse() : found
}

/** A range that is read step by step, over commits and whatever else comes in between. */
interface Held {
  readonly name: string
  readonly range: ByteRange
  readonly iterator: Iterator<ByteEntry>
  last: Uint8Array | undefined
}

/** Random work on live epochs, next to plain maps that say what is right. */
class RandomWork {
  readonly random: SeededRandom
  readonly #keys: readonly Uint8Array[]
  #models = new Map<string, Entries>(NAMES.map((name) => [name, new Map()]))
  readonly #atCut = new Map<number, Map<string, Entries>>()
  #held: Held[] = []
  state: EpochState

  constructor(
    seed: number,
    keys: number,
    private readonly backend: () => DiskStateBackend,
  ) {
    this.random = new SeededRandom(seed)
    this.#keys = Array.from({ length: keys }, () => this.#newKey())
    this.state = new EpochState(backend(), 1)
    this.#atCut.set(0, this.#copyOfModels())
  }

  below(n: number): number {
    return Math.floor(this.random.next() * n)
  }

  oneIn(n: number): boolean {
    return this.below(n) === 0
  }

  cut(): number {
    const epoch = this.state.cut()
    this.#atCut.set(epoch, this.#copyOfModels())
    return epoch
  }

  /** What is not committed is gone. */
  goOnAfter(epoch: number): void {
    this.#models = new Map(Array.from(this.#atCut.get(epoch) ?? [], ([name, model]) => [name, new Map(model)]))
    this.#held = []
    this.state = new EpochState(this.backend(), epoch + 1)
    for (const name of NAMES) this.#checkAll(this.state.store(name), this.#of(name))
  }

  write(most: number): void {
    for (let i = this.below(most); i > 0; i--) {
      const name = this.#name()
      this.#writeOne(this.state.store(name), this.#of(name))
    }
  }

  check(): void {
    const name = this.#name()
    this.#checkSome(this.state.store(name), this.#of(name))
    const epoch = this.backend().committedEpoch
    if (epoch !== undefined) this.#checkSome(this.state.store(name).committed, this.#at(epoch, name))
    const filled = NAMES.filter((each) => this.#of(each).size > 0).sort()
    if (this.oneIn(4)) expect(this.state.names('')).toEqual(filled)
    if (this.#held.length < 3) this.#held.push(this.#hold())
    for (const held of this.#held) if (this.oneIn(2)) this.#step(held)
  }

  checkCommitted(backend: DiskStateBackend): void {
    for (const name of NAMES) this.#checkAll(backend.open(name), this.#at(backend.committedEpoch ?? 0, name))
  }

  #writeOne(store: Store, model: Entries): void {
    const key = this.#key()
    const hex = toHex(key)
    const what = this.below(40)
    if (what < 22) {
      const value = this.#value()
      if (what < 12) store.get(key)
      if (what < 3) store.get(this.#key())
      if (what < 18) store.set(key.slice(), value)
      else expect(store.put(key, value)).toEqual(model.get(hex))
      model.set(hex, value)
    } else if (what < 35) {
      if (what < 30) expect(store.delete(key)).toEqual(model.get(hex))
      else if (model.has(hex)) store.remove(key)
      model.delete(hex)
    } else if (what < 37) {
      const [from, to] = [this.#key(), this.#key()]
      const gone = picked(model, { from, to })
      expect(store.deleteRange(from, to)).toBe(gone.length)
      for (const [k] of gone) model.delete(toHex(k))
    } else if (this.oneIn(4)) {
      if (what === 39) store.clear()
      else store.deleteRange()
      model.clear()
    }
  }

  #checkSome(store: Reading, model: Entries): void {
    const range = this.#range()
    expect(text(store.range(range))).toBe(text(picked(model, range)))
    const key = this.#key()
    expect(store.get(key)).toEqual(model.get(toHex(key)))
    this.#checkSizes(store, model)
  }

  #checkAll(store: Reading, model: Entries): void {
    for (const reverse of [false, true]) expect(text(store.range({ reverse }))).toBe(text(picked(model, { reverse })))
    this.#checkSizes(store, model)
  }

  #checkSizes(store: Reading, model: Entries): void {
    const bytes = Array.from(model).reduce((sum, [hex, value]) => sum + hex.length / 2 + value.length, 0)
    expect([store.size, store.bytes]).toEqual([model.size, bytes])
  }

  #hold(): Held {
    const [name, range] = [this.#name(), this.#range()]
    return { name, range, iterator: this.state.store(name).range(range)[Symbol.iterator](), last: undefined }
  }

  #step(held: Held): void {
    const { name, range, iterator, last } = held
    const sign = range.reverse ? -1 : 1
    const due = picked(this.#of(name), range).find(([k]) => last === undefined || sign * compareBytes(k, last) > 0)
    const next = iterator.next()
    expect(next.done ? '' : text([next.value])).toBe(due === undefined ? '' : text([due]))
    held.last = due?.[0]
    if (due === undefined) this.#held = this.#held.filter((other) => other !== held)
  }

  #of(name: string): Entries {
    return this.#models.get(name) as Entries
  }

  #at(epoch: number, name: string): Entries {
    return this.#atCut.get(epoch)?.get(name) as Entries
  }

  #copyOfModels(): Map<string, Entries> {
    return new Map(Array.from(this.#models, ([name, model]) => [name, new Map(model)]))
  }

  #name(): string {
    return NAMES[this.below(NAMES.length)] as string
  }

  #key(): Uint8Array {
    return this.#keys[this.below(this.#keys.length)] as Uint8Array
  }

  #newKey(): Uint8Array {
    const key = new Uint8Array(this.oneIn(3) ? (KEY_LENGTHS[this.below(8)] as number) : 1 + this.below(5)).fill(7)
    for (let i = Math.max(0, key.length - 3); i < key.length; i++) key[i] = [0, 1, 7, 255][this.below(4)] as number
    return key
  }

  #value(): Uint8Array {
    const length = this.oneIn(3) ? (VALUE_LENGTHS[this.below(11)] as number) : this.below(14)
    return new Uint8Array(length).fill(this.below(256))
  }

  #range(): ByteRange {
    const [from, to] = [this.#key(), this.#key()]
    return { reverse: this.oneIn(2), ...(this.oneIn(2) ? { from } : {}), ...(this.oneIn(2) ? { to } : {}) }
  }
}

let dir: string
let backend: DiskStateBackend

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-random-'))
})

afterEach(async () => {
  await backend.close()
  await rm(dir, { recursive: true, force: true })
})

/** Copies a folder as it is at one moment: the threads of LevelDB go on with it meanwhile. */
function copyFolder(from: string, to: string): void {
  const files = () =>
    readdirSync(from)
      .map((name) => `${name} ${statSync(join(from, name)).size}`)
      .join()
  for (let isWhole = false; !isWhole; ) {
    rmSync(to, { recursive: true, force: true })
    try {
      const before = files()
      cpSync(from, to, { recursive: true })
      isWhole = files() === before
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Opens what was copied, as after a death, and looks whether it is that of the last commit or of the one under way. */
async function checkCopy(work: RandomWork, path: string, committed: number): Promise<void> {
  const damaged: Error[] = []
  const copy = await DiskStateBackend.open({ folder: path, clock: new SystemClock() }, (error) => damaged.push(error))
  expect(damaged).toEqual([])
  expect([committed, committed + 1]).toContain(copy.committedEpoch ?? 0)
  work.checkCommitted(copy)
  await copy.close()
}

describe('live epochs over state on disk, at random', () => {
  it.each([
    [1, 1, 40, 1],
    [2, 400, 150, 1],
    [3, 1_500, 5, 1],
    [4, 6_000, 150, 1],
    [5, 1 << 24, 150, 1],
    // Few keys, and seldom a look: what is remembered of a look-up lasts from epoch to epoch.
    [6, 6_000, 3, 8],
    [7, 1_500, 4, 8],
    [8, 400, 3, 8],
  ])(
    '[E2] [E6] read as plain maps do, through commits, aborts, restarts and deaths; seed %d, %d bytes in memory, %d keys',
    async (seed, bufferBytes, keys, looksEvery) => {
      const folder = join(dir, 'state')
      const clock = new TurnClock()
      const open = () => DiskStateBackend.open({ folder, clock, bufferBytes, cacheBytes: 4_096 })
      backend = await open()
      const work = new RandomWork(seed, keys, () => backend)
      const copy = join(dir, 'copy')
      let committed = 0
      for (let round = 0; round < 40 * looksEvery; round++) {
        work.write(Math.ceil(60 / looksEvery))
        if (work.oneIn(looksEvery)) work.check()
        const what = work.below(10)
        if (what < 7) {
          const epoch = work.cut()
          const dies = work.oneIn(4 * looksEvery)
          clock.other = () => {
            if (work.oneIn(3 * looksEvery)) work.check()
            if (work.oneIn(3)) work.write(4)
            if (dies && work.oneIn(3) && !existsSync(copy)) copyFolder(folder, copy)
          }
          await work.state.commit(epoch)
          clock.other = () => {}
          if (existsSync(copy)) await checkCopy(work, copy, committed)
          await rm(copy, { recursive: true, force: true })
          committed = epoch
        } else if (what < 8 && work.oneIn(looksEvery)) {
          work.state.abort()
          work.goOnAfter(committed)
        } else if (what < 9) await backend.settled()
        else if (work.oneIn(looksEvery)) {
          await backend.close()
          backend = await open()
          expect(backend.committedEpoch ?? 0).toBe(committed)
          work.goOnAfter(committed)
        }
      }
      work.checkCommitted(backend)
    },
    60_000,
  )
})
