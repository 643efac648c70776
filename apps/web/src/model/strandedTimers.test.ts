import type { Fix } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { aDocument, aProcessor, aSink, aSource } from './fixtures.js'
import { strandedTimers, strandedWords } from './strandedTimers.js'

type Analysed = Parameters<typeof strandedTimers>[2][number]
type Chip = NonNullable<Analysed['timerKey']>['chip']

const fix: Fix = {
  kind: 'declare-consumed',
  source: 'in',
  keySerde: 'json',
  valueSerde: 'json',
  title: 'Declare it',
  effect: '',
}
const document = aDocument(
  [aSource('in'), aProcessor('a'), aProcessor('b'), aSource('other'), aProcessor('c'), aSink('out')],
  ['in>a', 'a>b', 'other>c', 'b>out'],
)

function analysed(id: string, chip: Partial<Chip> = {}, facts: Partial<Analysed> = {}): Analysed {
  const full: Chip = { status: 'defaulted', label: 'string', windowed: false, ...chip }
  return {
    nodeId: id,
    name: id,
    timers: ['event-time'],
    timerKey: { chip: full, candidates: [] },
    changesKey: false,
    ...facts,
  }
}

const names = (nodes: readonly Analysed[], of: Fix = fix) => strandedTimers(of, document, nodes).map(({ name }) => name)

describe('[T9] timers that a fix strands', () => {
  it('are those behind what it declares, and no others', () => {
    expect(strandedTimers(fix, document, [analysed('a'), analysed('b'), analysed('c')])).toEqual([
      { name: 'a', serde: 'string' },
      { name: 'b', serde: 'string' },
    ])
  })

  it('are none where the serde stays, or where there are no timers', () => {
    expect(names([analysed('a', { label: 'json' }), analysed('b', {}, { timers: [] })])).toEqual([])
  })

  it('are none where another node declares the key, or nothing does', () => {
    const declared = { status: 'inherited', nodeId: 'b' } as const
    expect(names([analysed('a', declared), analysed('b', { status: 'unresolved', label: '?' })])).toEqual([])
    expect(names([analysed('a', { status: 'inherited', nodeId: 'in' })])).toEqual(['a'])
  })

  it('end where the key becomes another one', () => {
    expect(names([analysed('a', {}, { changesKey: true }), analysed('b')])).toEqual(['a'])
  })

  it('come of every fix that has keys written otherwise', () => {
    const both = [analysed('a'), analysed('b')]
    const { title, effect } = fix
    expect(names(both, { kind: 'insert-repartition', before: 'b', keySerde: 'json', title, effect })).toEqual(['b'])
    expect(names(both, { kind: 'insert-repartition', before: 'b', title, effect })).toEqual([])
    expect(names(both, { kind: 'declare-serde', node: 'in', side: 'key', serde: 'json', title, effect })).toHaveLength(
      2,
    )
    expect(names(both, { kind: 'declare-serde', node: 'in', side: 'value', serde: 'json', title, effect })).toEqual([])
    expect(names(both, { kind: 'bound-source', source: 'in', maxAheadMs: 1, title, effect })).toEqual([])
  })
})

it('a notice names the nodes and what wrote their timers, or nothing', () => {
  expect(strandedWords([])).toBeUndefined()
  expect(strandedWords([{ name: 'a', serde: 'string' }])).toContain('pending at a (written with string)')
})
