import { describe, expect, it } from 'vitest'
import { FutureTimestampException, StreamError } from '../../errors/index.js'
import { partitionOf } from '../../lanes/murmur2.js'
import { fromHex } from '../../model/bytes.js'
import { Headers } from '../../model/Headers.js'
import { OwnRecord } from '../../model/OwnRecord.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import type { LogRecord, OutputRecord, TopicInfo } from '../RecordLog.js'
import { SourceRecord } from '../reading/SourceRecord.js'
import { ErrorGates } from './ErrorGates.js'

function gates(
  config: { readonly [key: string]: unknown } = {},
  partitions: { readonly [topic: string]: number } = {},
  limits: { readonly now?: number; readonly maxAheadMs?: number } & Pick<
    TopicInfo,
    'maxTimestampAheadMs' | 'maxTimestampBehindMs'
  > = {},
) {
  const { now = 0, maxAheadMs = Number.POSITIVE_INFINITY, ...ofTopic } = limits
  const outputs: OutputRecord[] = []
  const dropped: unknown[][] = []
  const made = new ErrorGates({
    config: parseConfig({ 'application.id': 'test', ...config }),
    isGlobal: (node) => node === 'global',
    topics: new Map(
      Object.entries(partitions).map(([topic, count]) => [topic, { topic, partitions: count, ...ofTopic }]),
    ),
    emitOutput: (output) => outputs.push(output),
    now: () => now,
    maxAheadMs: (topic) => (topic === 'in' ? maxAheadMs : Number.NaN),
    dropped: (...args) => dropped.push(args),
  })
  return { made, outputs, dropped }
}

const raw: LogRecord = {
  offset: 7,
  timestamp: 11,
  key: fromHex('6b30'),
  value: fromHex('01'),
  headers: [{ key: 'own', value: fromHex('02') }],
}
/** The extracted time differs from the record's own. */
const source = new SourceRecord('in', 2, 7, 99, raw)

const text = (bytes: Uint8Array | null | undefined) => bytes && new TextDecoder().decode(bytes)
const refusal = { node: 'node', reason: 'processing' } as const
const DEAD = { 'errors.dead.letter.queue.topic.name': 'dead' }

describe('asking a handler', () => {
  it('[G1] [E4] production: retry makes it a fault that may pass, and drops nothing; the other gates know no such thing', () => {
    const { made, dropped } = gates({ 'production.exception.handler': 'retry' })
    const of = (gate: 'production' | 'processing') => made.ask(gate, new Error('why'), 'node', source, 'k0')
    expect([of('production'), of('processing')]).toMatchObject([{ retriable: true }, { retriable: false }])
    expect(dropped).toEqual([])
  })

  it.each(['STATE_CORRUPT', 'STATE_UNAVAILABLE'] as const)(
    '[G1] [E4] no handler hears of %s: that record would be skipped for a fault of the state',
    (code) => {
      const { made, dropped } = gates({ 'processing.exception.handler': 'continue' })
      const error = new StreamError('why', { code, kind: 'operational', retriable: false })
      expect(made.ask('processing', error, 'node', source, 'k0')).toBe(error)
      const other = new StreamError('why', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: false })
      expect(made.ask('processing', other, 'node', source, 'k0')).toBeUndefined()
      expect(dropped).toHaveLength(1)
    },
  )

  it.each([
    ['deserialization', 'DESERIALIZATION_FAILED', 'default.deserialization.exception.handler'],
    ['processing', 'PROCESSING_FAILED', 'processing.exception.handler'],
    ['production', 'PRODUCTION_FAILED', 'production.exception.handler'],
  ] as const)(
    '[G1] [G2] %s: fail wraps once, with coordinates and the way out; continue drops',
    (gate, code, handler) => {
      const { made, dropped } = gates()
      const wrapped = made.ask(gate, new Error('why'), 'node', source, 'k0', 6) as StreamError
      expect(wrapped).toMatchObject({
        code,
        kind: 'user',
        retriable: false,
        context: { node: 'node', lane: 6, key: 'k0', topic: 'in', partition: 2, offset: 7, timestamp: 99 },
      })
      for (const part of ['"node"', 'in-2 @ 7', 'k0', 'why', handler]) expect(wrapped.message).toContain(part)
      expect(made.ask('processing', wrapped, 'parent', source, 'k0', 6)).toBe(wrapped)
      expect(dropped).toEqual([])
      const going = gates({ [handler]: 'continue' })
      expect(going.made.ask(gate, new Error('why'), 'node', source, 'k0', 6)).toBeUndefined()
      const told = 'Node "node" failed at in-2 @ 7, key k0: why.'
      expect(wrapped.message).toBe(`${told} To go on without such records, set ${handler} to continue.`)
      // The handler is set: whoever reads of the dropped record knows it.
      expect(going.dropped).toEqual([[gate, 'node', source, told, 6]])
    },
  )

  it.each([
    [new Error('no stop'), 'no stop. To'],
    [new Error('a stop.'), 'a stop. To'],
    [new Error('really?'), 'really? To'],
    [new Error('so it is! '), 'so it is! To'],
    [new TypeError(''), 'TypeError. To'],
  ])('[G2] ends what %s says as a sentence', (error, part) => {
    const wrapped = gates().made.ask('processing', error, 'node', source, 'k0') as StreamError
    expect(wrapped.message).toContain(`k0: ${part}`)
  })

  it('[G2] never asks about a fatal error, and leaves it as it is', () => {
    const { made, outputs } = gates({ 'processing.exception.handler': 'continue', ...DEAD }, { dead: 1 })
    const fatal = new FutureTimestampException('far', {})
    expect(made.ask('processing', fatal, 'node', source, 'k', 0)).toBe(fatal)
    expect(outputs).toEqual([])
  })

  it('[G2] keeps the code of our own error, except that of a mere illegal state', () => {
    const { made } = gates()
    const own = (code: 'TIMER_INVALID' | 'ILLEGAL_STATE') =>
      new StreamError('x', { code, kind: 'user', retriable: false })
    expect(made.ask('processing', own('TIMER_INVALID'), 'n', null, undefined)).toMatchObject({ code: 'TIMER_INVALID' })
    expect(made.ask('processing', own('ILLEGAL_STATE'), 'n', null, undefined)).toMatchObject({
      code: 'PROCESSING_FAILED',
    })
  })

  it('[D1] under compat a value of the wrong type is no matter for the handler of outputs', () => {
    const wrongType = new StreamError('not text', { code: 'SERIALIZATION_FAILED', kind: 'user', retriable: false })
    const options = { code: 'PRODUCTION_FAILED', kind: 'user', retriable: false } as const
    const atSink = new StreamError('sink', { ...options, cause: wrongType })
    const own = new StreamError('sink', { ...options, cause: new Error('cannot write') })
    const going = { 'production.exception.handler': 'continue', 'processing.exception.handler': 'continue', ...DEAD }
    const emulating = gates({ ...going, compat: 'kafka-streams' }, { dead: 1 })
    expect(emulating.made.ask('production', atSink, 'n', source, 'k')).toBe(atSink)
    expect([emulating.outputs, emulating.dropped]).toEqual([[], []])
    expect(emulating.made.ask('production', own, 'n', source, 'k')).toBeUndefined()
    expect(emulating.made.ask('processing', atSink, 'n', source, 'k')).toBeUndefined()
    expect(gates(going, { dead: 1 }).made.ask('production', atSink, 'n', source, 'k')).toBeUndefined()
  })

  it('[D1] under compat an output that cannot be written goes on to the processor in front, with a letter each (C.8)', () => {
    const options = { code: 'PRODUCTION_FAILED', kind: 'user', retriable: false } as const
    const atSink = (context: object) =>
      new StreamError('sink', { ...options, context, cause: new Error('cannot write') })
    const going = { 'processing.exception.handler': 'continue', compat: 'kafka-streams', ...DEAD }
    const { made, outputs, dropped } = gates(going, { dead: 1 })
    const thrown = made.ask('production', atSink({ topic: 'out', timestamp: 5 }), 'sink', source, 'k')
    expect(thrown).toMatchObject({ code: 'PRODUCTION_FAILED' })
    expect(made.ask('processing', thrown, 'parent', source, 'k')).toBeUndefined()
    expect(dropped.map(([gate, node]) => [gate, node])).toEqual([['processing', 'parent']])
    const messages = outputs.map(({ headers }) => text(headers[2]?.value))
    const unable = 'Unable to serialize record. ProducerRecord(topic=[out], partition=[null], timestamp=[5]'
    expect(messages).toEqual(['cannot write', unable])
    const other = made.ask('production', atSink({ topic: 'out' }), 'sink', source, 'k') as StreamError
    expect(made.ask('processing', other, 'parent', source, 'k')).toBeUndefined()
    expect(text(outputs[3]?.headers[2]?.value)).toBe(other.message)
    const repairing = gates({ ...going, compat: 'repair' }, { dead: 1 }).made
    const gated = repairing.ask('production', atSink({}), 'sink', source, 'k')
    expect(repairing.ask('processing', gated, 'parent', source, 'k')).toBe(gated)
  })

  it('[D1] under compat an output that is let go leaves no letter: Kafka Streams has no handler that would (C.8)', () => {
    const going = { 'production.exception.handler': 'continue', ...DEAD }
    const letters = (compat: string, config: object = going) => {
      const { made, outputs } = gates({ ...config, compat }, { dead: 1 })
      made.ask('production', new Error('why'), 'sink', source, 'k')
      return outputs.length
    }
    expect([letters('kafka-streams'), letters('repair'), letters('kafka-streams', DEAD)]).toEqual([0, 1, 1])
  })

  it('[D1] under compat the processor in front hears of a key that suppress cannot write, not suppress itself (H-7)', () => {
    const going = { 'processing.exception.handler': 'continue', compat: 'kafka-streams', ...DEAD }
    const { made, outputs, dropped } = gates(going, { dead: 1 })
    const wrongType = new StreamError('not text', { code: 'SERIALIZATION_FAILED', kind: 'user', retriable: false })
    const item = { coordinates: source, record: { key: 'k' }, lane: 0 } as unknown as WorkItem
    const node = (operator: string) => ({ name: operator, compiled: { facts: { operator } } }) as NodeRuntime
    expect(made.processingFailed(wrongType, node('suppress'), item)).toBe(wrongType)
    expect([outputs, dropped]).toEqual([[], []])
    expect(made.processingFailed(wrongType, node('windowed-count'), item)).toBeUndefined()
    expect(dropped.map(([, name]) => name)).toEqual(['windowed-count'])
    const other = gates(going, { dead: 1 })
    expect(other.made.processingFailed(wrongType, node('windowed-count'), item)).toBeUndefined()
    expect(other.made.processingFailed(new Error('why'), node('suppress'), item)).toBeUndefined()
    const repairing = gates({ ...going, compat: 'repair' }).made
    expect(repairing.processingFailed(wrongType, node('suppress'), item)).toBeUndefined()
  })

  it('[G1] a letter has the bytes of its source record, and the time and headers of the record that failed (C.8)', () => {
    const { made, outputs } = gates({ 'processing.exception.handler': 'continue', ...DEAD }, { dead: 1 })
    const item = { coordinates: source, record: { key: 'k' }, lane: 0 } as unknown as WorkItem
    const input = new OwnRecord<unknown, unknown>('k', 'v', 55, Headers.empty.with('new', fromHex('03')))
    const node = { name: 'node', compiled: {} } as NodeRuntime
    made.processingFailed(new Error('why'), node, item, input)
    made.processingFailed(new Error('why'), node, item)
    expect(outputs.map(({ timestamp, value }) => [timestamp, value])).toEqual([
      [55, raw.value],
      [11, raw.value],
    ])
    expect(outputs.map(({ headers }) => headers[0]?.key)).toEqual(['new', 'own'])
  })

  it('[G1] hears of what fills a global store only when it is told to', () => {
    const going = { 'processing.exception.handler': 'continue', ...DEAD }
    const deaf = gates(going, { dead: 1 })
    const wrapped = deaf.made.ask('processing', new Error('why'), 'global', source, 'k') as StreamError
    expect(wrapped.message).toContain('set processing.exception.handler.global.enabled to true')
    expect(deaf.made.ask('processing', wrapped, 'parent', source, 'k')).toBe(wrapped)
    expect([deaf.outputs, deaf.dropped]).toEqual([[], []])
    expect(deaf.made.ask('deserialization', new Error('why'), 'global', source, 'k')).toBeInstanceOf(StreamError)
    const told = gates({ ...going, 'processing.exception.handler.global.enabled': true }, { dead: 1 })
    expect(told.made.ask('processing', new Error('why'), 'global', source, 'k')).toBeUndefined()
    expect([told.outputs.length, told.dropped.length]).toEqual([1, 1])
  })

  it('[D1] under compat writes no dead letter for what fills a global store', () => {
    const going = { 'deserialization.exception.handler': 'continue', compat: 'kafka-streams', ...DEAD }
    const { made, outputs, dropped } = gates(going, { dead: 1 })
    expect(made.ask('deserialization', new Error('why'), 'global', source, 'k')).toBeUndefined()
    expect([outputs.length, dropped.length]).toEqual([0, 1])
    expect(made.ask('deserialization', new Error('why'), 'other', source, 'k')).toBeUndefined()
    expect(outputs).toHaveLength(1)
  })

  it.each(['text', undefined, null, 5])('[G2] takes %j for an error as well', (thrown) => {
    const { made } = gates()
    const wrapped = made.ask('processing', thrown, 'n', null, undefined) as StreamError
    expect(wrapped.message).toContain(String(thrown))
    expect(wrapped.message).toContain('in a timer')
    expect(wrapped.cause).toBe(thrown)
    expect(wrapped.context).toEqual({ node: 'n' })
  })
})

describe('a dead letter', () => {
  it('[G1] is the raw source record, its own headers first, also when the handler says fail', () => {
    const { made, outputs } = gates(DEAD, { dead: 4 })
    made.ask('processing', new TypeError('why'), 'node', source, 'k0', 6)
    expect(outputs).toHaveLength(1)
    expect(outputs[0]).toMatchObject({
      topic: 'dead',
      partition: partitionOf(fromHex('6b30'), 4),
      key: raw.key,
      value: raw.value,
      timestamp: 11,
    })
    expect(outputs[0]?.headers.map(({ key, value }) => [key, key.endsWith('trace') ? '' : text(value)])).toEqual([
      ['own', '\u0002'],
      ['__streams.errors.exception', 'TypeError'],
      ['__streams.errors.message', 'why'],
      ['__streams.errors.stacktrace', ''],
      ['__streams.errors.topic', 'in'],
      ['__streams.errors.partition', '2'],
      ['__streams.errors.offset', '7'],
    ])
  })

  it.each(['deserialization', 'production'] as const)('[G1] of a failed %s tells what the serde threw', (gate) => {
    const { made, outputs } = gates(DEAD, { dead: 1 })
    const thrown = new RangeError('cannot read')
    made.ask(gate, new Error('outer', { cause: new Error('inner', { cause: thrown }) }), 'node', source, 'k0')
    const headers = new Map(outputs[0]?.headers.map(({ key, value }) => [key, text(value)]))
    expect(headers.get('__streams.errors.exception')).toBe('RangeError')
    expect(headers.get('__streams.errors.message')).toBe('cannot read')
  })

  it("[G1] of a callback tells what it threw, not that error's own cause", () => {
    const { made, outputs } = gates(DEAD, { dead: 1 })
    made.ask('processing', new TypeError('outer', { cause: new Error('inner') }), 'node', source, 'k0')
    expect(text(outputs[0]?.headers.find(({ key }) => key.endsWith('message'))?.value)).toBe('outer')
  })

  it('[G1] of a punctuator bears the time that it was called with', () => {
    const { made, outputs } = gates(DEAD, { dead: 1 })
    made.ask('processing', 'why', 'node', null, undefined, 0, 'in a punctuator', 17)
    made.ask('processing', 'why', 'node', source, undefined, 0, 'in a punctuator', 17)
    expect(outputs.map(({ timestamp }) => timestamp)).toEqual([17, 11])
  })

  it('[G1] of a timer has no record, and says so', () => {
    const { made, outputs } = gates(DEAD, { dead: 1 })
    made.ask('processing', 'why', 'node', null, 'k0', 6)
    expect(outputs[0]).toMatchObject({ key: null, value: null, timestamp: 0, partition: 0 })
    const headers = new Map(outputs[0]?.headers.map(({ key, value }) => [key, text(value)]))
    expect(headers.get('__streams.errors.topic')).toBeNull()
    expect(headers.get('__streams.errors.partition')).toBe('-1')
    expect(headers.get('__streams.errors.offset')).toBe('-1')
  })

  it('[L3] with a null key goes round the partitions', () => {
    const { made, outputs } = gates(DEAD, { dead: 2 })
    for (let i = 0; i < 3; i++) made.deadLetter(null, [], refusal)
    expect(outputs.map(({ partition }) => partition)).toEqual([0, 1, 0])
  })

  it('is not sent where no topic is named, or the topic is unknown', () => {
    const none = gates()
    none.made.deadLetter(source, [], refusal)
    const unknown = gates(DEAD)
    unknown.made.deadLetter(source, [], refusal)
    expect([...none.outputs, ...unknown.outputs]).toEqual([])
  })
})

describe('the time of a dead letter', () => {
  const sent = (limits: Parameters<typeof gates>[2], config = {}, of: SourceRecord | null = source) => {
    const { made, outputs } = gates({ ...DEAD, ...config }, { dead: 1 }, limits)
    made.deadLetter(of, [], { ...refusal, at: 11 })
    const headers = outputs[0]?.headers.filter(({ key }) => key.startsWith('__lanescope'))
    return [outputs[0]?.timestamp, headers?.map(({ key, value }) => `${key}=${text(value)}`)]
  }
  const moved = (now: number) => [now, ['__lanescope.errors.timestamp=11']]
  const kept = [11, []]

  it('[F6] is that of its record up to the bound of its source, else the wall clock, with the record’s own beside it', () => {
    expect(sent({ now: 5, maxAheadMs: 6 })).toEqual(kept)
    expect(sent({ now: 4, maxAheadMs: 6 })).toEqual(moved(4))
  })

  it('[F6] keeps within what its topic takes', () => {
    expect(sent({ now: 5, maxTimestampAheadMs: 6 })).toEqual(kept)
    expect(sent({ now: 4, maxTimestampAheadMs: 6 })).toEqual(moved(4))
    expect(sent({ now: 17, maxTimestampBehindMs: 6 })).toEqual(kept)
    expect(sent({ now: 18, maxTimestampBehindMs: 6 })).toEqual(moved(18))
    expect(sent({ now: 4, maxAheadMs: 100, maxTimestampAheadMs: 6 })).toEqual(moved(4))
  })

  it('[F6] of no record has no source’s bound, but its topic’s limit', () => {
    expect(sent({ now: 0, maxAheadMs: 1 }, {}, null)).toEqual(kept)
    expect(sent({ now: 4, maxTimestampAheadMs: 6 }, {}, null)).toEqual(moved(4))
  })

  it('[F6] [S6] knows no bound where Kafka Streams is emulated, as there', () => {
    const compat = { compat: 'kafka-streams' }
    expect(sent({ now: 4, maxAheadMs: 6 }, compat)).toEqual(kept)
    expect(sent({ now: 4, maxTimestampAheadMs: 6 }, compat)).toEqual(moved(4))
  })
})

it('[G1] a dead letter tells node, lane and reason where they are asked for', () => {
  const { made, outputs } = gates({ ...DEAD, 'errors.dead.letter.extra-headers': true }, { dead: 1 })
  made.ask('production', 'why', 'node', source, 'k0', 6)
  made.ask('processing', 'why', 'other', null, 'k0')
  const ours = outputs.map(({ headers }) =>
    headers.filter(({ key }) => key.startsWith('__lanescope')).map(({ key, value }) => `${key}=${text(value)}`),
  )
  expect(ours).toEqual([
    ['__lanescope.errors.node=node', '__lanescope.errors.lane=6', '__lanescope.errors.reason=production'],
    ['__lanescope.errors.node=other', '__lanescope.errors.reason=processing'],
  ])
})
