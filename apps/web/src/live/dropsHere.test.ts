import type { RareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { dropsHere } from './dropsHere.js'
import { addRareEvents, emptyJournal } from './journal.js'
import type { Reading } from './readings.js'

let n = 0
const drop = (at: number, count: number, reason = 'late_window', node = 'a'): RareEvent => ({
  ...{ n: ++n, at, type: 'dropped', reason, node, coordinates: null, detail: 'd', count },
})
const reading = (at: number, came: number) =>
  ({ at, nodes: new Map([['a', { node: 'a', in: came }]]) }) as unknown as Reading
const at = { names: ['a'], entries: ['a'], isSource: false }
const journalOf = (...events: RareEvent[]) => addRareEvents(emptyJournal, events)

describe('[G3] what a node drops', () => {
  it('is a share of what it got over the same ten seconds, by the run’s own clock', () => {
    const journal = journalOf(drop(1_000, 500), drop(2_000, 30))
    const minute = [reading(0, 0), reading(1_000, 600), reading(6_000, 610), reading(11_000, 640)]
    expect(dropsHere(journal, minute, { in: 640 }, at)).toMatchObject({ span: 'recent', count: 30, share: 0.75 })
  })

  it('is one since the start while nothing comes', () => {
    const journal = journalOf(drop(1_000, 50))
    const minute = [reading(70_000, 200), reading(81_000, 200), reading(91_000, 200)]
    expect(dropsHere(journal, minute, { in: 200 }, at)).toMatchObject({ span: 'start', count: 50, share: 0.25 })
  })

  it('is none in ten seconds in which all went well', () => {
    const minute = [reading(70_000, 200), reading(81_000, 300)]
    expect(dropsHere(journalOf(drop(1_000, 50)), minute, { in: 300 }, at)).toMatchObject({ count: 0, share: 0 })
  })

  it('comes on top of what a source let through', () => {
    const minute = [reading(0, 0), reading(1_000, 30)]
    const dropped = dropsHere(journalOf(drop(500, 10)), minute, { in: 30 }, { ...at, isSource: true })
    expect(dropped?.share).toBe(0.25)
    const all = dropsHere(journalOf(drop(500, 10)), [reading(0, 0)], { in: 0 }, { ...at, isSource: true })
    expect(all?.share).toBe(1)
  })

  it('is never more than all, where a record is dropped from several windows', () => {
    expect(dropsHere(journalOf(drop(500, 9)), [reading(0, 0), reading(600, 3)], { in: 3 }, at)?.share).toBe(1)
  })

  it('has no share where nothing came in', () => {
    expect(dropsHere(journalOf(drop(500, 9)), [], { in: 0 }, at)).toMatchObject({
      span: 'start',
      share: null,
      count: 9,
    })
  })

  it('names its reasons since the start, the most frequent first, and those of no other node', () => {
    const journal = journalOf(drop(1, 2, 'null_key'), drop(1, 7), drop(2, 1, 'null_key'), drop(1, 99, 'x', 'other'))
    expect(dropsHere(journal, [], { in: 10 }, at)?.reasons.map(({ reason, count }) => [reason, count])).toEqual([
      ['late_window', 7],
      ['null_key', 3],
    ])
    expect(dropsHere(journal, [], { in: 10 }, { ...at, names: ['b'] })).toBeUndefined()
  })
})

it('remembers the drops of one minute, and no older ones', () => {
  const { drops } = journalOf(drop(1_000, 1), drop(1_001, 2), drop(61_000, 3))
  expect([...drops.values()].map(({ count, recent }) => [count, recent.map((one) => one.count)])).toEqual([[6, [2, 3]]])
})
