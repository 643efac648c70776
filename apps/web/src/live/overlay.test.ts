import { describe, expect, it } from 'vitest'
import type { NodeFigures } from './figures.js'
import { addRareEvents, emptyJournal } from './journal.js'
import type { LiveState } from './LiveStore.js'
import { metaOf, toNodeLive } from './overlay.js'
import { emptyRunView } from './RunView.js'

const figures = (change: Partial<NodeFigures>) => ({ busy: 0, inPerSecond: 0, in: 0, out: 0, ...change }) as NodeFigures

it('says what a node that rests has had', () => {
  expect(metaOf(figures({ in: 1_251 }))).toBe('0 /s · 1,251 in')
  expect(metaOf(figures({ in: 1_251 }), true)).toBe('0 /s · 1,251 read')
  expect(metaOf(figures({}))).toBe('0 /s')
})

it('says the rate or the busy share of a node that works', () => {
  expect(metaOf(figures({ inPerSecond: 2, in: 9 }))).toBe('2 /s')
  expect(metaOf(figures({ busy: 0.005, in: 9 }))).toBe('busy 1 %')
  expect(metaOf(figures({ busy: 1.26, in: 9 }))).toBe('busy 1.3 lanes')
  expect(metaOf(figures({ busy: null, in: 9 }))).toBe('no rate yet')
})

describe('[G3] a node that drops', () => {
  const drops = (count: number, cut: number) => {
    const journal = addRareEvents(emptyJournal, [
      { n: 1, at: 500, type: 'dropped', reason: 'late_window', node: 'count', coordinates: null, detail: 'd', count },
      { n: 2, at: 600, type: 'dropped', reason: 'null_key', node: 'count', coordinates: null, detail: 'd', count: cut },
    ])
    const counts = { in: 0, out: 0, busyMs: 0, eventClock: -1 }
    const reading = (at: number, came: number) => ({ at, nodes: new Map([['count', { ...counts, in: came }]]) })
    const edges = new Map([['in\u0000count', 1]])
    const view = {
      ...emptyRunView('r'),
      journal,
      history: { recent: [], minute: [reading(0, 0), reading(1_000, 100)] },
      figures: { nodes: new Map([['count', figures({ node: 'count', in: 100 })]]), edges, lanes: [] },
    }
    const state = { view, freshness: { state: 'live', ageMs: 0 }, names: new Map(), run: null }
    return toNodeLive(state as unknown as LiveState, 'count')?.drops
  }

  it('is marked from a tenth of what it gets on, and as one that drops most from a half on', () => {
    expect(drops(8, 1)).toBeUndefined()
    expect(drops(9, 1)).toMatchObject({ text: 'drops 10 %: late_window', most: false })
    expect(drops(48, 1)?.most).toBe(false)
    expect(drops(49, 1)?.most).toBe(true)
  })

  it('tells every reason with its count', () => {
    expect(drops(30, 60)?.title).toBe('90 % of what it got in the last 10 s. null_key 60, late_window 30')
  })
})
