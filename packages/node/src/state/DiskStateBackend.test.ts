import { appendFile, cp, mkdtemp, open, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
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
import { pieceKey, runKey, seal, storeKey } from './levelLayout.js'
import { PageCache } from './PageCache.js'
import { Runs } from './Runs.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const key = (i: number) => new TextEncoder().encode(`key-${String(i).padStart(6, '0')}`)
const value = (length: number, fill: number) => new Uint8Array(length).fill(fill)
type Entry = readonly [Uint8Array, Uint8Array | undefined]
const changesOf = (store: string, entries: readonly Entry[], cleared = false) => [{ store, cleared, entries }]

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

async function runFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.run'))
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
  const unused = { runs: new Runs(new PageCache(0)), check: () => {}, failed: () => new Error('no read fails') }
  orderedByteStoreContract('over a disk store', () => new EpochByteStore('s', new DiskStore('s', unused), () => 1))
})

describe('state on disk', () => {
  it('[E2] has what was committed, over all stores at once, and both marks with it', async () => {
    const backend = await start()
    expect([backend.committedEpoch, backend.names(''), listed(backend, 'a')]).toEqual([undefined, [], []])
    const ends = new Map([['topic', { ends: [3, 4], epoch: 7, at: 5, topicId: 'id' }]])
    await backend.commit(
      7,
      [
        ...changesOf('b', [
          [bytes(2), bytes(20)],
          [bytes(1), bytes(10)],
        ]),
        ...changesOf('a', [[bytes(9), bytes()]]),
      ],
      ends,
    )
    expect([backend.committedEpoch, backend.changelogMarks]).toEqual([7, ends])
    await stop(backend)
    const again = await start()
    expect([again.committedEpoch, again.changelogMarks, again.names('')]).toEqual([7, ends, ['a', 'b']])
    expect(listed(again, 'b')).toEqual([
      ['01', '0a'],
      ['02', '14'],
    ])
    expect([again.open('b').size, again.open('b').bytes, again.open('a').size]).toEqual([2, 4, 1])
  })

  it('keeps the marks of the last commit that had some', async () => {
    const backend = await start()
    const ends = new Map([['topic', { ends: [3], epoch: 1, at: 5 }]])
    await backend.commit(1, [], ends)
    await backend.commit(2, changesOf('a', [[bytes(1), bytes(1)]]))
    await stop(backend)
    const again = await start()
    expect([again.committedEpoch, again.changelogMarks]).toEqual([2, ends])
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
    const backend = await start({ bufferBytes: 1 })
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
    const again = await start({ bufferBytes: 1 })
    expect(listed(again, 'a')).toEqual([[toHex(key(3)), '01']])
    await again.commit(3, changesOf('a', [], true))
    expect([again.names(''), listed(again, 'a')]).toEqual([[], []])
    await again.commit(4, changesOf('b', [[key(1), bytes(1)]]))
    await again.commit(5, changesOf('b', [[key(1), undefined]]))
    await again.settled()
    await stop(again)
    expect(await runFiles()).toEqual([])
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    expect((await db.keys().all()).map((name) => toHex(name))).toEqual(['00'])
    await db.close()
  })

  it.each([
    ['in memory', 1 << 26],
    ['in runs', 1],
  ])(
    'has what is left %s, also when its first entries, its last ones or all of them have gone',
    async (_, bufferBytes) => {
      const backend = await start({ bufferBytes })
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
            reading = await start({ bufferBytes })
          }
          const expected = text((left[i] ?? []).map((k) => [key(k), value(20, k)] as const))
          expect(text(reading.open('a').range())).toBe(expected)
          expect([reading.committedEpoch, reading.open('a').size]).toEqual([i + 1, left[i]?.length])
        }
      }
    },
  )

  it('keeps on disk about what there is, however much has been replaced and deleted', async () => {
    const backend = await start({ bufferBytes: 1 })
    const some = (length: number) => Array.from({ length: 1_000 }, (_, i) => [key(i), value(length, i)] as const)
    await backend.commit(1, changesOf('a', some(100)))
    await backend.settled()
    // What is in a run is no longer in memory.
    expect((backend.open('a') as DiskStore).frozen).toBeUndefined()
    const gone = Array.from({ length: 999 }, (_, i) => [key(i), undefined] as const)
    await backend.commit(2, changesOf('a', gone))
    await backend.settled()
    for (let epoch = 3; epoch < 5; epoch++) {
      await backend.commit(epoch, changesOf('b', [[key(epoch), bytes(1)]]))
      await backend.settled()
    }
    const sizes = await Promise.all((await runFiles()).map(async (name) => (await stat(join(folder, name))).size))
    // Marks of what was deleted would be 12,000.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000)
    expect(listed(backend, 'a')).toEqual([[toHex(key(999)), toHex(value(100, 999))]])
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

  it.each([
    ['in memory', 1 << 26],
    ['in runs', 1],
  ])('goes on with a range over a commit, by the last key it gave, in both directions, %s', async (_, bufferBytes) => {
    const backend = await start({ bufferBytes })
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
    ['all of it in memory', 1 << 26, 1 << 26],
    ['runs now and then, room for a few pages', 20_000, 10_000],
    ['a run at each commit, room for no page', 1, 0],
  ])('[E2] agrees with a plain map over commits and restarts, %s', async (_, bufferBytes, cacheBytes) => {
    const random = new SeededRandom(cacheBytes + 1)
    const below = (n: number) => Math.floor(random.next() * n)
    const models = new Map<string, Map<string, [Uint8Array, Uint8Array]>>()
    let backend = await start({ bufferBytes, cacheBytes })
    for (let epoch = 1; epoch <= 36; epoch++) {
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
      if (epoch % 3 === 0) await backend.settled()
      if (epoch % 7 === 0) {
        await stop(backend)
        backend = await start({ bufferBytes, cacheBytes })
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
    await backend.commit(3, changesOf('a', [[bytes(1), bytes(1)]]), new Map([['t', { ends: [1], epoch: 3, at: 0 }]]))
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
    await again.commit(4, [], new Map([['t', { ends: [2], epoch: 4, at: 0 }]]))
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
  /** Two stores, the one in runs and the other in the log; the runs, newest first. */
  async function filled(): Promise<void> {
    const backend = await start({ bufferBytes: 1 })
    const entries = Array.from({ length: 2_000 }, (_, i) => [key(i), value(50, i)] as const)
    await backend.commit(4, changesOf('a', entries))
    await backend.settled()
    await stop(backend)
    const again = await start()
    await again.commit(5, [...changesOf('b', entries), ...changesOf('c', [[key(1), bytes(1)]])])
    await stop(again)
  }

  async function change(work: (db: ClassicLevel<Uint8Array, Uint8Array>) => Promise<unknown>): Promise<void> {
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    await work(db)
    await db.close()
  }

  async function turnByte(name: string, at: number): Promise<void> {
    const file = await open(join(folder, name), 'r+')
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, at)
    await file.write(bytes((buffer[0] as number) ^ 1), 0, 1, at)
    await file.close()
  }

  const damagedIn = (store: string) =>
    expect.objectContaining({ code: 'STATE_CORRUPT', retriable: true, context: { store } })

  it.each([
    ['an entry', 20],
    ['the last byte of a page', 1_987],
  ])('[E11] tells of a page whose checksum is wrong when it is read, by %s, and refuses the store', async (_, at) => {
    await filled()
    await turnByte((await runFiles())[0] as string, at)
    const backend = await start()
    expect([backend.committedEpoch, backend.damaged]).toEqual([5, []])
    const read = () => backend.open('a').get(key(0))
    expect(read).toThrow(/damaged: the checksum of a page is wrong in "a"\. It is rebuilt from the changelogs/)
    expect(backend.damaged).toEqual(['a'])
    expect(read).toThrow(damagedIn('a'))
    // Of all of it, because nobody knows what else is wrong there.
    expect(() => backend.open('a').get(key(1_999))).toThrow(damagedIn('a'))
    expect(() => [...backend.open('a').range()]).toThrow(damagedIn('a'))
    expect(backend.open('b').get(key(7))).toEqual(value(50, 7))
    await expect(backend.commit(6, [])).rejects.toEqual(damagedIn('a'))
    await expect(backend.restore(changesOf('b', [], true))).rejects.toEqual(damagedIn('a'))
    await backend.restore(changesOf('a', [[key(0), bytes(1)]], true))
    await backend.commit(6, [])
    expect([backend.damaged, backend.committedEpoch, listed(backend, 'a')]).toEqual([[], 6, [[toHex(key(0)), '01']]])
    expect(backend.open('b').size).toBe(2_000)
  })

  it('[E11] tells of a damaged page that a range or a merge meets, as well', async () => {
    await filled()
    await turnByte((await runFiles())[0] as string, 20)
    const ranging = await start()
    expect(() => [...ranging.open('a').range()]).toThrow(damagedIn('a'))
    expect(ranging.damaged).toEqual(['a'])
    await stop(ranging)
    const backend = await start({ bufferBytes: 1 })
    const again = Array.from({ length: 2_000 }, (_, i) => [key(i), value(50, 1)] as const)
    for (let epoch = 6; backend.damaged.length === 0 && epoch < 20; epoch++) {
      await backend.commit(epoch, changesOf('b', again))
      await backend.settled()
    }
    expect(backend.damaged).toEqual(['a'])
    await expect(backend.commit(20, [])).rejects.toEqual(damagedIn('a'))
    await backend.restore(changesOf('a', [], true))
    await backend.commit(21, changesOf('b', again))
    await backend.settled()
    expect([backend.damaged, backend.open('a').size, text(backend.open('b').range())]).toEqual([[], 0, text(again)])
  })

  it('[S4] drops a store without reading its entries, and its run once nothing else is in it', async () => {
    await filled()
    const [run = ''] = await runFiles()
    for (const page of [20, 2_020, 4_020]) await turnByte(run, page)
    const backend = await start({ bufferBytes: 1 })
    await backend.commit(6, changesOf('a', [], true))
    for (let epoch = 7; epoch < 12; epoch++) {
      await backend.commit(epoch, changesOf('b', [[key(epoch), bytes(epoch)]]))
      await backend.settled()
    }
    expect([backend.damaged, backend.names(''), await runFiles()]).toEqual([
      [],
      ['b', 'c'],
      expect.not.arrayContaining([run]),
    ])
    expect(backend.open('b').size).toBe(2_000)
  })

  it.each<[string, (db: ClassicLevel<Uint8Array, Uint8Array>) => Promise<unknown>, RegExp]>([
    ['a head is damaged', (db) => db.put(storeKey('a'), bytes(1, 2, 3, 4, 5)), /checksum of a head/],
    ['its head is missing', (db) => db.del(bytes(0)), /its head is missing/],
    ['a run is not listed', (db) => db.del(runKey(1)), /0 of 1 runs are there/],
    ['the first piece of its log is missing', (db) => db.del(pieceKey(1)), /checksum of a piece of its log/],
    ['the last piece of its log is missing', (db) => db.del(pieceKey(2)), /its log ends at \d of \d/],
    [
      'a piece of its log is damaged',
      (db) => db.put(pieceKey(1), bytes(1, 2, 3, 4, 5)),
      /checksum of a piece of its log/,
    ],
    [
      'its log is too long',
      (db) => db.put(pieceKey(3), seal(pieceKey(3), bytes(1, 2, 3, 4))),
      /longer than its head says/,
    ],
    [
      'it is in an older format',
      async (db) =>
        db.put(bytes(0), seal(bytes(0), new TextEncoder().encode('{"format":1,"epoch":3,"ends":{},"nextId":2}'))),
      /written in format 1/,
    ],
  ])('[E11] opens as none when %s, and says so', async (_, damage, what) => {
    await filled()
    await change(damage)
    await opensAsNone(what)
  })

  it.each<[string, (run: string) => Promise<unknown>, RegExp]>([
    ['missing', (run) => rm(join(folder, run)), /file of run 1 is missing/],
    [
      'too short',
      async (run) => truncate(join(folder, run), (await stat(join(folder, run))).size - 1),
      /not its length/,
    ],
    ['too long', (run) => appendFile(join(folder, run), bytes(0)), /not its length/],
    [
      'damaged in its index',
      async (run) => turnByte(run, (await stat(join(folder, run))).size - 3),
      /checksum of the index of run 1/,
    ],
  ])('[E11] opens as none when the file of a run is %s', async (_, damage, what) => {
    await filled()
    await damage((await runFiles())[0] as string)
    await opensAsNone(what)
  })

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'the list of its files is missing',
      async () => rm(join(folder, (await readdir(folder)).find((name) => name.startsWith('MANIFEST')) as string)),
      /MANIFEST-\d+: No such file/,
    ],
    ['its head names another list', () => writeFile(join(folder, 'CURRENT'), 'none\n'), /none: No such file/],
  ])('[E11] opens as none when %s, and says so', async (_, damage, what) => {
    await filled()
    await damage()
    await opensAsNone(what)
  })

  async function opensAsNone(what: RegExp): Promise<void> {
    const damaged: Error[] = []
    const backend = await start({}, damaged)
    expect([damaged.length, damaged[0]?.message]).toEqual([1, expect.stringMatching(what)])
    expect([backend.committedEpoch, backend.names(''), await runFiles()]).toEqual([undefined, [], []])
    await backend.commit(1, changesOf('a', [[bytes(1), bytes(1)]]))
    expect(listed(backend, 'a')).toEqual([['01', '01']])
    await stop(backend)
    const again = await start({}, damaged)
    expect([damaged.length, again.committedEpoch]).toEqual([1, 1])
  }

  it('[E11] never gives other bytes than were written, wherever a file is cut short or changed', async () => {
    await filled()
    const intact = await mkdtemp(join(tmpdir(), 'lanescope-intact-'))
    await cp(folder, intact, { recursive: true })
    const random = new SeededRandom(4)
    for (let round = 0; round < 24; round++) {
      await rm(folder, { recursive: true })
      await cp(intact, folder, { recursive: true })
      const files = (await readdir(folder)).filter((name) => /\.(ldb|log|run)$|MANIFEST/.test(name))
      const path = join(folder, files[round % files.length] as string)
      const file = await open(path, 'r+')
      const { size } = await file.stat()
      if (round % 5 !== 0) await file.write(bytes(round + 1), 0, 1, Math.floor(random.next() * size))
      await file.close()
      if (round % 5 === 0) await truncate(path, Math.floor(random.next() * size))
      const backend = await start()
      try {
        if (backend.committedEpoch === undefined) continue
        // What is cut off from the end of LevelDB's own log never counted: an earlier commit is a whole state.
        const whole = backend.committedEpoch === 5 ? ['a', 'b'] : ['a']
        for (const name of whole) {
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
