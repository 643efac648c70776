import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalBytes } from '../model/bytes.js'
import { compareTimers, type PendingTimer } from './PendingTimer.js'
import { compareForms, TimerForm } from './TimerForm.js'
import { IN_FRONT, IN_HEAP, IN_INDEX, NOT_STORED, TimerRows } from './TimerRows.js'
import { dueKey, duePrefix } from './timerLayout.js'

const form = new TimerForm()
const add = (rows: TimerRows, keyBytes: Uint8Array, at: number, name?: string, sequence = -1) => {
  const row = rows.add(form.set(keyBytes, at, name), sequence, NOT_STORED)
  rows.hold(row, IN_HEAP)
  return row
}
const key = (length: number, fill = 1) => new Uint8Array(length).fill(fill)

const timer = fc.record({
  keyBytes: fc.oneof(
    fc.uint8Array({ maxLength: 4 }),
    fc.array(fc.constantFrom(0, 1, 255), { maxLength: 5 }).map((bytes) => Uint8Array.from(bytes)),
  ),
  at: fc.constantFrom(0, 5, 6, 2 ** 32, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER),
  name: fc.constantFrom(undefined, '', '\u0000', '\u0000\u0000', 'a', 'ab', '\uffff', '\ud83d'),
})

describe('a row', () => {
  it.each([0, 1, 6, 7, 8, 9, 61, 62, 63, 64, 65, 1_000, 300_000])(
    'gives a key of %i bytes back, beside others',
    (length) => {
      const rows = new TimerRows()
      const all = [2, 0, 255].map((fill) => ({
        fill,
        row: add(rows, key(length, fill), 7, fill === 0 ? 'n' : undefined, fill),
      }))
      for (const { fill, row } of all) {
        const { keyBytes, ...others } = rows.timer(row)
        expect(equalBytes(keyBytes, key(length, fill))).toBe(true)
        expect(others).toEqual({ at: 7, name: fill === 0 ? 'n' : undefined, sequence: fill })
      }
    },
  )

  it('[T2] [T5] [T9] is ordered, told apart and given back as the timer that it holds', () => {
    const sign = (order: number) => Math.sign(order)
    const other = new TimerForm()
    fc.assert(
      fc.property(timer, timer, (a, b) => {
        const rows = new TimerRows()
        const [first, second] = [add(rows, a.keyBytes, a.at, a.name, 3), add(rows, b.keyBytes, b.at, b.name)]
        expect(rows.timer(first)).toEqual({ ...a, sequence: 3 })
        const order = sign(compareTimers(a, b))
        expect(sign(rows.compare(first, second))).toBe(order)
        expect(sign(rows.compareForm(first, other.set(b.keyBytes, b.at, b.name)))).toBe(order)
        expect(sign(compareForms(form.set(a.keyBytes, a.at, a.name), other))).toBe(order)
        const sameName = a.name === b.name && (a.name !== undefined || a.at === b.at)
        const same = sameName && equalBytes(a.keyBytes, b.keyBytes)
        expect(rows.isSame(first, other)).toBe(same)
        if (same) expect(rows.hash(first)).toBe(rows.hash(second))
        expect([rows.isNamed(first), rows.isNamed(second)]).toEqual([a.name !== undefined, b.name !== undefined])
      }),
    )
  })

  it('[T9] is the same whether it is given or read from where it is stored, or copied', () => {
    const read = new TimerForm()
    const facts = ({ hash, at, length, isNamed }: TimerForm) => ({ hash, at, length, isNamed })
    fc.assert(
      fc.property(timer, timer, (a, b) => {
        // Something longer has been in the form before.
        read.set(key(90), 1, 'before')
        read.setStored(dueKey(duePrefix('processing-time', 7), a))
        const rows = new TimerRows()
        const row = add(rows, a.keyBytes, a.at, a.name, 9)
        rows.setStoredAt(row, 4)
        expect(facts(read)).toEqual(facts(form))
        expect(rows.isSame(row, read)).toBe(true)
        add(rows, b.keyBytes, b.at, b.name)
        const copy = rows.copy(row)
        expect(facts(rows.copyTo(read, row))).toEqual(facts(form.set(a.keyBytes, a.at, a.name)))
        expect([rows.timer(copy), rows.storedAt(copy), rows.hash(copy)]).toEqual([rows.timer(row), 4, form.hash])
      }),
    )
  })

  it('writes the tail that the store gets', () => {
    const rows = new TimerRows()
    const row = add(rows, Uint8Array.of(1, 0, 2), 5, 'n')
    const target = new Uint8Array(12).fill(9)
    rows.writeTail(row, target, 2)
    expect([...target]).toEqual([9, 9, 1, 0, 255, 2, 0, 1, 110, 9, 9, 9])
    expect(rows.tailLength(row)).toBe(7)
  })
})

describe('rows that nobody holds', () => {
  it('stay as long as one of the three does, whoever lets go first', () => {
    for (const last of [IN_HEAP, IN_INDEX, IN_FRONT]) {
      const rows = new TimerRows()
      const row = add(rows, key(3), 5)
      rows.hold(row, IN_INDEX)
      rows.hold(row, IN_FRONT)
      rows.setGone(row)
      for (const holder of [IN_HEAP, IN_INDEX, IN_FRONT]) if (holder !== last) rows.release(row, holder)
      expect([rows.size, rows.isHeldBy(row, last), rows.isGone(row), rows.timer(row).at]).toEqual([1, true, true, 5])
      rows.release(row, last)
      expect(rows.size).toBe(0)
    }
  })

  it('are used again by timers of about their length, and hold nothing of the one before', () => {
    const rows = new TimerRows()
    const kept = add(rows, key(5, 9), 1, 'kept')
    const row = add(rows, key(5), 5, 'n', 8)
    rows.setStoredAt(row, 3)
    rows.setSlot(row, 4)
    rows.setGone(row)
    rows.release(row, IN_HEAP)
    const longer = add(rows, key(40), 6)
    const again = add(rows, key(6, 2), 7)
    expect(again).toBe(row)
    expect(longer).not.toBe(row)
    expect(rows.timer(again)).toEqual({ keyBytes: key(6, 2), at: 7, name: undefined, sequence: -1 })
    expect([rows.storedAt(again), rows.slot(again), rows.isGone(again), rows.isNamed(again)]).toEqual([
      -1,
      -1,
      false,
      false,
    ])
    expect([rows.timer(kept).name, rows.timer(longer).at, rows.size]).toEqual(['kept', 6, 3])
  })

  it('[T10] take no more memory, however many come and go', () => {
    const rows = new TimerRows()
    const all = Array.from({ length: 2_000 }, (_, at) => add(rows, key(at % 30), at))
    const before = rows.byteLength
    for (let round = 0; round < 20; round++) {
      for (let i = round % 2; i < all.length; i += 2) {
        rows.release(all[i] as number, IN_HEAP)
        all[i] = add(rows, key(i % 30), i + round)
      }
    }
    expect([rows.byteLength, rows.size]).toEqual([before, 2_000])
  })

  it('[T10] give back what a peak has taken, once there are none, and go on', () => {
    const rows = new TimerRows()
    const fill = (count: number) => Array.from({ length: count }, (_, at) => add(rows, key(20), at))
    for (const row of fill(3_000)) rows.release(row, IN_HEAP)
    const small = rows.byteLength
    const many = fill(100_000)
    expect(rows.byteLength).toBeGreaterThan(6_000_000)
    expect(new Set(many).size).toBe(100_000)
    expect(many.map((row) => rows.at(row))).toEqual(Array.from({ length: 100_000 }, (_, at) => at))
    for (const row of many) rows.release(row, IN_HEAP)
    expect(rows.byteLength).toBeLessThanOrEqual(small + 300_000)
    const after = fill(3_000)
    expect(after.map((row) => rows.timer(row).at)).toEqual(Array.from({ length: 3_000 }, (_, at) => at))
  })
})

describe('the order of rows', () => {
  it('[T5] is that of the timers, sorted', () => {
    fc.assert(
      fc.property(fc.array(timer, { maxLength: 30 }), (timers) => {
        const rows = new TimerRows()
        const sorted = timers.map((one) => add(rows, one.keyBytes, one.at, one.name)).sort((a, b) => rows.compare(a, b))
        const text = ({ keyBytes, at, name }: Pick<PendingTimer, 'keyBytes' | 'at' | 'name'>) =>
          `${at} ${keyBytes} ${name}`
        expect(sorted.map((row) => text(rows.timer(row)))).toEqual([...timers].sort(compareTimers).map(text))
      }),
    )
  })
})
