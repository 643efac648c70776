import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'
import { TimerIndex, timerHash } from './TimerIndex.js'

const key = (number: number) => Uint8Array.of(number >> 16, (number >> 8) & 0xff, number & 0xff)
const entry = (keyBytes: Uint8Array, at: number, name?: string, hash = timerHash(keyBytes, at, name)) =>
  new TimerEntry(keyBytes, at, name, -1, hash, NOT_STORED)
const find = (index: TimerIndex, keyBytes: Uint8Array, at: number, name?: string) =>
  index.find(timerHash(keyBytes, at, name), keyBytes, at, name)

describe('the identity of timers in memory', () => {
  it('[T2] is key and name of a named one, whatever its time', () => {
    const index = new TimerIndex()
    const named = entry(key(1), 5, 'x')
    index.add(named)
    expect(find(index, key(1), 99, 'x')).toBe(named)
    expect([find(index, key(1), 5, 'y'), find(index, key(2), 5, 'x'), find(index, key(1), 5)]).toEqual(
      Array(3).fill(undefined),
    )
  })

  it('[T2] is key and time of one without a name', () => {
    const index = new TimerIndex()
    const unnamed = entry(key(1), 5)
    index.add(unnamed)
    expect(find(index, key(1), 5)).toBe(unnamed)
    for (const at of [4, 6, 5 + 2 ** 32]) expect(find(index, key(1), at)).toBeUndefined()
    expect([find(index, key(1), 5, ''), find(index, key(2), 5)]).toEqual([undefined, undefined])
  })

  it('[T2] is told apart where hashes are the same, and each is removed by itself', () => {
    const index = new TimerIndex()
    const same = [entry(key(1), 5, 'x', 7), entry(key(1), 5, undefined, 7), entry(key(1), 6, undefined, 7)]
    const others = [entry(key(2), 5, 'x', 7), entry(Uint8Array.of(0, 0, 1, 0), 5, 'x', 7), entry(key(1), 5, 'y', 7)]
    const all = [...same, ...others, entry(key(3), 1, 'z', 7 + 64)]
    for (const one of all) index.add(one)
    const found = (one: TimerEntry) => index.find(one.hash, one.keyBytes, one.at, one.name)
    for (const one of all) expect(found(one)).toBe(one)
    for (const [at, gone] of [...all.entries()].sort(([a], [b]) => (a % 3) - (b % 3))) {
      index.delete(gone)
      expect(found(gone), `${at}`).toBeUndefined()
    }
    expect(index.size).toBe(0)
  })

  it('[T10] is found among many and among few again', () => {
    const index = new TimerIndex()
    const entries = Array.from({ length: 5_000 }, (_, at) => entry(key(at), at))
    for (const one of entries) index.add(one)
    expect(index.size).toBe(5_000)
    for (const one of entries) expect(find(index, one.keyBytes, one.at)).toBe(one)
    for (const one of entries.slice(3)) index.delete(one)
    expect(index.size).toBe(3)
    expect(entries.map((one) => find(index, one.keyBytes, one.at)).filter((one) => one !== undefined)).toEqual(
      entries.slice(0, 3),
    )
  })

  it('agrees with a map under any mix of adding and removing', () => {
    const step = fc.record({ key: fc.integer({ min: 0, max: 40 }), hash: fc.integer({ min: -3, max: 200 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const index = new TimerIndex()
        const model = new Map<string, TimerEntry>()
        for (const { key: number, hash } of steps) {
          const id = `${number} ${hash}`
          const known = model.get(id)
          expect(index.find(hash, key(number), 1, undefined)).toBe(known)
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
        for (const made of model.values()) expect(index.find(made.hash, made.keyBytes, 1, undefined)).toBe(made)
      }),
    )
  })
})

describe('the hash of timers', () => {
  it('spreads keys that are counted up, times and names over the low bits', () => {
    const buckets = (hashes: number[]) => new Set(hashes.map((hash) => hash & 1023)).size
    const each = (hash: (i: number) => number) => buckets(Array.from({ length: 1024 }, (_, i) => hash(i)))
    // 1,024 balls thrown into 1,024 buckets by chance hit 647 of them.
    expect(each((i) => timerHash(key(i), 1, 'x'))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(i * 256), 1, 'x'))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), i * 1_000, undefined))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), i * 2 ** 32, undefined))).toBeGreaterThan(600)
    expect(each((i) => timerHash(key(1), 1, `order-${i}`))).toBeGreaterThan(600)
  })
})
