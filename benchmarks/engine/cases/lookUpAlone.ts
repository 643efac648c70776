import { MemoryStateBackend } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { keysOf, randomRecords } from '../records.js'
import { Stopwatch } from '../Stopwatch.js'

/** A count and its time, as the store holds them. */
const STORED = new Uint8Array(16)

/**
 * Reading and writing a key in the state in memory, and nothing else: a record of `countAmong` does it once, in its epoch
 * and at the commit. It shows how much of what a record costs more among more keys is the look-up's own.
 */
export function lookUpAlone(keysInState: number): BenchCase {
  return {
    name: `look-up alone, ${keysInState.toLocaleString('en')} keys in state`,
    size: 300_000,
    run: async (size) => {
      const store = new MemoryStateBackend().open('counts')
      const keys = keysOf(Math.ceil(keysInState * Math.min(1, size / 300_000)))
      for (const key of keys) store.set(key, STORED)
      const records = randomRecords(size, keys)
      let found = 0
      const watch = new Stopwatch()
      for (const { key } of records) {
        if (store.get(key as Uint8Array) !== undefined) found++
        store.set(key as Uint8Array, STORED)
      }
      const times = watch.read()
      if (found !== size) throw new RangeError('A key was not found')
      return { unit: 'key', count: size, ...times }
    },
  }
}
