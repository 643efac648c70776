import { compareBytes, NO_VALUE, NOT_LOOKED_UP, SeededRandom, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { packEntries } from '../../test/packEntries.js'
import { ChangeBuffer } from './ChangeBuffer.js'
import { BufferSource } from './EntrySource.js'
import type { Change } from './entry.js'
import { hashKey } from './KeyFilter.js'
import { MergedRange } from './MergedRange.js'
import type { Runs } from './Runs.js'
import { StagedChanges } from './StagedChanges.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const STORE = 7
const noPause = async () => {}
/** Anything may be in a run. */
const older = {
  frozen: undefined,
  runs: { mayHave: () => true } as unknown as Runs,
  failed: (e: unknown) => e as Error,
}

/** A buffer with its pieces, as commits fill it. */
class Filled {
  readonly pieces: Uint8Array[] = []
  readonly buffer: ChangeBuffer

  constructor(firstPlace?: number) {
    this.buffer = new ChangeBuffer(this.pieces, firstPlace)
  }

  async commit(...changes: Change[]): Promise<void> {
    await this.show(await this.stage(...changes))
  }

  /** Takes changes in, up to where they count. */
  async stage(...changes: Change[]): Promise<StagedChanges> {
    const sorted = [...changes].sort(([a], [b]) => compareBytes(a, b))
    const { bytes, starts } = packEntries(sorted, 3)
    const staged = new StagedChanges(STORE, this.buffer, older)
    for (const [i, [key, value]] of sorted.entries()) {
      await staged.makeRoom(1, noPause)
      staged.find(key, 0, key.length)
      staged.add(key, 0, key.length, value === undefined, this.pieces.length, starts[i] as number)
    }
    await staged.endPiece(this.pieces.push(bytes) - 1, noPause)
    return staged
  }

  async show(staged: StagedChanges): Promise<void> {
    staged.show()
    await staged.sweep(noPause)
  }

  /** Takes a key out, as a deletion does where nothing older has it. */
  remove(key: Uint8Array): void {
    const hash = hashKey(STORE, key, 0, key.length)
    const entry = this.buffer.find(hash, key, 0, key.length)
    if (entry < 0) return
    this.buffer.hide(entry)
    this.buffer.sweep(entry, hash)
  }

  get(key: Uint8Array): Uint8Array | null | undefined {
    return this.buffer.get(hashKey(STORE, key, 0, key.length), key)
  }

  range(from?: Uint8Array, to?: Uint8Array, reverse = false): [string, string][] {
    const store = {
      version: 0,
      emptyBelow: undefined,
      sources: (place: { from: Uint8Array | undefined; reverse: boolean }) =>
        this.buffer.runs.map((run) => new BufferSource(run, place)),
      failed: (error: unknown) => error as Error,
    }
    const found: [string, string][] = []
    const range = new MergedRange(store, { from, to, reverse })
    for (let next = range.next(); !next.done; next = range.next())
      found.push([toHex(next.value[0]), toHex(next.value[1])])
    return found
  }
}

describe('changes in memory', () => {
  it('tells a value, a deletion and what was not changed apart', async () => {
    const filled = new Filled()
    await filled.commit([bytes(1), bytes(10)], [bytes(2), undefined], [bytes(3), bytes()])
    expect([1, 2, 3, 4].map((key) => filled.get(bytes(key)))).toEqual([bytes(10), null, bytes(), undefined])
    expect(filled.get(bytes(1, 0))).toBeUndefined()
    expect(filled.get(bytes())).toBeUndefined()
    expect(filled.buffer.size).toBe(3)
  })

  it('has of a key its last change, and once', async () => {
    const filled = new Filled()
    await filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)])
    await filled.commit([bytes(2), undefined], [bytes(3), bytes(30)])
    await filled.commit([bytes(1), bytes(11)], [bytes(2), bytes(22, 22)])
    expect([1, 2, 3].map((key) => filled.get(bytes(key)))).toEqual([bytes(11), bytes(22, 22), bytes(30)])
    expect(filled.range()).toEqual([
      ['01', '0b'],
      ['02', '1616'],
      ['03', '1e'],
    ])
    expect(filled.buffer.size).toBe(3)
  })

  it('gives a range from its first key on, up to and without its last, in both directions', async () => {
    const filled = new Filled()
    await filled.commit([bytes(2), bytes(2)], [bytes(6), bytes(6)])
    await filled.commit([bytes(4), bytes(4)])
    const keys = (from?: Uint8Array, to?: Uint8Array) => filled.range(from, to).map(([key]) => key)
    expect(keys(bytes(2), bytes(6))).toEqual(['02', '04'])
    expect(keys(bytes(2, 0), bytes(6, 0))).toEqual(['04', '06'])
    expect(keys(bytes(3), bytes(4))).toEqual([])
    expect(keys(undefined, bytes(2))).toEqual([])
    expect(keys(bytes(6))).toEqual(['06'])
    expect(filled.range(bytes(2), bytes(6), true).map(([key]) => key)).toEqual(['04', '02'])
    expect(filled.range(bytes(2, 0), undefined, true).map(([key]) => key)).toEqual(['06', '04'])
  })

  it('forgets what is taken out, and takes it in anew', async () => {
    const filled = new Filled()
    await filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)])
    filled.remove(bytes(1))
    filled.remove(bytes(9))
    expect([filled.get(bytes(1)), filled.buffer.size, filled.range()]).toEqual([undefined, 1, [['02', '14']]])
    await filled.commit([bytes(1), bytes(12)])
    expect([filled.get(bytes(1)), filled.buffer.size]).toEqual([bytes(12), 2])
    expect(filled.range(undefined, undefined, true)).toEqual([
      ['02', '14'],
      ['01', '0c'],
    ])
  })

  it.each([0, 1, 127, 128, 300])(
    'keeps keys and values of %d bytes apart from those that begin alike',
    async (length) => {
      const filled = new Filled()
      const key = new Uint8Array(length).fill(5)
      const longer = Uint8Array.of(...key, 0)
      await filled.commit([key, key], [longer, longer])
      await filled.commit([bytes(9), bytes(9)])
      expect([filled.get(key), filled.get(longer)].map((v) => toHex(v ?? bytes()))).toEqual([toHex(key), toHex(longer)])
      expect(filled.range().map(([k]) => k)).toEqual([toHex(key), toHex(longer), '09'])
    },
  )

  it('keeps the order when keys come that begin in another way than all before, in the middle of a key too', async () => {
    const filled = new Filled()
    const text = (value: string) => new TextEncoder().encode(value)
    const keys = [
      'orders/10000001',
      'orders/10000003',
      'orders/1',
      'orders/2',
      'a',
      'orders/10000002',
      'z',
      'order',
      'orders/100000020',
    ]
    for (const key of keys) await filled.commit([text(key), bytes()])
    const inOrder = [...keys].sort().map((key) => toHex(text(key)))
    expect(filled.range().map(([key]) => key)).toEqual(inOrder)
    expect(filled.range(undefined, undefined, true).map(([key]) => key)).toEqual(inOrder.reverse())
  })

  it.each([1, 2, 3])('agrees with a map, and is one run in order once it is settled, seed %d', async (seed) => {
    const random = new SeededRandom(seed)
    const below = (n: number) => Math.floor(random.next() * n)
    const keyOf = () =>
      Uint8Array.from({ length: 3 + below(12) }, (_, i) => (i < 3 ? seed : ([0, 1, 128, 255][below(4)] as number)))
    const filled = new Filled()
    const model = new Map<string, Uint8Array | undefined>()
    for (let commit = 0; commit < 120; commit++) {
      const changes = new Map<string, Change>()
      for (let i = below(commit % 10 === 0 ? 200 : 12); i > 0; i--) {
        const key = keyOf()
        changes.set(toHex(key), [key, below(4) === 0 ? undefined : bytes(commit)])
      }
      for (const [hex, [, value]] of changes) model.set(hex, value)
      await filled.commit(...changes.values())
      for (const hex of [...model.keys()].slice(0, below(3))) {
        filled.remove(Buffer.from(hex, 'hex'))
        model.delete(hex)
      }
      expect(filled.buffer.size).toBe(model.size)
      expect(filled.buffer.runs.length).toBeLessThan(12)
    }
    const check = () => {
      for (const [hex, value] of model) expect(filled.get(Buffer.from(hex, 'hex'))).toEqual(value ?? null)
      const sorted = [...model]
        .filter(([, value]) => value !== undefined)
        .map(([hex, value]) => [hex, toHex(value as Uint8Array)])
      sorted.sort(([a = ''], [b = '']) => compareBytes(Buffer.from(a, 'hex'), Buffer.from(b, 'hex')))
      expect(filled.range()).toEqual(sorted)
      expect(filled.range(undefined, undefined, true)).toEqual(sorted.reverse())
    }
    check()
    await filled.buffer.settle(async () => {})
    expect(filled.buffer.runs.map(({ length }) => length)).toEqual([model.size])
    check()
  })

  describe('that are staged', () => {
    it('are seen by nobody until they are shown, then all of them', async () => {
      const filled = new Filled()
      await filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)], [bytes(4), bytes(40)])
      const seen = () => [
        [1, 2, 3, 4].map((key) => filled.get(bytes(key))),
        filled.range().map(([key]) => key),
        filled.range(undefined, undefined, true).map(([key]) => key),
      ]
      const before = seen()
      const staged = await filled.stage([bytes(1), bytes(11)], [bytes(2), undefined], [bytes(3), bytes(30)])
      expect(seen()).toEqual(before)
      await filled.show(staged)
      expect(seen()).toEqual([
        [bytes(11), null, bytes(30), bytes(40)],
        ['01', '03', '04'],
        ['04', '03', '01'],
      ])
    })

    it('leave nothing when they are abandoned, of a piece that is there or not, and come anew', async () => {
      const filled = new Filled()
      await filled.commit([bytes(1), bytes(10)], [bytes(200), bytes(20)])
      await filled.stage([bytes(1), bytes(11)], [bytes(3), bytes(30)])
      // Its piece is not there yet.
      await filled.buffer.makeRoom(1, noPause)
      const hash = hashKey(STORE, bytes(5), 0, 1)
      filled.buffer.find(hash, bytes(5), 0, 1)
      filled.buffer.stage(hash, filled.pieces.length, 3)
      expect(filled.buffer.size).toBe(4)
      filled.buffer.abandon()
      expect([1, 3, 5].map((key) => filled.get(bytes(key)))).toEqual([bytes(10), undefined, undefined])
      expect([filled.range(), filled.buffer.size]).toEqual([
        [
          ['01', '0a'],
          ['c8', '14'],
        ],
        2,
      ])
      await filled.commit([bytes(3), bytes(33)], [bytes(5), bytes(55)])
      await filled.buffer.settle(noPause)
      expect([1, 3, 5].map((key) => filled.get(bytes(key)))).toEqual([bytes(10), bytes(33), bytes(55)])
      expect(filled.buffer.runs.map(({ length }) => length)).toEqual([4])
      expect(filled.range().map(([key]) => key)).toEqual(['01', '03', '05', 'c8'])
    })

    it('are not there at once after what is hidden, though its place is still taken', async () => {
      const filled = new Filled()
      await filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)])
      const hash = hashKey(STORE, bytes(1), 0, 1)
      const entry = filled.buffer.find(hash, bytes(1), 0, 1)
      filled.buffer.hide(entry)
      expect([filled.get(bytes(1)), filled.buffer.lengthOf(entry)]).toEqual([undefined, NOT_LOOKED_UP])
      expect([filled.range(), filled.buffer.size]).toEqual([[['02', '14']], 2])
      filled.buffer.sweep(entry, hash)
      expect([filled.get(bytes(1)), filled.get(bytes(2)), filled.buffer.size]).toEqual([undefined, bytes(20), 1])
    })

    it('tells how long a value is, and a deletion from what was not changed', async () => {
      const filled = new Filled()
      await filled.commit([bytes(1), bytes(1, 2, 3)], [bytes(2), undefined], [bytes(3), bytes()])
      const lengths = [1, 2, 3, 4].map((key) => {
        const hash = hashKey(STORE, bytes(key), 0, 1)
        return filled.buffer.lengthOf(filled.buffer.find(hash, bytes(key), 0, 1))
      })
      expect(lengths).toEqual([3, NO_VALUE, 0, NOT_LOOKED_UP])
    })
  })

  describe('their places', () => {
    const placeOf = ({ buffer }: Filled, key: number) => {
      buffer.get(hashKey(STORE, bytes(key), 0, 1), bytes(key))
      return buffer.place
    }

    it('tell where a key is as long as it counts, and nothing of one that is not there', async () => {
      const filled = new Filled()
      await filled.commit([bytes(1), bytes(1)], [bytes(2), bytes(2)])
      const [one, two] = [placeOf(filled, 1), placeOf(filled, 2)]
      expect([placeOf(filled, 3), filled.buffer.entryAt(0)]).toEqual([0, -1])
      await filled.commit([bytes(3), bytes(3)])
      expect([filled.buffer.entryAt(one), filled.buffer.entryAt(two)]).toEqual([0, 1])
      filled.remove(bytes(1))
      expect([filled.buffer.entryAt(one), filled.buffer.entryAt(two)]).toEqual([-1, 1])
      await filled.stage([bytes(4), bytes(4)])
      expect(filled.buffer.entryAt(placeOf(filled, 4))).toBe(-1)
    })

    it.each([1, 0x7fff_ffff, -1])(
      'of a buffer are none of the next one’s, also where numbers end: %d',
      async (first) => {
        const filled = new Filled(first)
        await filled.commit([bytes(1), bytes(1)], [bytes(2), bytes(2)], [bytes(3), bytes(3)])
        const next = new Filled(filled.buffer.nextPlace)
        await next.commit([bytes(1), bytes(1)], [bytes(2), bytes(2)], [bytes(3), bytes(3)])
        for (const [i, key] of [1, 2, 3].entries()) {
          const [own, other] = [placeOf(filled, key), placeOf(next, key)]
          expect([filled.buffer.entryAt(own), next.buffer.entryAt(own)]).toEqual([own === 0 ? -1 : i, -1])
          expect([next.buffer.entryAt(other), filled.buffer.entryAt(other)]).toEqual([other === 0 ? -1 : i, -1])
        }
      },
    )
  })

  it('lets its runs grow together up to a length, and gives others their turn when they become one', async () => {
    const filled = new Filled()
    const key = (i: number) => bytes(i >>> 16, i >>> 8, i)
    for (let from = 0; from < 200_000; from += 20_000) {
      await filled.commit(...Array.from({ length: 20_000 }, (_, i) => [key((from + i) * 7), bytes()] as const))
    }
    const lengths = filled.buffer.runs.map(({ length }) => length)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(200_000)
    expect(Math.max(...lengths)).toBeGreaterThan(20_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(65_536)
    let turns = 0
    await filled.buffer.settle(async () => {
      turns++
    })
    expect(turns).toBeGreaterThan(200_000 / 4096)
    expect(filled.buffer.runs.map(({ length }) => length)).toEqual([200_000])
  })
})
