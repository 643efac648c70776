import { compareBytes, SeededRandom, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { ChangeBuffer } from './ChangeBuffer.js'
import { BufferSource } from './EntrySource.js'
import { type Change, entryLength, writeEntry } from './entry.js'
import { hashKey } from './KeyFilter.js'
import { MergedRange } from './MergedRange.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const STORE = 7

/** A buffer with its pieces, as commits fill it. */
class Filled {
  readonly pieces: Uint8Array[] = []
  readonly buffer = new ChangeBuffer(STORE, this.pieces)

  commit(...changes: Change[]): void {
    const sorted = [...changes].sort(([a], [b]) => compareBytes(a, b))
    const piece = new Uint8Array(sorted.reduce((sum, change) => sum + entryLength(change), 3))
    this.pieces.push(piece)
    let at = 3
    for (const change of sorted) {
      const start = at
      at = writeEntry(piece, at, change)
      this.buffer.add(this.pieces.length - 1, start)
    }
    this.buffer.endPiece()
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
  it('tells a value, a deletion and what was not changed apart', () => {
    const filled = new Filled()
    filled.commit([bytes(1), bytes(10)], [bytes(2), undefined], [bytes(3), bytes()])
    expect([1, 2, 3, 4].map((key) => filled.get(bytes(key)))).toEqual([bytes(10), null, bytes(), undefined])
    expect(filled.get(bytes(1, 0))).toBeUndefined()
    expect(filled.get(bytes())).toBeUndefined()
    expect(filled.buffer.size).toBe(3)
  })

  it('has of a key its last change, and once', () => {
    const filled = new Filled()
    filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)])
    filled.commit([bytes(2), undefined], [bytes(3), bytes(30)])
    filled.commit([bytes(1), bytes(11)], [bytes(2), bytes(22, 22)])
    expect([1, 2, 3].map((key) => filled.get(bytes(key)))).toEqual([bytes(11), bytes(22, 22), bytes(30)])
    expect(filled.range()).toEqual([
      ['01', '0b'],
      ['02', '1616'],
      ['03', '1e'],
    ])
    expect(filled.buffer.size).toBe(3)
  })

  it('gives a range from its first key on, up to and without its last, in both directions', () => {
    const filled = new Filled()
    filled.commit([bytes(2), bytes(2)], [bytes(6), bytes(6)])
    filled.commit([bytes(4), bytes(4)])
    const keys = (from?: Uint8Array, to?: Uint8Array) => filled.range(from, to).map(([key]) => key)
    expect(keys(bytes(2), bytes(6))).toEqual(['02', '04'])
    expect(keys(bytes(2, 0), bytes(6, 0))).toEqual(['04', '06'])
    expect(keys(bytes(3), bytes(4))).toEqual([])
    expect(keys(undefined, bytes(2))).toEqual([])
    expect(keys(bytes(6))).toEqual(['06'])
    expect(filled.range(bytes(2), bytes(6), true).map(([key]) => key)).toEqual(['04', '02'])
    expect(filled.range(bytes(2, 0), undefined, true).map(([key]) => key)).toEqual(['06', '04'])
  })

  it('forgets what is taken out, and takes it in anew', () => {
    const filled = new Filled()
    filled.commit([bytes(1), bytes(10)], [bytes(2), bytes(20)])
    filled.buffer.remove(bytes(1))
    filled.buffer.remove(bytes(9))
    expect([filled.get(bytes(1)), filled.buffer.size, filled.range()]).toEqual([undefined, 1, [['02', '14']]])
    filled.commit([bytes(1), bytes(12)])
    expect([filled.get(bytes(1)), filled.buffer.size]).toEqual([bytes(12), 2])
    expect(filled.range(undefined, undefined, true)).toEqual([
      ['02', '14'],
      ['01', '0c'],
    ])
  })

  it.each([0, 1, 127, 128, 300])('keeps keys and values of %d bytes apart from those that begin alike', (length) => {
    const filled = new Filled()
    const key = new Uint8Array(length).fill(5)
    const longer = Uint8Array.of(...key, 0)
    filled.commit([key, key], [longer, longer])
    filled.commit([bytes(9), bytes(9)])
    expect([filled.get(key), filled.get(longer)].map((v) => toHex(v ?? bytes()))).toEqual([toHex(key), toHex(longer)])
    expect(filled.range().map(([k]) => k)).toEqual([toHex(key), toHex(longer), '09'])
  })

  it('keeps the order when keys come that begin in another way than all before, in the middle of a key too', () => {
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
    for (const key of keys) filled.commit([text(key), bytes()])
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
      filled.commit(...changes.values())
      for (const hex of [...model.keys()].slice(0, below(3))) {
        filled.buffer.remove(Buffer.from(hex, 'hex'))
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

  it('lets its runs grow together up to a length, and gives others their turn when they become one', async () => {
    const filled = new Filled()
    const key = (i: number) => bytes(i >>> 16, i >>> 8, i)
    for (let from = 0; from < 200_000; from += 20_000) {
      filled.commit(...Array.from({ length: 20_000 }, (_, i) => [key((from + i) * 7), bytes()] as const))
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
