import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, compareBytes, SeededRandom, SystemClock, toHex } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DiskStateBackend } from './DiskStateBackend.js'
import { StateDatabase } from './StateDatabase.js'

const key = (i: number) => new TextEncoder().encode(`key-${String(i).padStart(4, '0')}`)
const STORES = ['a', 'b', 'c'] as const

let dir: string
let folder: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-crash-'))
  folder = join(dir, 'state')
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

/** Time is always up: what is done in pieces pauses after each of them. */
class HastyClock implements Clock {
  readonly #clock = new SystemClock()
  #time = 0

  constructor(private readonly onYield: () => void) {}

  now(): number {
    return this.#clock.now()
  }

  monotonic(): number {
    this.#time += 10
    return this.#time
  }

  after(delayMs: number, fn: () => void) {
    return this.#clock.after(delayMs, fn)
  }

  async yield(): Promise<void> {
    this.onYield()
    await this.#clock.yield()
  }
}

/** What all stores held with each epoch, as text. */
class Model {
  readonly #stores = new Map<string, Map<string, string>>(STORES.map((name) => [name, new Map()]))
  readonly epochs = new Map<number, string>()

  constructor(private readonly random: SeededRandom) {}

  next(epoch: number) {
    const below = (n: number) => Math.floor(this.random.next() * n)
    const changes = STORES.map((store) => {
      const model = this.#stores.get(store) as Map<string, string>
      const cleared = below(12) === 0
      if (cleared) model.clear()
      const entries = new Map<string, readonly [Uint8Array, Uint8Array | undefined]>()
      for (let i = below(200); i > 0; i--) {
        const k = key(below(600))
        const v = below(4) === 0 ? undefined : new Uint8Array(below(30)).fill(epoch)
        entries.set(toHex(k), [k, v])
        if (v === undefined) model.delete(toHex(k))
        else model.set(toHex(k), toHex(v))
      }
      return { store, cleared, entries: [...entries.values()] }
    })
    this.epochs.set(epoch, this.#text())
    return changes
  }

  #text(): string {
    return STORES.map((name) => {
      const sorted = [...(this.#stores.get(name) as Map<string, string>)].sort(([a], [b]) =>
        compareBytes(Buffer.from(a, 'hex'), Buffer.from(b, 'hex')),
      )
      return `${name}: ${sorted.map(([k, v]) => `${k}=${v}`).join(' ')}`
    }).join('\n')
  }
}

function textOf(backend: DiskStateBackend): string {
  return STORES.map((name) => {
    const store = backend.open(name)
    const up = [...store.range()].map(([k, v]) => `${toHex(k)}=${toHex(v)}`)
    const down = [...store.range({ reverse: true })].map(([k, v]) => `${toHex(k)}=${toHex(v)}`)
    expect(down.reverse()).toEqual(up)
    expect(store.size).toBe(up.length)
    return `${name}: ${up.join(' ')}`
  }).join('\n')
}

async function openCopy(path: string): Promise<{ backend: DiskStateBackend; damaged: Error[] }> {
  const damaged: Error[] = []
  const backend = await DiskStateBackend.open({ folder: path, clock: new SystemClock(), bufferBytes: 1 }, (error) =>
    damaged.push(error),
  )
  return { backend, damaged }
}

/** Commits epochs, and copies the folder as it is at some of the moments at which work is left for a while. */
async function dieOften(
  seed: number,
  every: number,
): Promise<{ copies: [path: string, epoch: number][]; model: Model }> {
  const copies: [string, number][] = []
  let moments = 0
  let committed = 0
  const clock = new HastyClock(() => {
    if (moments++ % every !== 0) return
    const path = join(dir, `copy-${copies.length}`)
    cpSync(folder, path, { recursive: true })
    copies.push([path, committed])
  })
  const model = new Model(new SeededRandom(seed))
  const backend = await DiskStateBackend.open({ folder, clock, bufferBytes: 6_000, cacheBytes: 4_096 })
  for (let epoch = 1; epoch <= 25; epoch++) {
    await backend.commit(epoch, model.next(epoch))
    committed = epoch
    expect(textOf(backend)).toBe(model.epochs.get(epoch))
  }
  await backend.settled()
  expect(textOf(backend)).toBe(model.epochs.get(25))
  await backend.close()
  return { copies, model }
}

describe('state on disk of a process that dies', () => {
  it.each([1, 2])('[E6] is that of the last commit, or of the one under way, at any moment; seed %d', async (seed) => {
    const { copies, model } = await dieOften(seed, 7)
    expect(copies.length).toBeGreaterThan(20)
    for (const [path, committed] of copies) {
      const { backend, damaged } = await openCopy(path)
      const epoch = backend.committedEpoch ?? 0
      expect(damaged).toEqual([])
      expect([committed, committed + 1]).toContain(epoch)
      if (epoch > 0) expect(textOf(backend)).toBe(model.epochs.get(epoch))
      // What was being written is gone, and it goes on from here.
      await backend.commit(99, [{ store: 'a', cleared: false, entries: [[key(1), key(1)]] }])
      await backend.settled()
      expect(toHex(backend.open('a').get(key(1)) ?? key(0))).toBe(toHex(key(1)))
      await backend.close()
      await rm(path, { recursive: true })
    }
  })

  it('[E6] [E11] is whole as of some epoch, or known to be none, when its last writes are cut off as well', async () => {
    const { copies, model } = await dieOften(3, 11)
    const random = new SeededRandom(5)
    let whole = 0
    for (const [path] of copies) {
      const logs = (await readdir(path)).filter((name) => /\.(log|run)$/.test(name))
      for (const name of logs) {
        if (random.next() < 0.5) continue
        const { size } = await stat(join(path, name))
        await truncate(join(path, name), Math.floor(random.next() * size))
      }
      const { backend, damaged } = await openCopy(path)
      const epoch = backend.committedEpoch
      if (damaged.length > 0) expect([epoch, backend.names('')]).toEqual([undefined, []])
      else if (epoch !== undefined) {
        whole++
        expect(textOf(backend)).toBe(model.epochs.get(epoch))
      }
      await backend.close()
      await rm(path, { recursive: true })
    }
    expect(whole).toBeGreaterThan(0)
  })
})

describe('state on disk that cannot be written', () => {
  const changes = (epoch: number, count = 50) => [
    {
      store: 'a',
      cleared: false,
      entries: Array.from({ length: count }, (_, i) => [key(i + epoch), new Uint8Array(10).fill(epoch)] as const),
    },
  ]

  it('keeps its changes in memory while a run cannot be written, refuses more once that is full, and recovers', async () => {
    const backend = await DiskStateBackend.open({ folder, clock: new SystemClock(), bufferBytes: 3_000 })
    // Where the file of the first run should be there is a folder.
    for (const run of [1, 2, 3, 4, 5, 6]) await mkdir(join(folder, `${run}.run`))
    let refused: unknown
    let epoch = 1
    for (; refused === undefined && epoch < 20; epoch++) {
      await backend.commit(epoch, changes(epoch)).catch((error: unknown) => {
        refused = error
      })
      await backend.settled()
    }
    expect(epoch).toBeGreaterThan(5)
    expect(refused).toMatchObject({ code: 'STATE_UNAVAILABLE', message: expect.stringContaining(folder) })
    const last = backend.committedEpoch as number
    expect(toHex(backend.open('a').get(key(last)) ?? key(0))).toBe(toHex(new Uint8Array(10).fill(last)))
    for (const run of [1, 2, 3, 4, 5, 6]) await rmdir(join(folder, `${run}.run`))
    await backend.recover()
    await backend.commit(last + 1, changes(last + 1))
    await backend.settled()
    expect((await readdir(folder)).some((name) => name.endsWith('.run'))).toBe(true)
    const size = backend.open('a').size
    await backend.close()
    const { backend: again, damaged } = await openCopy(folder)
    expect([damaged, again.committedEpoch, again.open('a').size]).toEqual([[], last + 1, size])
    await again.close()
  })

  it('removes what it was writing when it is closed, emptied or opened anew', async () => {
    const backend = await DiskStateBackend.open({ folder, clock: new SystemClock(), bufferBytes: 1 })
    await backend.commit(1, changes(1, 20_000))
    await backend.reset()
    expect([backend.committedEpoch, backend.open('a').size]).toEqual([undefined, 0])
    await backend.settled()
    expect((await readdir(folder)).filter((name) => name.endsWith('.run'))).toEqual([])
    await backend.commit(2, changes(2))
    await backend.settled()
    await writeFile(join(folder, '77.run'), 'half')
    await backend.close()
    const { backend: again, damaged } = await openCopy(folder)
    expect([damaged, again.committedEpoch, again.open('a').size]).toEqual([[], 2, 50])
    expect(await readdir(folder)).not.toContain('77.run')
    await again.commit(3, changes(3, 3_000))
    await again.settled()
    expect(await readdir(folder)).toContain('78.run')
    await again.close()
  })
})

describe('the database of a folder', () => {
  const failing = { write: () => Promise.reject(new Error('No space left on device')) } as never
  const working = { write: () => Promise.resolve() } as never

  it('reads what is there again after a write that failed, and goes on', async () => {
    const calls: string[] = []
    const database = new StateDatabase(
      folder,
      () => calls.push('forget'),
      async () => {
        calls.push('load')
      },
    )
    await database.open()
    const failed = database.inTurn(() => database.write(failing, true, { bytes: 7, stores: ['counts'] }))
    await expect(failed).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringMatching(/Writing 7 bytes of "counts" .*No space left.*Make room/),
    })
    expect(calls).toEqual(['load', 'forget', 'load'])
    database.check()
    await database.inTurn(() => database.write(working, true))
    await database.recover()
    expect(calls).toEqual(['load', 'forget', 'load'])
    await database.level.close()
  })

  it('refuses everything while what is there cannot be read, until it can be recovered', async () => {
    let cannot = false
    const database = new StateDatabase(
      folder,
      () => {},
      async () => {
        if (cannot) throw new Error('Input/output error')
      },
    )
    await database.open()
    cannot = true
    await expect(database.inTurn(() => database.write(failing, true))).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
    })
    expect(() => database.check()).toThrow(
      /is not read before a restart opens it again, because a write has failed: No space left/,
    )
    await expect(database.recover()).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringContaining('Input/output error'),
    })
    cannot = false
    await database.recover()
    database.check()
    await database.inTurn(() => database.write(working, true))
    await database.level.close()
  })

  it('does one thing after the other, also when one fails', async () => {
    const database = new StateDatabase(
      folder,
      () => {},
      async () => {},
    )
    await database.open()
    const done: number[] = []
    const turns = [1, 2, 3].map((turn) =>
      database.inTurn(async () => {
        await new SystemClock().yield()
        done.push(turn)
        if (turn === 2) throw new Error('of the second')
      }),
    )
    const results = await Promise.allSettled(turns)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(done).toEqual([1, 2, 3])
    database.check()
    await database.level.close()
  })
})
