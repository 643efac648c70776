import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareBytes, SeededRandom, SystemClock, toHex } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EpochState } from '../../../core/src/state/epoch/EpochState.js'
import { DiskStateBackend } from './DiskStateBackend.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const key = (i: number) => new TextEncoder().encode(`key-${String(i).padStart(6, '0')}`)
type Entry = readonly [Uint8Array, Uint8Array | undefined]
const changesOf = (store: string, entries: readonly Entry[], cleared = false) => [{ store, cleared, entries }]

/** Each look at it takes as long as a piece of a commit may: so every pause gives others their turn. */
class SlowClock extends SystemClock {
  turns = 0
  #time = 0
  /** What others do in their turn. */
  other = () => {}

  override monotonic(): number {
    this.#time += 5
    return this.#time
  }

  override async yield(): Promise<void> {
    this.turns++
    this.other()
    await super.yield()
  }
}

let folder: string
let backend: DiskStateBackend
let clock: SlowClock

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-pieces-'))
  clock = new SlowClock()
})

afterEach(async () => {
  clock.other = () => {}
  await backend.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(bufferBytes = 1 << 26): Promise<void> {
  backend = await DiskStateBackend.open({ folder, clock, bufferBytes })
}

/** All that can be read of what is committed. */
function seen(stores = backend.names('')): string {
  const parts = stores.map((name) => {
    const store = backend.open(name)
    const text = (reverse: boolean) =>
      Array.from(store.range({ reverse }), ([k, v]) => `${toHex(k)}=${toHex(v)}`).join()
    const values = [0, 7, 42, 600, 1_999].map((i) => toHex(store.get(key(i)) ?? bytes()))
    return [name, store.size, store.bytes, text(false), text(true), values].join(' ')
  })
  return `${backend.committedEpoch} ${parts.join(' | ')}`
}

describe('a commit in pieces', () => {
  it('[L12] [E2] lets others have their turn all the while, and they see all of it or nothing', async () => {
    await start()
    const before: Entry[] = Array.from({ length: 600 }, (_, i) => [key(3 * i), bytes(1)])
    await backend.commit(1, [...changesOf('a', before), ...changesOf('gone', before), ...changesOf('other', before)])
    const old = seen()
    const views: string[] = []
    clock.other = () => views.push(seen())
    clock.turns = 0
    const changes: Entry[] = Array.from({ length: 2_000 }, (_, i) => [key(i), i % 5 === 0 ? undefined : bytes(2, i)])
    await backend.commit(2, [
      ...changesOf('a', changes),
      ...changesOf('gone', changes.slice(0, 5), true),
      ...changesOf('new', changes),
    ])
    clock.other = () => {}
    const now = seen()
    expect(now).not.toBe(old)
    expect(clock.turns).toBeGreaterThan(2 * (2_000 / 128))
    const from = views.indexOf(now)
    expect(from).toBeGreaterThan(2 * (2_000 / 128))
    expect(views.map((view) => [old, now].indexOf(view))).toEqual(views.map((_, i) => (i < from ? 0 : 1)))
    await backend.close()
    await start()
    expect(seen()).toBe(now)
  })

  it('[L12] takes as many turns for the keys that it has as for those that come, over every growth', async () => {
    await start()
    const entries = (from: number, value: number): Entry[] =>
      Array.from({ length: 20_000 }, (_, i) => [key(((from + i) * 7_919) % 200_003), bytes(value)])
    let epoch = 0
    for (let from = 0; from < 100_000; from += 20_000) {
      const before = clock.turns
      await backend.commit(++epoch, changesOf('a', entries(from, 1)))
      expect(clock.turns - before).toBeGreaterThan(20_000 / 128 + 20_000 / 4_096)
    }
    const before = clock.turns
    await backend.commit(++epoch, changesOf('a', entries(40_000, 2)))
    expect(clock.turns - before).toBeGreaterThan(20_000 / 128)
    expect(backend.open('a').size).toBe(100_000)
  })

  it('[E2] [E11] leaves nothing of a commit that meets a damaged page, and goes on once its store is rebuilt', async () => {
    await start(1)
    const entries = Array.from({ length: 2_000 }, (_, i): Entry => [key(i), new Uint8Array(50).fill(i)])
    await backend.commit(1, changesOf('b', entries))
    await backend.settled()
    await backend.close()
    const [run = ''] = (await readdir(folder)).filter((name) => name.endsWith('.run'))
    const file = await open(join(folder, run), 'r+')
    await file.write(bytes(255), 0, 1, 20)
    await file.close()
    await start()
    await backend.commit(2, changesOf('a', entries.slice(0, 1_000)))
    const old = seen(['a'])
    const changes: Entry[] = [...entries.slice(500, 1_500).map(([k]): Entry => [k, bytes(7)]), [key(3), undefined]]
    const commit = backend.commit(3, [...changesOf('a', changes), ...changesOf('b', [[key(0), bytes(1)]])])
    await expect(commit).rejects.toMatchObject({ code: 'STATE_CORRUPT', context: { store: 'b' } })
    expect([seen(['a']), backend.damaged]).toEqual([old, ['b']])
    await backend.restore(changesOf('b', [], true))
    await backend.commit(3, [...changesOf('a', changes), ...changesOf('c', [[key(0), bytes(1)]])])
    await backend.commit(4, changesOf('a', [[key(4), bytes(8)]]))
    const now = seen()
    expect([backend.open('a').size, backend.open('a').get(key(1_400)), backend.open('a').get(key(3))]).toEqual([
      1_499,
      bytes(7),
      undefined,
    ])
    await backend.close()
    await start()
    expect(seen()).toBe(now)
  })
})

describe('live epochs over state on disk', () => {
  it.each([
    ['all of it in memory', 1 << 26, 1],
    ['runs now and then', 6_000, 2],
    ['a run at each commit', 1, 3],
  ])(
    '[E2] agree with a plain map at every turn, also while they are committed, %s',
    async (_, bufferBytes, seed) => {
      await start(bufferBytes)
      const random = new SeededRandom(seed)
      const below = (n: number) => Math.floor(random.next() * n)
      const models = new Map(['a', 'b'].map((name) => [name, new Map<string, Uint8Array>()]))
      let state = new EpochState(backend, 1)
      const check = () => {
        for (const [name, model] of models) {
          const store = state.store(name)
          const sorted = [...model].sort(([a], [b]) => compareBytes(Buffer.from(a, 'hex'), Buffer.from(b, 'hex')))
          const bytesOf = sorted.reduce((sum, [k, v]) => sum + k.length / 2 + v.length, 0)
          expect([store.size, store.bytes]).toEqual([model.size, bytesOf])
          const found = Array.from(store.range(), ([k, v]) => `${toHex(k)}=${toHex(v)}`)
          expect(found.join()).toBe(sorted.map(([k, v]) => `${k}=${toHex(v)}`).join())
          for (let i = 0; i < 5; i++) {
            const wanted = key(below(150))
            expect(store.get(wanted)).toEqual(model.get(toHex(wanted)))
          }
        }
      }
      const write = (name: string, model: Map<string, Uint8Array>) => {
        const store = state.store(name)
        const wanted = key(below(150))
        const hex = toHex(wanted)
        const value = new Uint8Array(below(60) === 0 ? 300 : below(12)).fill(below(256))
        const what = below(10)
        if (what < 6) {
          if (what < 3) store.get(wanted)
          if (what === 1) store.get(key(below(150)))
          if (what < 5) store.set(wanted, value)
          else store.put(wanted, value)
          model.set(hex, value)
        } else if (what < 9) {
          if (what === 6) store.delete(wanted)
          else if (model.has(hex)) store.remove(wanted)
          model.delete(hex)
        } else if (below(100) === 0) {
          store.clear()
          model.clear()
        }
      }
      const writeSome = () => {
        for (const [name, model] of models) for (let i = below(25); i > 0; i--) write(name, model)
      }
      for (let epoch = 1; epoch <= 30; epoch++) {
        writeSome()
        const committing = state.commit(state.cut())
        clock.other = () => {
          check()
          writeSome()
        }
        await committing
        clock.other = () => {}
        check()
        if (epoch % 4 === 0) await backend.settled()
        if (epoch % 9 === 0) {
          await state.commit(state.cut())
          check()
          await backend.close()
          await start(bufferBytes)
          state = new EpochState(backend, (backend.committedEpoch ?? 0) + 1)
          check()
        }
      }
    },
    60_000,
  )
})
