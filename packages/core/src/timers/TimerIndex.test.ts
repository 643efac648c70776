import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimerForm } from './TimerForm.js'
import { TimerIndex } from './TimerIndex.js'
import { IN_HEAP, NO_ROW, NOT_STORED, TimerRows } from './TimerRows.js'

const key = (number: number) => Uint8Array.of(number >> 16, (number >> 8) & 0xff, number & 0xff)
const form = new TimerForm()

function start() {
  const rows = new TimerRows()
  const index = new TimerIndex(rows)
  /** A form as it is given, with another hash if that is to be. */
  const given = (keyBytes: Uint8Array, at: number, name?: string, hash?: number) => {
    form.set(keyBytes, at, name)
    if (hash !== undefined) form.hash = hash
    return form
  }
  return {
    rows,
    index,
    /** Held by somebody else, too, so that it outlives its place here. */
    entry: (...timer: Parameters<typeof given>) => {
      const row = rows.add(given(...timer), -1, NOT_STORED)
      rows.hold(row, IN_HEAP)
      return row
    },
    find: (...timer: Parameters<typeof given>) => index.find(given(...timer)),
  }
}

describe('the identity of timers in memory', () => {
  it('[T2] is key and name of a named one, whatever its time', () => {
    const { index, entry, find } = start()
    const named = entry(key(1), 5, 'x')
    index.add(named)
    expect(find(key(1), 99, 'x')).toBe(named)
    expect([find(key(1), 5, 'y'), find(key(2), 5, 'x'), find(key(1), 5)]).toEqual(Array(3).fill(NO_ROW))
  })

  it('[T2] is key and time of one without a name', () => {
    const { index, entry, find } = start()
    const unnamed = entry(key(1), 5)
    index.add(unnamed)
    expect(find(key(1), 5)).toBe(unnamed)
    for (const at of [4, 6, 5 + 2 ** 32]) expect(find(key(1), at)).toBe(NO_ROW)
    expect([find(key(1), 5, ''), find(key(2), 5)]).toEqual([NO_ROW, NO_ROW])
  })

  it('[T2] is told apart where hashes are the same, and each is removed by itself', () => {
    const { rows, index, entry } = start()
    const same = [entry(key(1), 5, 'x', 7), entry(key(1), 5, undefined, 7), entry(key(1), 6, undefined, 7)]
    const others = [entry(key(2), 5, 'x', 7), entry(Uint8Array.of(0, 0, 1, 0), 5, 'x', 7), entry(key(1), 5, 'y', 7)]
    const all = [...same, ...others, entry(key(3), 1, 'z', 7 + 64)]
    for (const one of all) index.add(one)
    const found = (one: number) => index.find(rows.copyTo(new TimerForm(), one))
    for (const one of all) expect(found(one)).toBe(one)
    for (const [at, gone] of [...all.entries()].sort(([a], [b]) => (a % 3) - (b % 3))) {
      index.delete(gone)
      expect(found(gone), `${at}`).toBe(NO_ROW)
    }
    expect(index.size).toBe(0)
  })

  it('[T10] is found among many and among few again', () => {
    const { index, entry, find } = start()
    const entries = Array.from({ length: 5_000 }, (_, at) => entry(key(at), at))
    for (const one of entries) index.add(one)
    expect(index.size).toBe(5_000)
    for (const [at, one] of entries.entries()) expect(find(key(at), at)).toBe(one)
    for (const one of entries.slice(3)) index.delete(one)
    expect(index.size).toBe(3)
    expect(entries.map((_, at) => find(key(at), at)).filter((row) => row !== NO_ROW)).toEqual(entries.slice(0, 3))
  })

  it('[T10] is found after a peak that was not repeated, and after one that was', () => {
    const { index, entry, find } = start()
    const kept = Array.from({ length: 70 }, (_, at) => entry(key(at), at))
    for (const one of kept) index.add(one)
    for (const most of [3_000, 3_000, 40, 40, 40, 5_000, 1]) {
      for (let round = 0; round < 6; round++) {
        const passing = Array.from({ length: most }, (_, at) => entry(key(100 + at), at))
        for (const one of passing) index.add(one)
        expect(find(key(99 + most), most - 1)).toBe(passing.at(-1))
        for (const one of passing) index.delete(one)
        expect(index.size).toBe(70)
        expect(kept.every((one, at) => find(key(at), at) === one)).toBe(true)
      }
    }
  })

  it('agrees with a map under any mix of adding and removing', () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 40 }), hash: fc.integer({ min: -3, max: 200 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const { rows, index, entry, find } = start()
        const model = new Map<string, number>()
        for (const { key: number, hash } of steps) {
          const id = `${number} ${hash}`
          const known = model.get(id)
          expect(find(key(number), 1, undefined, hash)).toBe(known ?? NO_ROW)
          if (known === undefined) {
            const made = entry(key(number), 1, undefined, hash)
            model.set(id, made)
            index.add(made)
          } else {
            model.delete(id)
            index.delete(known)
          }
          expect(index.size).toBe(model.size)
        }
        for (const made of model.values()) expect(index.find(rows.copyTo(new TimerForm(), made))).toBe(made)
      }),
    )
  })
})

describe('the hash of timers', () => {
  it('spreads keys that are counted up, times and names over the low bits', () => {
    const buckets = (hashes: number[]) => new Set(hashes.map((hash) => hash & 1023)).size
    const timerHash = (...timer: Parameters<TimerForm['set']>) => form.set(...timer).hash
    const each = (hash: (i: number) => number) => buckets(Array.from({ length: 1024 }, (_, i) => hash(i)))
    // 1,024 balls thrown into 1,024 buckets by chance hit 647 of them.
    expect(each((i) => timerHash(key(i), 1, 'x'))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(i * 256), 1, 'x'))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), i * 1_000, undefined))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), i * 2 ** 32, undefined))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), 1, `order-${i}`))).toBeGreaterThan(600)
  })
})
