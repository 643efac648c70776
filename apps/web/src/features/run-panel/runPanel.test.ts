import type { WireError, WireSnapshot } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { addRareEvents, emptyJournal } from '../../live/journal.js'
import { stateWords } from './ClockCard.js'
import { missingTopics } from './CreateTopics.js'
import { toClockFacts } from './clockFacts.js'
import { formatUptime } from './formatUptime.js'
import { placeOf } from './placeOf.js'
import { lostState, whatStartsEmpty } from './RunNotes.js'
import { guardsOf, overrideWords } from './runWords.js'
import { withSplit } from './useFatal.js'

const error = (code: string, context: WireError['context'] = {}): WireError => ({
  code,
  kind: 'user',
  message: 'm',
  context,
})

describe('toClockFacts', () => {
  const partition = (number: number, change = {}) => ({
    source: 's',
    topic: 't',
    partition: number,
    maxTimestamp: 100,
    watermark: 90,
    idle: false,
    position: 0,
    lag: 0,
    ...change,
  })
  const clocks = (
    mode: 'watermark' | 'stream-time',
    ...partitions: ReturnType<typeof partition>[]
  ): WireSnapshot['clocks'] => ({
    mode,
    wall: 1_000,
    reference: 1_000,
    partitions,
  })
  it('[W2] takes the least watermark of the partitions that are not idle, and names who holds it back', () => {
    const facts = toClockFacts(
      clocks('watermark', partition(0), partition(1, { watermark: 50 }), partition(2, { watermark: 10, idle: true })),
    )
    expect(facts).toMatchObject({ title: 'Watermark', at: 50, newest: 100, heldBackBy: 't-1' })
  })
  it('blames no partition when all are equally far', () => {
    expect(toClockFacts(clocks('watermark', partition(0), partition(1))).heldBackBy).toBeNull()
  })
  it('[S7] takes the greatest timestamp in stream time', () => {
    expect(toClockFacts(clocks('stream-time', partition(0), partition(1, { maxTimestamp: 300 })))).toMatchObject({
      at: 300,
      title: 'Observed time',
    })
  })
  it('[W2] says for which partitions it waits, and shows how far the nodes are meanwhile', () => {
    const unread = { maxTimestamp: -1, watermark: -1 }
    const facts = toClockFacts(clocks('watermark', partition(0), partition(1, unread), partition(2, unread)), 40)
    expect(facts).toMatchObject({ at: 40, newest: 100, unread: ['t-1', 't-2'], heldBackBy: null, allIdle: false })
    expect(stateWords(facts)).toEqual(['Waits for t-1, t-2: nothing read there yet.'])
    expect(stateWords({ ...facts, unread: ['t-1', 't-2', 't-3'] })[0]).toContain('t-1, t-2 and 1 more partition:')
  })
  it('says that the clock stands when all partitions are idle', () => {
    const facts = toClockFacts(clocks('watermark', partition(0, { idle: true }), partition(1, { idle: true })), 70)
    expect(facts).toMatchObject({ at: 70, newest: 100, unread: [], allIdle: true })
    expect(stateWords(facts)).toEqual(['All partitions are idle: the clock stands.'])
    expect(stateWords({ ...facts, at: -1 })).toEqual(['All partitions are idle.'])
  })
  it('says nothing of partitions that are all read, and that nothing was when so', () => {
    expect(stateWords(toClockFacts(clocks('watermark', partition(0), partition(1))))).toEqual([])
    expect(stateWords(toClockFacts(clocks('watermark', partition(0, { maxTimestamp: -1, watermark: -1 }))))).toEqual([
      'Nothing read yet.',
    ])
  })
  it('has no time before anything was read', () => {
    expect(toClockFacts(clocks('watermark')).at).toBe(-1)
    expect(toClockFacts(clocks('stream-time', partition(0, { maxTimestamp: -1 }))).at).toBe(-1)
  })
})

describe('withSplit', () => {
  const split = {
    node: 'n',
    key: 'k0',
    recordBytes: '22',
    timerBytes: '6b',
    recordLane: 0,
    timerLane: 6,
    laneCount: 8,
    proven: true,
  }
  it('[A2] gives an affinity error of a node its proven split', () => {
    expect(withSplit(error('TIMER_LANE_AFFINITY', { node: 'n' }), split)?.split?.key).toBe('k0')
    expect(withSplit(error('TIMER_LANE_AFFINITY', { node: 'other' }), split)?.split).toBeUndefined()
    expect(withSplit(error('PROCESSING'), split)?.split).toBeUndefined()
  })
})

it('reads the missing topics of an error, and nothing else', () => {
  expect(missingTopics(error('TOPIC_MISSING', { topics: [{ topic: 'a', partitions: 4 }, 'b'] }))).toEqual([
    { topic: 'a', partitions: 4 },
  ])
  expect(missingTopics(error('TOPIC_MISSING', { topic: 'a' }))).toEqual([])
  expect(missingTopics(error('OTHER', { topics: [{ topic: 'a', partitions: 4 }] }))).toEqual([])
})

it('lets hours grow', () => {
  expect(formatUptime(1_184_999)).toBe('00:19:44')
  expect(formatUptime(360_000_000)).toBe('100:00:00')
})

describe('placeOf', () => {
  it('is where the code threw, else where its first problem is', () => {
    const where = { file: 'sum.ts', line: 3, column: 4 }
    expect(placeOf({ ...error('PROCESSING_FAILED'), where })).toEqual(where)
    const problems = [{ file: 'relay.ts', line: 2, message: 'm' }]
    expect(placeOf(error('PROJECT_CODE', { problems }))).toEqual({ file: 'relay.ts', line: 2, column: 1 })
  })
  it('is nowhere of an error that is not about code', () => {
    expect(placeOf(error('TOPIC_MISSING'))).toBeNull()
    expect(placeOf(error('PROJECT_CODE', { problems: [] }))).toBeNull()
    expect(placeOf(error('PROJECT_CODE', { problems: [{ file: 'relay.ts' }] }))).toBeNull()
  })
})

describe('guards of a run', () => {
  it('are those of the run before those of the settings, before the engine’s own', () => {
    const settings = { 'timer.lane-affinity.guard': 'off', 'future-timestamp.guard': 'warn' }
    expect(guardsOf({ 'timer.lane-affinity.guard': 'warn' }, settings)).toEqual([
      { name: 'Lane guard', value: 'warn', from: 'this run' },
      { name: 'Future guard', value: 'warn', from: 'settings' },
    ])
    expect(guardsOf(undefined, {}).map(({ value, from }) => [value, from])).toEqual([
      ['error', 'default'],
      ['reject', 'default'],
    ])
  })
  it('are named in the bar as people speak of them', () => {
    expect(overrideWords({ 'future-timestamp.guard': 'off', 'lanes.count': 3 })).toEqual([
      'future guard: off',
      'lanes.count: 3',
    ])
    expect(overrideWords(undefined)).toEqual([])
  })
})

it('finds the warning about state that starts empty, and no other', () => {
  const log = (n: number, level: 'warn' | 'info', message: string) => ({
    n,
    at: 0,
    type: 'log' as const,
    level,
    message,
  })
  const said =
    'This run goes on from t-0 @ 5, but state is kept in memory in this version, so it starts empty: store "s".'
  expect(lostState(addRareEvents(emptyJournal, [log(1, 'warn', 'other'), log(2, 'warn', said)]))).toBe(said)
  expect(lostState(addRareEvents(emptyJournal, [log(1, 'warn', 'other'), log(2, 'info', said)]))).toBeNull()
})

it('names the one store that starts empty, and says "state and timers" of all of them', () => {
  const one = 'What the last run kept in "counts" was written in another format, so it starts empty, as a new one does.'
  expect(whatStartsEmpty(one)).toBe('"counts" starts empty.')
  const all = 'This run goes on from t-0 @ 5, but nothing has kept its state, so it starts empty: store "s".'
  expect(whatStartsEmpty(all)).toBe('State and timers start empty.')
})
