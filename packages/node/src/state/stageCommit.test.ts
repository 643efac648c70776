import { arePacked, NO_VALUE, NOT_LOOKED_UP, type PackedChanges, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { EpochLayer } from '../../../core/src/state/epoch/EpochLayer.js'
import { DiskStore } from './DiskStore.js'
import { type Change, EntryView } from './entry.js'
import { ListedChanges } from './ListedChanges.js'
import { isSealed, pieceKey } from './levelLayout.js'
import { entriesOfPiece, LogPart, PieceWriter, storeOfPiece } from './logPieces.js'
import { PageCache } from './PageCache.js'
import { Runs } from './Runs.js'
import { byStore, NONE, type StorePlan, stageCommit } from './stageCommit.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const listed = (...changes: (readonly [number, number[] | undefined])[]) =>
  new ListedChanges(changes.map(([key, value]): Change => [bytes(key), value && bytes(...value)]))

/** A store, and what commits log of it. */
class Stored {
  readonly runs = new Runs(new PageCache(0))
  readonly store = new DiskStore('s', { runs: this.runs, check: () => {}, failed: (error) => error as Error })
  readonly log = new LogPart(0)
  readonly writer = new PieceWriter()
  turns = 0

  async stage(changes: PackedChanges, id = this.store.id): Promise<StorePlan> {
    return stageCommit(this.store, changes, id, {
      pieces: this.log.pieces,
      writer: this.writer,
      endPiece: (store) => this.log.stage(this.writer.take(store, this.log.pieces.length)),
      pause: async () => {
        this.turns++
      },
    })
  }

  async commit(changes: PackedChanges, id = this.store.id): Promise<void> {
    const { head, staged } = await this.stage(changes, id)
    this.store.become(head, staged)
    await staged?.sweep(async () => {})
  }

  /** What a piece of the log says. */
  logged(number: number): [string, string | undefined][] {
    const piece = this.log.pieces[number] as Uint8Array
    expect([isSealed(pieceKey(number), piece), storeOfPiece(piece)]).toEqual([true, this.store.id])
    const view = new EntryView()
    const [start, end] = entriesOfPiece(piece)
    const all: [string, string | undefined][] = []
    for (let at = start; at < end; at = view.end) {
      view.set(piece, at)
      all.push([toHex(view.key), view.isDeleted ? undefined : toHex(view.value)])
    }
    return all
  }

  has(): string[] {
    return [...this.store.range()].map(([key, value]) => `${toHex(key)}=${toHex(value)}`)
  }
}

async function filled(...changes: Parameters<typeof listed>): Promise<Stored> {
  const stored = new Stored()
  await stored.commit(listed(...changes), 4)
  return stored
}

describe('the commit of a store', () => {
  it('logs nothing where nothing changes', async () => {
    const stored = await filled([1, [1]])
    await stored.commit(listed([7, undefined]))
    expect([stored.log.pieces.length, stored.has()]).toEqual([1, ['01=01']])
  })

  it('logs each change once, in order, without deletions of what is not there, and counts', async () => {
    const stored = await filled([1, [1]], [2, [2]], [3, [3]])
    await stored.commit(
      listed([9, [9, 9]], [2, undefined], [7, undefined], [1, [5]], [1, [6, 6, 6]], [8, [8]], [8, undefined]),
    )
    expect(stored.logged(1)).toEqual([
      ['01', '060606'],
      ['02', undefined],
      ['09', '0909'],
    ])
    expect(stored.store.head).toEqual({ id: 4, size: 3, bytes: 4 + 2 + 3 })
    expect(stored.has()).toEqual(['01=060606', '03=03', '09=0909'])
  })

  it('is seen by nobody before it counts, and can come to nothing', async () => {
    const stored = await filled([1, [1]], [2, [2]])
    const { staged } = await stored.stage(listed([1, [5]], [2, undefined], [3, [3]]))
    expect([stored.has(), stored.store.size, stored.store.get(bytes(3))]).toEqual([['01=01', '02=02'], 2, undefined])
    staged?.abandon()
    await stored.commit(listed([2, undefined], [3, [7]]))
    expect([stored.has(), stored.store.size, stored.store.bytes]).toEqual([['01=01', '03=07'], 2, 4])
  })

  it('[S8] begins with nothing under another id', async () => {
    const stored = await filled([1, [1]], [2, [2]])
    const { head, staged } = await stored.stage(listed([1, [1]], [2, undefined]), 5)
    expect([head, stored.has()]).toEqual([{ id: 5, size: 1, bytes: 2 }, ['01=01', '02=02']])
    stored.store.become(head, staged)
    expect([stored.has(), stored.logged(1)]).toEqual([['01=01'], [['01', '01']]])
  })

  it.each([
    ['by name', listed([1, undefined], [2, undefined])],
    ['with others that were not there', listed([0, undefined], [1, undefined], [2, undefined], [3, undefined])],
  ])('leaves nothing of a store that becomes empty, neither logged nor in memory, %s', async (_, changes) => {
    const stored = await filled([1, [1]], [2, [2]])
    expect(await stored.stage(changes)).toEqual({ store: stored.store, head: NONE, staged: undefined })
    expect([stored.log.pieces.length, stored.writer.isEmpty]).toEqual([1, true])
    await stored.commit(changes)
    expect([stored.has(), stored.store.id]).toEqual([[], 0])
  })

  it.each([
    ['one is left', listed([1, undefined], [5, undefined]), ['02=02']],
    ['one comes', listed([1, undefined], [2, undefined], [3, [3]]), ['03=03']],
  ])('leaves what there is when %s', async (_, changes, left) => {
    const stored = await filled([1, [1]], [2, [2]])
    await stored.commit(changes)
    expect([stored.has(), stored.store.size, stored.store.id]).toEqual([left, 1, 4])
  })

  it('believes what a change says of what it takes the place of, and looks where it says nothing', async () => {
    const stored = await filled([1, [1]], [2, [2]], [3, [3]])
    const layer = new EpochLayer(1)
    layer.add(1, bytes(1), bytes(10, 10), 1)
    layer.add(2, bytes(2), undefined, NOT_LOOKED_UP)
    layer.add(4, bytes(4), undefined, NO_VALUE)
    layer.add(5, bytes(5), bytes(50), NO_VALUE)
    layer.add(6, bytes(6), bytes(60), NOT_LOOKED_UP)
    const placed = stored.store.get(bytes(3)) && stored.store.place
    layer.add(3, bytes(3), bytes(), 1, placed)
    expect([arePacked(layer), placed]).toEqual([true, expect.any(Number)])
    await stored.commit(layer)
    expect(stored.has()).toEqual(['01=0a0a', '03=', '05=32', '06=3c'])
    expect([stored.store.size, stored.store.bytes]).toEqual([4, 3 + 1 + 2 + 2])
  })

  it('deletes what it knows the place of', async () => {
    const stored = await filled([1, [1]], [2, [2]])
    const layer = new EpochLayer(1)
    stored.store.get(bytes(2))
    layer.add(2, bytes(2), undefined, 1, stored.store.place)
    await stored.commit(layer)
    await stored.commit(listed([3, [3]]))
    expect([stored.has(), stored.store.get(bytes(2)), stored.store.size]).toEqual([['01=01', '03=03'], undefined, 2])
  })

  it.each<[string, (stored: Stored) => Promise<void>, string[]]>([
    ['written to a run meanwhile', async ({ store }) => store.freeze(), ['01=01', '02=07', '08=08', '09=09']],
    ['emptied meanwhile', (stored) => stored.commit(listed(), 5), ['02=07', '08=08', '09=09']],
  ])('does not take a place for that of another key where what was there is %s', async (_, meanwhile, left) => {
    const stored = await filled([1, [1]], [2, [2]])
    stored.store.get(bytes(2))
    const { place } = stored.store
    await meanwhile(stored)
    await stored.commit(listed([8, [8]], [9, [9]]), stored.store.id || 6)
    const layer = new EpochLayer(1)
    layer.add(2, bytes(2), bytes(7), NOT_LOOKED_UP, place)
    await stored.commit(layer)
    expect([stored.has(), stored.store.size]).toEqual([left, left.length])
  })

  it('fills pieces of a length, and gives what is longer one of its own', async () => {
    const long = (length: number, fill: number): Change => [bytes(fill), new Uint8Array(length).fill(fill)]
    const stored = new Stored()
    await stored.commit(
      new ListedChanges([
        long(9, 1),
        long(9, 2),
        long(200_000, 3),
        long(61_000, 4),
        long(2_000, 5),
        long(300_000, 6),
        long(9, 7),
      ]),
      4,
    )
    expect(stored.log.pieces.map((_, i) => stored.logged(i).map(([key]) => key))).toEqual([
      ['01', '02', '03', '04'],
      ['05'],
      ['06'],
      ['07'],
    ])
    expect(stored.log.pieces.every(({ length }) => length <= 256 * 1024 || length > 300_000)).toBe(true)
    expect(stored.has().map((entry) => entry.length)).toEqual(
      [9, 9, 200_000, 61_000, 2_000, 300_000, 9].map((n) => 3 + 2 * n),
    )
  })

  it.each([
    [262_126, 1],
    [262_127, 2],
  ])('fills a piece up to its last byte: two values of %d bytes make %d', async (length, pieces) => {
    const stored = new Stored()
    const value = (size: number) => new Uint8Array(size)
    await stored.commit(
      new ListedChanges([
        [bytes(1), value(100_000)],
        [bytes(2), value(length - 100_000)],
      ]),
      4,
    )
    expect(stored.log.pieces.length).toBe(pieces)
    expect(Math.max(...stored.log.pieces.map((piece) => piece.length))).toBeLessThanOrEqual(256 * 1024)
  })

  it('lets others have their turn among many changes', async () => {
    const stored = new Stored()
    const many = Array.from({ length: 1_280 }, (_, i): readonly [number, number[]] => [i & 255, [i >> 8]])
    await stored.stage(new ListedChanges(many.map(([key, [more = 0]]): Change => [bytes(key, more), bytes(1)])), 4)
    expect(stored.turns).toBeGreaterThanOrEqual(10)
  })
})

describe('changes by store', () => {
  const changes = (...entries: (readonly [number, number[] | undefined])[]) => ({
    store: 's',
    cleared: false,
    entries: [...listed(...entries)],
  })
  const keys = (all: PackedChanges) => [...all].map(([key]) => key[0])

  it('come in the order given, and those before a store was cleared do not count', () => {
    const grouped = byStore([
      changes([1, [1]]),
      { ...changes([5, [5]]), store: 't' },
      changes([2, [2]]),
      { ...changes([3, [3]]), cleared: true },
      changes([4, [4]]),
    ])
    expect(grouped.map(({ store, cleared, changes }) => [store, cleared, keys(changes)])).toEqual([
      ['s', true, [3, 4]],
      ['t', false, [5]],
    ])
  })

  it('are left where they lie, unless others of the same store follow', () => {
    const [first, second] = [listed([1, [1]]), listed([2, [2]])]
    const [alone] = byStore([{ store: 's', cleared: false, entries: first }])
    expect(alone?.changes).toBe(first)
    const [both] = byStore([
      { store: 's', cleared: true, entries: first },
      { store: 's', cleared: false, entries: second },
      changes([3, [3]]),
    ])
    expect([both?.cleared, both && keys(both.changes)]).toEqual([true, [1, 2, 3]])
  })
})
