import type { RareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { addRareEvents, emptyJournal, keptOf, missingCount } from './journal.js'

const log = (n: number): RareEvent => ({ n, at: n, type: 'log', level: 'info', message: `line ${n}` })
const drop = (n: number, count: number, reason = 'null_key'): RareEvent => ({
  n,
  at: n,
  type: 'dropped',
  reason,
  node: 'a',
  coordinates: null,
  detail: `drop ${n}`,
  count,
})
const numbers = (journal: typeof emptyJournal) => keptOf(journal, 'log').items.map((event) => event.n)

describe('addRareEvents', () => {
  it('takes each event once, also when it is sent again after a reconnect', () => {
    const first = addRareEvents(emptyJournal, [log(1), log(2)])
    expect(addRareEvents(first, [log(1), log(2)])).toBe(first)
    expect(numbers(addRareEvents(first, [log(2), log(3)]))).toEqual([1, 2, 3])
  })
  it('knows which numbers never came', () => {
    const journal = addRareEvents(emptyJournal, [log(4), log(7)])
    expect(journal.missing).toEqual([
      [1, 3],
      [5, 6],
    ])
    expect(missingCount(journal)).toBe(5)
  })
  it('fills a gap when a missing event comes after all, in its place', () => {
    let journal = addRareEvents(emptyJournal, [log(1), log(5)])
    journal = addRareEvents(journal, [log(3)])
    expect(numbers(journal)).toEqual([1, 3, 5])
    expect(journal.missing).toEqual([
      [2, 2],
      [4, 4],
    ])
    expect(missingCount(addRareEvents(journal, [log(2), log(4)]))).toBe(0)
  })
  it('counts what one drop stands for, by reason', () => {
    const journal = addRareEvents(emptyJournal, [drop(1, 3), drop(2, 4), drop(3, 1, 'late_window')])
    expect([...journal.drops.values()].map(({ reason, count, last }) => [reason, count, last.n])).toEqual([
      ['null_key', 7, 2],
      ['late_window', 1, 3],
    ])
  })
  it('keeps segment events that share a shape apart by their type', () => {
    const base = {
      store: 's',
      segment: 1,
      from: 0,
      to: 1,
      entries: 1,
      bytes: 1,
      clockBefore: 0,
      clockAfter: 1,
      causedBy: null,
    }
    const journal = addRareEvents(emptyJournal, [
      { n: 1, at: 1, type: 'segment-created', ...base },
      { n: 2, at: 2, type: 'segment-expired', ...base },
    ])
    expect(keptOf(journal, 'segment-created').total).toBe(1)
    expect(keptOf(journal, 'segment-expired').items[0]?.n).toBe(2)
  })
})
