import type { EngineEvent } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { rareEvent } from './schemas/frame.js'
import { toRareEvent, toSample, toTimerEvent, valueText } from './wireEvents.js'

const coordinates = { topic: 't', partition: 1, offset: 2, timestamp: 3 }
const quoted = Uint8Array.of(0x22, 0x6b, 0x30, 0x22)
const bare = Uint8Array.of(0x6b, 0x30)
const segment = { store: 's', segment: 1, from: 0, to: 60, entries: 2, bytes: 9, clockBefore: 1, clockAfter: 2 }
const blast = { segments: [], windows: [], timers: [], refuses: [] }

const rare: EngineEvent[] = [
  {
    type: 'lane-split-proven',
    node: 'n',
    key: 'k0',
    recordBytes: quoted,
    timerBytes: bare,
    recordLane: 0,
    timerLane: 6,
    laneCount: 8,
    coordinates,
  },
  { type: 'segment-created', ...segment, causedBy: null },
  { type: 'segment-expired', ...segment, causedBy: coordinates },
  { type: 'partition-idle', source: 's', topic: 't', partition: 0, behindMs: 0 },
  { type: 'partition-returned', source: 's', topic: 't', partition: 0, behindMs: 5 },
  {
    type: 'future-timestamp',
    verdict: 'rejected',
    source: 's',
    coordinates,
    aheadMs: 2,
    boundMs: 1,
    referenceClock: 0,
    key: null,
    blast,
  },
  {
    type: 'record-dropped',
    reason: 'late_window',
    node: 'n',
    store: 's',
    lane: 3,
    coordinates,
    detail: 'd',
    movedBy: null,
  },
  { type: 'silent-loss', reason: 'grey_zone', node: 'n', coordinates, detail: 'd' },
  {
    type: 'epoch-committed',
    epoch: 1,
    at: 7,
    records: 1,
    outputs: 2,
    timersFired: 3,
    runMs: 4,
    cutMs: 5,
    commitMs: 6,
    slowest: { node: 'n', lane: 2, key: 'k', ms: 5 },
  },
  {
    ...({ type: 'epoch-aborted', epoch: 2, at: 7, message: 'why' } as const),
    ...{ records: 40, outputs: 9, timersFired: 2, runMs: 81 },
    inDoubt: 1,
    restart: { attempt: 1, of: 5, delayMs: 100, cutsBefore: { topic: 't', partition: 0, offset: 4 } },
  },
  { type: 'state-changed', from: 'running', to: 'failed' },
  { type: 'log', level: 'warn', at: 7, node: 'n', message: 'm' },
  { type: 'log', level: 'info', at: 7, message: 'm' },
  {
    type: 'log',
    level: 'info',
    at: 7,
    lane: 3,
    coordinates: { topic: 't', partition: 0, offset: 1, timestamp: 2 },
    message: 'm',
  },
  { type: 'error', code: 'C', kind: 'user', message: 'm', context: { lane: 1 }, fatal: true },
]

describe('toRareEvent', () => {
  it.each(rare)('makes an event of $type that the page reads', (event) => {
    const made = toRareEvent(event, 7)
    expect(rareEvent.safeParse({ ...made, n: 1 }).error).toBeUndefined()
    expect(made?.at).toBe(7)
  })

  it('shows bytes as hex, and a sampled split as not proven', () => {
    const [split] = rare
    expect(toRareEvent(split!, 7)).toMatchObject({
      type: 'split',
      proven: true,
      recordBytes: '226b3022',
      timerBytes: '6b30',
    })
    expect(toRareEvent({ ...split!, type: 'lane-split-sampled' } as EngineEvent, 7)).toMatchObject({ proven: false })
  })

  it('tells idle from returned, and committed from aborted', () => {
    const made = rare.map((event) => toRareEvent(event, 7))
    expect(made.filter((event) => event?.type === 'idle').map((event) => 'idle' in event! && event.idle)).toEqual([
      true,
      false,
    ])
    expect(made.filter((event) => event?.type === 'epoch')).toMatchObject([
      { outcome: 'committed', records: 1, outputs: 2, timersFired: 3, runMs: 4, cutMs: 5, commitMs: 6 },
      { outcome: 'aborted', message: 'why' },
    ])
  })

  it('keeps an unknown kind of error from passing as a user’s', () => {
    const error: EngineEvent = { type: 'error', code: 'C', kind: 'odd', message: 'm', context: {}, fatal: false }
    expect(toRareEvent(error, 7)).toMatchObject({ error: { kind: 'bug' }, fatal: false })
  })

  it('makes nothing of what comes at the rate of records', () => {
    expect(toRareEvent({ type: 'boundary-crossed', from: 'a', to: 'b', fromLane: 0, toLane: 1 }, 7)).toBeUndefined()
    expect(toRareEvent({ type: 'epoch-started', epoch: 1, at: 0 }, 7)).toBeUndefined()
  })
})

describe('samples and timers', () => {
  const forwarded = { type: 'record-forwarded', from: 'a', to: 'b', lane: 2, timestamp: 5, coordinates } as const

  it('shows a record with its key bytes, and null as null', () => {
    expect(toSample({ ...forwarded, key: 'k0', value: { a: 1 }, keyBytes: quoted }, 7)).toEqual({
      at: 7,
      from: 'a',
      to: 'b',
      lane: 2,
      key: 'k0',
      keyBytes: '226b3022',
      value: '{"a":1}',
      timestamp: 5,
      coordinates,
    })
    expect(toSample({ ...forwarded, key: null, value: undefined, keyBytes: null }, 7)).toMatchObject({
      key: null,
      keyBytes: null,
      value: null,
    })
  })

  it('shows a timer’s moments, named or not', () => {
    const facts = { node: 'n', lane: 1, domain: 'event-time', at: 9, key: 'k0', keyBytes: bare } as const
    const timer = { ...facts, keyBytes: '6b30' }
    expect(toTimerEvent({ ...facts, type: 'timer-registered' }, 7)).toEqual({ at: 7, what: 'registered', timer })
    expect(toTimerEvent({ ...facts, name: 'x', type: 'timer-replaced', previousAt: 8 }, 7)).toEqual({
      at: 7,
      what: 'replaced',
      timer: { ...timer, name: 'x' },
      previousAt: 8,
    })
    expect(toTimerEvent({ ...facts, type: 'timer-deleted' }, 7).what).toBe('deleted')
    expect(toTimerEvent({ ...facts, type: 'timer-fired', forwarded: 2 }, 7)).toMatchObject({
      what: 'fired',
      forwarded: 2,
    })
  })
})

describe('valueText', () => {
  it('cuts at 200 characters, and not before', () => {
    expect(valueText('x'.repeat(200))).toBe('x'.repeat(200))
    expect(valueText('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`)
    expect(valueText(new Uint8Array(5000))).toHaveLength(200)
    expect(valueText({ a: 'x'.repeat(500) })).toHaveLength(200)
  })

  it.each([
    [quoted, '22 6b 30 22'],
    [12n, '"12"'],
    [{ n: 12n, bytes: bare }, '{"n":"12","bytes":"6b30"}'],
    [new Map([['a', 1]]), '{"a":1}'],
    [new Set([1, 2]), '[1,2]'],
    [undefined, 'undefined'],
    [Symbol('s'), 'Symbol(s)'],
    [true, 'true'],
  ])('says %s as %s', (value, text) => {
    expect(valueText(value)).toBe(text)
  })

  it('says in words what cannot be written, instead of throwing', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(valueText(circle)).toMatch(/^\(no text: .*circular/i)
    const throwing = {
      toJSON() {
        throw new Error('no')
      },
    }
    expect(valueText(throwing)).toBe('(no text: no)')
  })
})
