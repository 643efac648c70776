import { cp, mkdtemp, open, readdir, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareBytes, SeededRandom, type StateBackend, SystemClock, toHex } from '@lanescope/core'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EpochByteStore } from '../../../core/src/state/epoch/EpochByteStore.js'
import { EpochState } from '../../../core/src/state/epoch/EpochState.js'
import { orderedByteStoreContract } from '../../../core/test/orderedByteStoreContract.js'
import { DiskStateBackend, type DiskStateOptions } from './DiskStateBackend.js'
import { DiskStore } from './DiskStore.js'
import { pageKey, storeKey } from './levelLayout.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const key = (i: number) => new TextEncoder().encode(`key-${String(i).padStart(6, '0')}`)
const value = (length: number, fill: number) => new Uint8Array(length).fill(fill)
type Entry = readonly [Uint8Array, Uint8Array | undefined]
const changesOf = (store: string, entries: readonly Entry[], cleared = false) => [{ store, cleared, entries }]

const mark = (epoch: number, ...ends: number[]) => ({ ends, epoch, at: 1_700_000_000_000, topicId: 'cluster/topic' })

let folder: string
let opened: DiskStateBackend[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-state-'))
  opened = []
})

afterEach(async () => {
  for (const backend of opened) await backend.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(options: Partial<DiskStateOptions> = {}, damaged: Error[] = []): Promise<DiskStateBackend> {
  const backend = await DiskStateBackend.open({ folder, clock: new SystemClock(), ...options }, (e) => damaged.push(e))
  opened.push(backend)
  return backend
}

async function stop(backend: DiskStateBackend): Promise<void> {
  opened = opened.filter((other) => other !== backend)
  await backend.close()
}

/** One text instead of thousands of arrays, which would take long to compare. */
function text(entries: Iterable<readonly [Uint8Array, Uint8Array]>): string {
  return Array.from(entries, ([k, v]) => `${toHex(k)}=${toHex(v)}`).join('\n')
}

function listed(backend: StateBackend, store: string): [string, string][] {
  return [...backend.open(store).range()].map(([k, v]) => [toHex(k), toHex(v)])
}

describe('state on disk, under live epochs', () => {
  // The layers above hold all of it; what lies on disk is held to models below.
  const unused = { cached: () => undefined, load: () => bytes(), nextPage: () => 1 }
  orderedByteStoreContract('over a disk store', () => new EpochByteStore('s', new DiskStore('s', unused, 0), () => 1))
})

describe('state on disk', () => {
  it('[E2] has what was committed, over all stores at once, and both marks with it', async () => {
    const backend = await start()
    expect([backend.committedEpoch, backend.names(''), listed(backend, 'a')]).toEqual([undefined, [], []])
    const marks = new Map([['topic', mark(7, 3, 4)]])
    await backend.commit(
      7,
      [
        ...changesOf('b', [
          [bytes(2), bytes(20)],
          [bytes(1), bytes(10)],
        ]),
        ...changesOf('a', [[bytes(9), bytes()]]),
      ],
      marks,
    )
    expect([backend.committedEpoch, backend.changelogMarks]).toEqual([7, marks])
    await stop(backend)
    const again = await start()
    expect([again.committedEpoch, again.changelogMarks, again.names('')]).toEqual([7, marks, ['a', 'b']])
    expect(listed(again, 'b')).toEqual([
      ['01', '0a'],
      ['02', '14'],
    ])
    expect([again.open('b').size, again.open('b').bytes, again.open('a').size]).toEqual([2, 4, 1])
  })

  it('keeps the marks of the last commit that had some', async () => {
    const backend = await start()
    const marks = new Map([['topic', mark(1, 3)]])
    await backend.commit(1, [], marks)
    await backend.commit(2, changesOf('a', [[bytes(1), bytes(1)]]))
    await stop(backend)
    const again = await start()
    expect([again.committedEpoch, again.changelogMarks]).toEqual([2, marks])
  })

  it('names stores that hold entries, in order, and forgets one whose last entry goes', async () => {
    const backend = await start()
    await backend.commit(
      1,
      ['s.2', 's.10', 't'].flatMap((name) => changesOf(name, [[bytes(1), bytes(1)]])),
    )
    expect(backend.names('s.')).toEqual(['s.10', 's.2'])
    await backend.commit(2, changesOf('s.2', [[bytes(1), undefined]]))
    expect(backend.names('s.')).toEqual(['s.10'])
    await stop(backend)
    expect((await start()).names('')).toEqual(['s.10', 't'])
  })

  it('[S8] clears a store with its commit, and deletes what it had for good', async () => {
    const backend = await start()
    await backend.commit(
      1,
      changesOf(
        'a',
        Array.from({ length: 500 }, (_, i) => [key(i), value(20, i)] as const),
      ),
    )
    await backend.commit(2, changesOf('a', [[key(3), bytes(1)]], true))
    expect([backend.open('a').size, listed(backend, 'a')]).toEqual([1, [[toHex(key(3)), '01']]])
    await stop(backend)
    const again = await start()
    expect(listed(again, 'a')).toEqual([[toHex(key(3)), '01']])
    await again.commit(3, changesOf('a', [], true))
    expect([again.names(''), listed(again, 'a')]).toEqual([[], []])
    await stop(again)
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    expect(await db.keys({ gte: bytes(2) }).all()).toEqual([])
    await db.close()
  })

  it('has a page for every key, also when its first page, its last one or all of them have become empty', async () => {
    const backend = await start()
    const some = Array.from({ length: 300 }, (_, i) => i + 100)
    const put = (keys: readonly number[]) =>
      changesOf(
        'a',
        keys.map((i) => [key(i), value(20, i)] as const),
      )
    const remove = (keys: readonly number[]) =>
      changesOf(
        'a',
        keys.map((i) => [key(i), undefined] as const),
      )
    const steps = [
      put(some),
      remove(some.slice(0, 150)),
      put([5]),
      remove(some.slice(150)),
      put([7, 900]),
      remove([5, 7, 900]),
      put([6]),
    ]
    const left: (readonly number[])[] = [some, some.slice(150), [5, ...some.slice(150)], [5], [5, 7, 900], [], [6]]
    let reading = backend
    for (const [i, step] of steps.entries()) {
      await reading.commit(i + 1, step)
      for (const again of [false, true]) {
        if (again) {
          await stop(reading)
          reading = await start({}, [])
        }
        const expected = text((left[i] ?? []).map((k) => [key(k), value(20, k)] as const))
        expect(text(reading.open('a').range())).toBe(expected)
        expect([reading.committedEpoch, reading.open('a').size]).toEqual([i + 1, left[i]?.length])
      }
    }
  })

  it('refuses to be written past a commit', async () => {
    const store = (await start()).open('a')
    for (const write of [
      () => store.put(bytes(1), bytes(1)),
      () => store.set(bytes(1), bytes(1)),
      () => store.delete(bytes(1)),
      () => store.remove(bytes(1)),
      () => store.deleteRange(),
      () => store.clear(),
    ])
      expect(write).toThrow(/"a" on disk is written by commits alone/)
  })

  it('goes on with a range over a commit, by the last key it gave, in both directions', async () => {
    const backend = await start()
    await backend.commit(
      1,
      changesOf(
        'a',
        [2, 4, 6, 8].map((i) => [bytes(i), bytes(i)] as const),
      ),
    )
    const up = backend.open('a').range()[Symbol.iterator]()
    const down = backend.open('a').range({ reverse: true })[Symbol.iterator]()
    const step = (iterator: Iterator<readonly [Uint8Array, Uint8Array]>) => {
      const next = iterator.next()
      return next.done ? undefined : next.value[0][0]
    }
    expect([step(up), step(up), step(down), step(down)]).toEqual([2, 4, 8, 6])
    await backend.commit(
      2,
      changesOf('a', [
        [bytes(3), bytes(3)],
        [bytes(5), bytes(5)],
        [bytes(6), undefined],
      ]),
    )
    expect([step(up), step(up), step(up)]).toEqual([5, 8, undefined])
    expect([step(down), step(down), step(down), step(down), step(down)]).toEqual([5, 4, 3, 2, undefined])
  })

  it.each([
    ['with room for all', 1 << 26],
    ['with room for a few pages', 10_000],
    ['with room for none', 0],
  ])('[E2] agrees with a plain map over commits and restarts, %s', async (_, cacheBytes) => {
    const random = new SeededRandom(cacheBytes + 1)
    const below = (n: number) => Math.floor(random.next() * n)
    const models = new Map<string, Map<string, [Uint8Array, Uint8Array]>>()
    let backend = await start({ cacheBytes })
    for (let epoch = 1; epoch <= 40; epoch++) {
      const changes = ['a', 'b'].map((store) => {
        const model = models.get(store) ?? new Map<string, [Uint8Array, Uint8Array]>()
        models.set(store, model)
        const cleared = below(15) === 0
        if (cleared) model.clear()
        const entries = new Map<string, Entry>()
        for (let i = below(epoch % 5 === 0 ? 900 : 60); i > 0; i--) {
          const k = key(below(2_500))
          const v = below(3) === 0 ? undefined : value(below(40), epoch)
          entries.set(toHex(k), [k, v])
          if (v === undefined) model.delete(toHex(k))
          else model.set(toHex(k), [k, v])
        }
        return { store, cleared, entries: [...entries.values()] }
      })
      await backend.commit(epoch, changes)
      if (epoch % 7 === 0) {
        await stop(backend)
        backend = await start({ cacheBytes })
      }
      for (const [name, model] of models) {
        const sorted = [...model.values()].sort(([a], [b]) => compareBytes(a, b))
        const store = backend.open(name)
        const [from, to] = [key(below(2_500)), key(below(2_500))]
        const inRange = sorted.filter(([k]) => compareBytes(k, from) >= 0 && compareBytes(k, to) < 0)
        expect(text(store.range())).toBe(text(sorted))
        expect(text(store.range({ from, to }))).toBe(text(inRange))
        expect(text(store.range({ from, to, reverse: true }))).toBe(text(inRange.reverse()))
        expect(text(store.range({ reverse: true }))).toBe(text([...sorted].reverse()))
        expect([store.size, store.bytes]).toEqual([
          sorted.length,
          sorted.reduce((sum, [k, v]) => sum + k.length + v.length, 0),
        ])
        for (let i = 0; i < 20; i++) {
          const k = key(below(2_500))
          expect(toHex(store.get(k) ?? key(0))).toBe(toHex(model.get(toHex(k))?.[1] ?? key(0)))
        }
      }
    }
  })

  it('[E2] serves an epoch state: two live epochs above it, an abort, a new incarnation', async () => {
    const backend = await start()
    const first = new EpochState(backend, 1)
    for (let i = 0; i < 300; i++) first.store('a').put(key(i), value(8, 1))
    await first.commit(first.cut())
    first.store('a').put(key(5), value(8, 2))
    const cut = first.cut()
    first.store('a').delete(key(6))
    const committing = first.commit(cut)
    expect([first.store('a').get(key(5))?.[0], first.store('a').get(key(6)), first.store('a').size]).toEqual([
      2,
      undefined,
      299,
    ])
    await committing
    expect(first.store('a').size).toBe(299)
    first.abort()
    const second = new EpochState(backend, 3)
    expect([second.store('a').get(key(5))?.[0], second.store('a').get(key(6))?.[0], second.store('a').size]).toEqual([
      2, 1, 300,
    ])
  })
})

describe('what state on disk is rebuilt from', () => {
  it('[E6] [E11] [G-93] is no whole state from the first restore on, over a crash too, until the next commit', async () => {
    const backend = await start()
    await backend.commit(3, changesOf('a', [[bytes(1), bytes(1)]]), new Map([['t', mark(3, 1)]]))
    await Promise.all([
      backend.restore(
        changesOf('a', [
          [bytes(2), bytes(2)],
          [bytes(8), undefined],
        ]),
      ),
      backend.restore(changesOf('b', [[bytes(1), bytes(1)]])),
    ])
    expect(backend.committedEpoch).toBeUndefined()
    await stop(backend)
    const again = await start()
    expect(again.committedEpoch).toBeUndefined()
    await again.restore(changesOf('a', [[bytes(1), undefined]]))
    await again.commit(4, [], new Map([['t', mark(4, 2)]]))
    expect([again.committedEpoch, listed(again, 'a'), listed(again, 'b')]).toEqual([4, [['02', '02']], [['01', '01']]])
  })

  it('[E6] takes what is replayed record by record, in order', async () => {
    const backend = await start()
    const one = (store: string, k: number, v?: number) =>
      changesOf(store, [[bytes(k), v === undefined ? undefined : bytes(v)]])
    await backend.restore([...one('a', 1, 1), ...one('b', 1, 9), ...one('a', 2, 1), ...one('a', 1, 2), ...one('a', 2)])
    await backend.restore([...one('a', 3, 1), ...changesOf('b', [], true), ...one('b', 2, 1), ...one('b', 2, 2)])
    await backend.commit(1, [])
    expect([listed(backend, 'a'), listed(backend, 'b')]).toEqual([
      [
        ['01', '02'],
        ['03', '01'],
      ],
      [['02', '02']],
    ])
    expect(backend.open('a').size).toBe(2)
  })

  it('[E11] begins empty after a reset, and goes on from there', async () => {
    const backend = await start()
    const store = backend.open('a')
    await backend.commit(
      3,
      changesOf(
        'a',
        Array.from({ length: 300 }, (_, i) => [key(i), value(20, i)] as const),
      ),
    )
    await backend.reset()
    expect([backend.committedEpoch, backend.names(''), store.size, [...store.range()]]).toEqual([undefined, [], 0, []])
    await stop(backend)
    const again = await start()
    expect([again.committedEpoch, again.names('')]).toEqual([undefined, []])
    await again.commit(1, changesOf('a', [[bytes(1), bytes(1)]]))
    expect(listed(again, 'a')).toEqual([['01', '01']])
  })
})

describe('state on disk that is damaged', () => {
  const marked = new Map([
    ['a', mark(5, 3)],
    ['b', mark(5, 4)],
  ])

  async function filled(): Promise<void> {
    const backend = await start()
    const entries = Array.from({ length: 2_000 }, (_, i) => [key(i), value(50, i)] as const)
    await backend.commit(5, [...changesOf('a', entries), ...changesOf('b', entries)], marked)
    await stop(backend)
  }

  async function change(work: (db: ClassicLevel<Uint8Array, Uint8Array>) => Promise<unknown>): Promise<void> {
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    await work(db)
    await db.close()
  }

  it('[E11] tells of a page whose checksum is wrong when it is read, and is no state from then on', async () => {
    await filled()
    await change(async (db) => {
      const at = pageKey(1, bytes())
      const page = Uint8Array.from((await db.get(at)) as Uint8Array)
      page[20] = (page[20] as number) ^ 1
      await db.put(at, page)
    })
    const backend = await start()
    expect(backend.committedEpoch).toBe(5)
    const read = () => backend.open('a').get(key(0))
    expect(read).toThrow(/damaged: the checksum of a page is wrong in "a"\. It is rebuilt from the changelogs/)
    expect(read).toThrow(expect.objectContaining({ code: 'STATE_CORRUPT', retriable: true, context: { store: 'a' } }))
    expect([backend.committedEpoch, backend.damaged]).toEqual([undefined, ['a']])
    await expect(backend.commit(6, [])).rejects.toMatchObject({ code: 'STATE_CORRUPT' })
    await backend.reset()
    await backend.commit(6, changesOf('a', [[key(0), bytes(1)]]))
    expect([backend.committedEpoch, backend.open('a').get(key(0))]).toEqual([6, bytes(1)])
  })

  it.each([
    ['a page is missing', (db: ClassicLevel<Uint8Array, Uint8Array>) => db.del(pageKey(1, bytes()))],
    ['its head is damaged', (db: ClassicLevel<Uint8Array, Uint8Array>) => db.put(storeKey('a'), bytes(1, 2, 3, 4, 5))],
  ])(
    '[E11] opens with a store that is damaged when %s, keeps the others, and takes it again once it is cleared',
    async (_, damage) => {
      await filled()
      await change(damage)
      const backend = await start()
      expect([backend.damaged, backend.committedEpoch]).toEqual([['a'], undefined])
      expect(backend.changelogMarks).toEqual(marked)
      await expect(backend.commit(6, [])).rejects.toMatchObject({ code: 'STATE_CORRUPT', context: { store: 'a' } })
      await expect(backend.restore(changesOf('b', [], true))).rejects.toMatchObject({ code: 'STATE_CORRUPT' })
      await backend.restore(changesOf('a', [], true), marked)
      expect([backend.damaged, backend.committedEpoch, backend.changelogMarks]).toEqual([[], undefined, marked])
      await backend.commit(6, changesOf('a', [[bytes(1), bytes(1)]]))
      expect([backend.committedEpoch, listed(backend, 'a'), backend.open('b').size]).toEqual([6, [['01', '01']], 2_000])
      await stop(backend)
      const again = await start()
      expect([again.damaged, again.committedEpoch, listed(again, 'a'), again.open('b').size]).toEqual([
        [],
        6,
        [['01', '01']],
        2_000,
      ])
      expect([...again.open('b').range()].every(([, v]) => v.length === 50)).toBe(true)
    },
  )

  it('[E11] opens as none when its head is missing, and says so', async () => {
    await filled()
    await change((db) => db.del(bytes(0)))
    const damaged: Error[] = []
    const backend = await start({}, damaged)
    expect([damaged.length, damaged[0]?.message]).toEqual([1, expect.stringMatching(/its head is missing/)])
    expect([backend.committedEpoch, backend.names('')]).toEqual([undefined, []])
    await backend.commit(1, changesOf('a', [[bytes(1), bytes(1)]]))
    expect(listed(backend, 'a')).toEqual([['01', '01']])
  })

  it('[E11] never gives other bytes than were written, wherever a file is cut short or changed', async () => {
    await filled()
    const intact = await mkdtemp(join(tmpdir(), 'lanescope-intact-'))
    await cp(folder, intact, { recursive: true })
    const random = new SeededRandom(4)
    for (let round = 0; round < 12; round++) {
      await rm(folder, { recursive: true })
      await cp(intact, folder, { recursive: true })
      const files = (await readdir(folder)).filter((name) => /\.(ldb|log)$|MANIFEST/.test(name))
      const path = join(folder, files[Math.floor(random.next() * files.length)] as string)
      const file = await open(path, 'r+')
      const { size } = await file.stat()
      if (round % 2 === 0) await file.write(bytes(round + 1), 0, 1, Math.floor(random.next() * size))
      await file.close()
      if (round % 2 === 1) await truncate(path, Math.floor(random.next() * size))
      const backend = await start()
      try {
        if (backend.committedEpoch === undefined) continue
        for (const name of ['a', 'b']) {
          const entries = [...backend.open(name).range()]
          expect(entries).toHaveLength(2_000)
          expect(entries.every(([, v], i) => v.length === 50 && v.every((byte) => byte === (i & 255)))).toBe(true)
        }
      } catch (error) {
        expect(error).toMatchObject({ code: 'STATE_CORRUPT' })
      } finally {
        await stop(backend)
      }
    }
    await rm(intact, { recursive: true })
  })

  it('[E5] is one process’s at a time', async () => {
    await start()
    await expect(start()).rejects.toMatchObject({
      code: 'STATE_LOCKED',
      message: expect.stringContaining(`Another process has the state in ${folder} open`),
    })
  })

  it('says so when the folder cannot be used', async () => {
    const file = join(folder, 'file')
    await (await open(file, 'w')).close()
    await expect(start({ folder: join(file, 'state') })).rejects.toMatchObject({ code: 'STATE_UNAVAILABLE' })
  })
})
