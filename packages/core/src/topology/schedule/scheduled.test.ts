import { describe, expect, it } from 'vitest'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { StreamError } from '../../errors/StreamError.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { seconds } from '../../time/durations.js'
import { validate } from '../../validation/validate.js'
import { Consumed } from '../Consumed.js'
import { Produced } from '../Produced.js'
import { parseConfig } from '../parseConfig.js'
import { Topology } from '../Topology.js'
import type { Schedule } from './Schedule.js'
import type { EmitScheduled, ScheduledOptions } from './ScheduledSource.js'

const emit: EmitScheduled<string, number> = ({ at }) => [{ key: 'all', value: at }]
const ten: Schedule = { every: seconds(10) }
const consumed = Consumed.with(string, json<number>())
const produced = Produced.with(string, json<number>())
const pass = { get: () => ({ process: () => undefined }), sameKey: true as const }
const compile = (topology: Topology) => topology.compile(parseConfig({}))

const ticking = () => new Topology().scheduled('tick', ten, emit, { keySerde: string, valueSerde: json<number>() })

describe('Topology.scheduled', () => {
  it('[P1] is a source with a schedule instead of topics', () => {
    const { source } = compile(ticking().addSink('out', 'out', 'tick')).node('tick')
    expect(source).toMatchObject({ topics: [], laneBy: 'key', keyForm: 'serde' })
    expect(source?.pattern).toBeUndefined()
    expect(source?.schedule).toMatchObject({ schedule: ten, missed: 'one', keySerde: string })
    expect([...(source?.schedule?.emit({ at: 7 }) ?? [])]).toEqual([{ key: 'all', value: 7 }])
  })

  it('[P1] keeps what is said about missed ticks, and about lanes', () => {
    const topology = new Topology().scheduled('tick', ten, emit, { keySerde: string, missed: 'all', numberOfLanes: 3 })
    const compiled = compile(topology.addSink('out', 'out', produced, 'tick'))
    expect(compiled.node('tick').source?.schedule?.missed).toBe('all')
    expect(compiled.subTopologies[0]).toMatchObject({
      laneCount: 3,
      laneCountFrom: { by: 'numberOfLanes', node: 'tick' },
    })
  })

  it('[B2] [T4] declares its serdes for the records behind it', () => {
    const timed = {
      get: () => ({ process: () => undefined, onTimer: () => undefined }),
      timers: ['event-time'] as const,
    }
    const compiled = compile(ticking().addProcessor('late', timed, 'tick').addSink('out', 'out', 'tick'))
    expect(compiled.node('late').timerKey).toMatchObject({ status: 'declared', label: 'string', node: 'tick' })
    expect(compiled.node('out').value.label).toBe('json')
  })

  it('[W2] [T12] is no topic source of what lies behind it, and names the nodes whose clocks it goes by', () => {
    const topology = ticking()
      .addSource('events', consumed, 'in')
      .addProcessor('alone', pass, 'tick')
      .addProcessor('both', pass, 'tick', 'events')
      .addSink('beyond', 'out', produced, 'both')
      .addSink('other', 'other', produced, 'events')
    const compiled = compile(topology)
    const sources = ['tick', 'events', 'alone', 'both', 'beyond'].map((name) => compiled.node(name).sources)
    expect(sources).toEqual([[], ['events'], [], ['events'], ['events']])
    expect(compiled.node('tick').source?.schedule?.clockNodes).toEqual(['both', 'beyond'])
    expect(compiled.subTopologies.flatMap((sub) => sub.sources)).toEqual(['events'])
  })

  it('[T12] goes by clocks behind a boundary too', () => {
    const store = Stores.inMemoryKeyValue('s', string, string)
    const rekey = { get: () => ({ process: () => undefined }) }
    const topology = ticking()
      .addSource('events', consumed, 'in')
      .addProcessor('rekey', rekey, 'tick')
      .addProcessor('keep', pass, 'rekey', 'events')
      .addStateStore(store, 'keep')
    const compiled = compile(topology)
    expect(compiled.boundaries.map(({ from, to }) => `${from}->${to}`)).toContain('rekey->keep')
    expect(compiled.node('tick').source?.schedule?.clockNodes).toEqual(['keep'])
  })

  it('[B5] [L4] is described by its schedule, and by the serde that lanes it', () => {
    const compiled = compile(ticking().addSink('out', 'out', produced, 'tick'))
    expect(compiled.describe()).toContain('    Source: tick (schedule: every 10000 ms)\n      --> out\n')
    expect(compiled.describeLanes()).toContain('laned by what the key serde writes of tick')
    expect(compiled.describeLanes()).not.toContain('raw key bytes')
  })

  it('has no findings of its own: it reads no bytes, and no topic bounds its times', () => {
    const config = parseConfig({})
    const timed = {
      get: () => ({ process: () => undefined, onTimer: () => undefined }),
      timers: ['event-time'] as const,
    }
    const topology = new Topology()
      .scheduled('tick', ten, emit, { keySerde: string })
      .addProcessor('late', timed, 'tick')
    const rules = validate({ topology: topology.compile(config), config, samples: new Map() }).map(
      (finding) => finding.rule,
    )
    expect(rules).not.toContain('missing-serde')
    expect(rules).not.toContain('future-timestamp')
    expect(rules).not.toContain('timer-key-lane-affinity')
  })

  it('[V9] is named by its schedule when nothing comes after it', () => {
    const config = parseConfig({})
    const [finding] = validate({ topology: ticking().compile(config), config, samples: new Map() })
    expect(finding).toMatchObject({ rule: 'unreachable-node', node: 'tick' })
    expect(finding?.title).toContain('tick ticks and hands')
    expect(finding?.message).toContain('tick makes records every 10000 ms, but no node')
  })

  type Wrong = { schedule?: unknown; emit?: unknown; options?: unknown }
  it.each<[Wrong, string]>([
    [{ schedule: { every: 0 } }, 'The schedule of "tick" is wrong. "every" must be'],
    [{ schedule: { cron: '0 0 30 2 *', zone: 'UTC' } }, 'never comes'],
    [{ emit: undefined }, 'needs a function'],
    [{ options: {} }, 'needs a keySerde'],
    [{ options: { keySerde: string, missed: 'none' } }, 'must be one of one, all, skip; got "none"'],
    [{ options: { keySerde: string, numberOfLanes: 0 } }, 'numberOfLanes must be an integer of at least 1'],
  ])('[P1] refuses %j', (wrong, message) => {
    const given = { schedule: ten, emit, options: { keySerde: string }, ...wrong } as {
      schedule: Schedule
      emit: EmitScheduled<string, number>
      options: ScheduledOptions<string, number>
    }
    for (const build of [
      () => new Topology().scheduled('tick', given.schedule, given.emit, given.options),
      () => new StreamsBuilder().scheduled('tick', given.schedule, given.emit, given.options),
    ]) {
      expect(build).toThrow(StreamError)
      expect(build).toThrow(message)
    }
  })

  it('refuses a name that is taken, or none', () => {
    expect(() => ticking().scheduled('tick', ten, emit, { keySerde: string })).toThrow('already added')
    expect(() => new StreamsBuilder().scheduled('', ten, emit, { keySerde: string })).toThrow('cannot be empty')
  })
})

describe('StreamsBuilder.scheduled', () => {
  it('[P1] is a stream like any other, and uses up no generated name', () => {
    const builder = new StreamsBuilder()
    builder
      .scheduled('tick', ten, emit, { keySerde: string, valueSerde: json<number>() })
      .mapValues((at) => at + 1)
      .to('out')
    const compiled = compile(builder.build())
    expect(compiled.nodes.map((node) => node.name)).toEqual([
      'tick',
      'KSTREAM-MAPVALUES-0000000000',
      'KSTREAM-SINK-0000000001',
    ])
    expect(compiled.node('KSTREAM-SINK-0000000001').key.label).toBe('string')
  })
})
