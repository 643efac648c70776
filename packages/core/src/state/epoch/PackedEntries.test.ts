import { describe, expect, it } from 'vitest'
import { NO_VALUE, NOT_LOOKED_UP, newChangeView } from './PackedChanges.js'
import { LONGEST_PACKED, PackedEntries } from './PackedEntries.js'

const bytes = (length: number, fill = length) => new Uint8Array(length).fill(fill)
const key = (i: number) => Uint8Array.of(i >>> 8, i)

function packed(): PackedEntries {
  return new PackedEntries({ size: 0, packedBytes: 0 })
}

/** As it is looked at, where it lies. */
function looked(entries: PackedEntries, index: number) {
  const view = newChangeView()
  entries.look(index, view)
  return [
    view.key.slice(view.keyFrom, view.keyTo),
    view.value?.slice(view.valueFrom, view.valueTo),
    view.before,
    view.valueTo - view.valueFrom,
    view.place,
  ]
}

describe('Entries side by side', () => {
  const lengths = [0, 1, 64, 65, LONGEST_PACKED - 1, LONGEST_PACKED, LONGEST_PACKED + 1, 5_000]

  it('are as they were given, whatever their lengths, copied and where they lie', () => {
    const entries = packed()
    for (const length of lengths) entries.add(bytes(length, 7), bytes(length), length, -length)
    entries.add(bytes(3), undefined, NO_VALUE)
    expect(entries.size).toBe(lengths.length + 1)
    for (const [i, length] of lengths.entries()) {
      expect([entries.key(i), entries.value(i)]).toEqual([bytes(length, 7), bytes(length)])
      expect([entries.keyLength(i), entries.valueLength(i), entries.below(i)]).toEqual([length, length, length])
      expect(looked(entries, i)).toEqual([bytes(length, 7), bytes(length), length, length, 0 - length])
    }
    const last = lengths.length
    expect([entries.value(last), entries.valueLength(last)]).toEqual([undefined, NO_VALUE])
    expect(looked(entries, last)).toEqual([bytes(3), undefined, NO_VALUE, 0, 0])
  })

  it('have the value that was set last, whatever was there, and leave their neighbours alone', () => {
    const steps = [...lengths, undefined, ...lengths.toReversed(), undefined, 3, LONGEST_PACKED + 1, 3]
    const entries = packed()
    for (const i of [0, 1, 2]) entries.add(key(i), bytes(3, i), NOT_LOOKED_UP)
    for (const length of steps) {
      const value = length === undefined ? undefined : bytes(length, 9)
      entries.setValue(1, value)
      expect([entries.value(1), entries.valueLength(1)]).toEqual([value, length ?? NO_VALUE])
      expect(looked(entries, 1)).toEqual([key(1), value, NOT_LOOKED_UP, length ?? 0, 0])
      expect([0, 2].map((i) => [entries.key(i), entries.value(i)])).toEqual([
        [key(0), bytes(3, 0)],
        [key(2), bytes(3, 2)],
      ])
    }
  })

  it('keep a long value as it was given, and take no room for it', () => {
    const entries = packed()
    const long = bytes(LONGEST_PACKED + 1)
    entries.add(key(1), long, NO_VALUE)
    expect([entries.value(0), entries.packedBytes]).toEqual([long, 2])
    expect(entries.value(0)).toBe(long)
  })

  it('leave no more unused than they take, however often a value grows or is set anew', () => {
    const entries = packed()
    entries.add(key(1), bytes(1), NO_VALUE)
    for (let length = 1; length <= LONGEST_PACKED; length++) {
      entries.setValue(0, bytes(length))
      expect(entries.packedBytes).toBeLessThanOrEqual(2 + 1 + 4 * length)
    }
    const taken = entries.packedBytes
    for (const length of [LONGEST_PACKED, 5, LONGEST_PACKED + 1, LONGEST_PACKED]) entries.setValue(0, bytes(length))
    expect(entries.packedBytes).toBe(taken)
  })

  it('are compared by their keys, with each other and with any key', () => {
    const entries = packed()
    const keys = [[], [1], [1, 0], [1, 2], [200], [200, 1]].map((all) => Uint8Array.from(all))
    for (const each of keys) entries.add(each, undefined, NO_VALUE)
    for (let a = 0; a < keys.length; a++) {
      for (let b = 0; b < keys.length; b++) {
        expect(Math.sign(entries.compare(a, b))).toBe(Math.sign(a - b))
        expect(Math.sign(entries.compareKey(a, keys[b] as Uint8Array))).toBe(Math.sign(a - b))
        expect(entries.hasKey(a, keys[b] as Uint8Array)).toBe(a === b)
      }
    }
  })

  it('stay what they are over every growth, and begin anew when they are cleared', () => {
    const entries = new PackedEntries({ size: 3, packedBytes: 9 })
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 3_000; i++) expect(entries.add(key(i), bytes(i % 80, i), i)).toBe(i)
      for (let i = 0; i < 3_000; i += 7) {
        expect([entries.key(i), entries.value(i), entries.below(i)]).toEqual([key(i), bytes(i % 80, i), i])
      }
      entries.clear()
      expect([entries.size, entries.packedBytes]).toEqual([0, 0])
    }
    entries.add(key(1), bytes(0), NO_VALUE)
    expect(looked(entries, 0)).toEqual([key(1), bytes(0), NO_VALUE, 0, 0])
  })
})
