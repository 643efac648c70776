import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { integer } from '../serde/numbers.js'
import { string } from '../serde/string.js'
import { uuid } from '../serde/uuid.js'
import { Stores } from '../state/builders/Stores.js'
import type { ResolvedSerde } from '../topology/CompiledTopology.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import { Grouped } from './Grouped.js'
import type { KStream } from './KStream.js'
import type { KTable } from './KTable.js'
import { Materialized } from './Materialized.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TimeWindows } from './TimeWindows.js'

const timers: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }), timers: ['event-time'] }
const windows = TimeWindows.ofSizeWithNoGrace(10)
const brief = ({ status, label, by, windowed }: ResolvedSerde) => [status, label, by, windowed === true]

interface Setup {
  readonly consumed?: Consumed<any, any>
  readonly grouped?: Grouped<any, any>
  readonly materialized?: Materialized<any, number>
  readonly rekeys?: boolean
}

/** stream → [selectKey] → groupByKey → count → toStream → { sink, timer processor } */
function counted({
  consumed = Consumed.with<any, any>(undefined, undefined),
  grouped,
  materialized,
  rekeys = false,
}: Setup) {
  const builder = new StreamsBuilder()
  const read: KStream<any, any> = builder.stream('in', consumed)
  const stream: KStream<any, any> = rekeys ? read.selectKey((_key, value) => value) : read
  const counts = stream.groupByKey(grouped).windowedBy(windows).count(materialized).toStream()
  counts.to('out')
  counts.process(timers)
  const compiled = builder.build().compile(parseConfig({ 'default.key.serde': 'uuid' }))
  const node = (prefix: string) => compiled.nodes.find(({ name }) => name.startsWith(prefix))!
  return {
    compiled,
    store: compiled.stores[0]!,
    sink: node('KSTREAM-SINK'),
    timerKey: node('KSTREAM-PROCESSOR').timerKey!,
    boundary: compiled.boundaries[0]?.key,
  }
}

describe('[B4] a windowed key', () => {
  it('keeps its serde through every operator behind the aggregation', () => {
    const { sink, store } = counted({ consumed: Consumed.with(json(), string) })
    expect(brief(store.key)).toEqual(['declared', 'json', 'Consumed', false])
    expect(brief(sink.key)).toEqual(['inherited', 'json', 'Consumed', true])
    expect(sink.sink?.keySerializer?.id).toBe('windowed(json,10)')
  })

  it('wraps the default too when nothing is declared (H-7)', () => {
    const { sink, timerKey } = counted({})
    expect(brief(sink.key)).toEqual(['defaulted', 'uuid', 'default.key.serde', true])
    expect(sink.sink?.keySerializer?.id).toBe('windowed(uuid,10)')
    expect(timerKey.serde?.id).toBe('windowed(uuid,10)')
  })
})

describe('the keys of a count (kafka-streams.md C.3)', () => {
  const consumed = Consumed.with(json(), string)
  const grouped = Grouped.with<any, any>(long, string)
  const materialized = Materialized.with<any, number>(integer, undefined)

  it('are stored by Materialized, before Grouped, before Consumed, before the default', () => {
    expect(brief(counted({ consumed, grouped, materialized }).store.key)).toEqual([
      'declared',
      'integer',
      'Materialized',
      false,
    ])
    expect(brief(counted({ consumed, grouped }).store.key)).toEqual(['declared', 'long', 'Grouped', false])
    expect(brief(counted({ consumed }).store.key)).toEqual(['declared', 'json', 'Consumed', false])
    expect(brief(counted({}).store.key)).toEqual(['defaulted', 'uuid', 'default.key.serde', false])
  })

  it('go on by what the store says', () => {
    expect(brief(counted({ consumed, materialized }).sink.key)).toEqual(['inherited', 'integer', 'Materialized', true])
    expect(brief(counted({ consumed, grouped }).sink.key)).toEqual(['inherited', 'long', 'Grouped', true])
  })

  it('[T4] are written for timers by what the path declares, and by Materialized only when nothing does', () => {
    expect(brief(counted({ consumed, materialized }).timerKey)).toEqual(['inherited', 'json', 'Consumed', true])
    expect(brief(counted({ grouped, materialized }).timerKey)).toEqual(['inherited', 'long', 'Grouped', true])
    const { timerKey } = counted({ materialized })
    expect(brief(timerKey)).toEqual(['inherited', 'integer', 'Materialized', true])
    expect(timerKey.candidates.find(({ by }) => by === 'Materialized')?.verdict).toBe('used')
    expect(timerKey.candidates[0]?.verdict).toBe('not-declared')
  })

  it('[B2] cross a boundary by Grouped, before Materialized, before the default; never by the old key', () => {
    expect(brief(counted({ consumed, grouped, materialized, rekeys: true }).boundary!)).toEqual([
      'declared',
      'long',
      'Grouped',
      false,
    ])
    expect(brief(counted({ consumed, materialized, rekeys: true }).boundary!)).toEqual([
      'declared',
      'integer',
      'Materialized',
      false,
    ])
    expect(brief(counted({ consumed, rekeys: true }).boundary!)).toEqual([
      'defaulted',
      'uuid',
      'default.key.serde',
      false,
    ])
  })
})

it('[T4] neither Grouped nor Materialized downstream writes timer keys', () => {
  const builder = new StreamsBuilder()
  const stream: KStream<any, any> = builder.stream('in', Consumed.deserializers(string, string))
  const grouped = Grouped.with<any, any>(long, string)
  const materialized = Materialized.with<any, number>(integer, undefined)
  stream
    .process({ ...timers, sameKey: true })
    .groupByKey(grouped)
    .windowedBy(windows)
    .count(materialized)
  const compiled = builder.build().compile(parseConfig({ 'default.key.serde': 'uuid' }))
  expect(brief(compiled.nodes[1]!.timerKey!)).toEqual(['defaulted', 'uuid', 'default.key.serde', false])
})

describe('the values of a count', () => {
  it('are longs, unless Materialized says otherwise', () => {
    const { sink, store } = counted({})
    expect(brief(sink.value)).toEqual(['inherited', 'long', 'Materialized', false])
    expect(store.value.serde?.id).toBe('valueAndTimestamp(long)')
    const other = counted({ materialized: Materialized.with<any, number>(undefined, integer) })
    expect(other.sink.value.label).toBe('integer')
    expect(other.store.value.serde?.id).toBe('valueAndTimestamp(integer)')
  })
})

it('keeps value operators from passing a value serde on, and filters from losing it', () => {
  const builder = new StreamsBuilder()
  const stream = builder.stream('in', Consumed.with(uuid, json<string>()))
  stream.filter(() => true).to('filtered')
  stream.mapValues((value) => value).to('mapped')
  const compiled = builder.build().compile(parseConfig({ 'default.value.serde': 'string' }))
  const sinks = compiled.nodes.filter((node) => node.kind === 'sink').map(({ key, value }) => [key.label, value.label])
  expect(sinks).toEqual([
    ['uuid', 'json'],
    ['uuid', 'string'],
  ])
})

describe('[S6] compat: kafka-streams', () => {
  const both = (write: (builder: StreamsBuilder) => void) => {
    const builder = new StreamsBuilder()
    write(builder)
    const topology = builder.build()
    const sinkOf = (compat: string) => {
      const config = { 'default.key.serde': 'uuid', 'default.value.serde': 'integer', compat }
      const compiled = topology.compile(parseConfig(config))
      const sink = compiled.nodes.find((node) => node.kind === 'sink')
      return [sink?.key.serde?.id, sink?.value.serde?.id, compiled.boundaries[0]?.key.serde?.id]
    }
    return [sinkOf('repair'), sinkOf('kafka-streams')]
  }
  const declared = Consumed.with(string, json())

  it('H-6: repartition() forgets the key serde, and keeps that of the value', () => {
    expect(both((builder) => builder.stream('in', declared).repartition().to('out'))).toEqual([
      ['string', 'json', 'string'],
      ['uuid', 'json', 'uuid'],
    ])
  })

  it('H-6: a key serde that Repartitioned declares counts in either', () => {
    const repartitioned = Repartitioned.with<any, any>(long, undefined)
    expect(both((builder) => builder.stream('in', declared).repartition(repartitioned).to('out'))).toEqual([
      ['long', 'json', 'long'],
      ['long', 'json', 'long'],
    ])
  })

  it('H-6: an aggregation behind a key change is no repartition() and keeps what Grouped says', () => {
    const grouped = Grouped.keySerde(string)
    const write = (builder: StreamsBuilder) =>
      builder
        .stream('in', declared)
        .groupBy((_key, value) => String(value), grouped)
        .count()
        .toStream()
        .to('out')
    expect(both(write)).toEqual([
      ['string', 'long', 'string'],
      ['string', 'long', 'string'],
    ])
  })

  it('H-7: only a declared serde is wrapped for windowed keys', () => {
    const write = (consumed: Consumed<any, any>) => (builder: StreamsBuilder) =>
      builder.stream('in', consumed).groupByKey().windowedBy(windows).count().toStream().to('out')
    expect(both(write(Consumed.with(undefined, undefined)))).toEqual([
      ['windowed(uuid,10)', 'long', undefined],
      ['uuid', 'long', undefined],
    ])
    expect(both(write(declared))).toEqual([
      ['windowed(string,10)', 'long', undefined],
      ['windowed(string,10)', 'long', undefined],
    ])
  })

  it('a merge forgets both serdes (C.3)', () => {
    const write = (builder: StreamsBuilder) =>
      builder.stream('in', declared).merge(builder.stream('in2', declared)).to('out')
    expect(both(write)).toEqual([
      ['string', 'json', undefined],
      ['uuid', 'integer', undefined],
    ])
  })
})

describe('the values of an aggregate', () => {
  const storeOf = (write: (stream: KStream<any, any>) => void) => {
    const builder = new StreamsBuilder()
    write(builder.stream('in', Consumed.with(string, json())))
    const compiled = builder.build().compile(parseConfig({ 'default.value.serde': 'integer' }))
    const sink = compiled.nodes.find((node) => node.kind === 'sink')
    return [compiled.stores[0]?.value.serde?.id, compiled.stores[0]?.value.by, sink?.value.serde?.id]
  }
  const materialized = Materialized.with<any, any>(undefined, string)

  it('are longs for a count, unless Materialized says otherwise', () => {
    expect(storeOf((stream) => stream.groupByKey().count().toStream().to('o'))).toEqual([
      'valueAndTimestamp(long)',
      'Materialized',
      'long',
    ])
    const counts = Materialized.with<any, number>(undefined, integer)
    expect(storeOf((stream) => stream.groupByKey().count(counts).toStream().to('o'))[2]).toBe('integer')
  })

  it("are of the stream's serde for a reduce, unless Materialized or Grouped says otherwise", () => {
    const first = (value: any) => value
    expect(storeOf((stream) => stream.groupByKey().reduce(first).toStream().to('o'))).toEqual([
      'valueAndTimestamp(json)',
      'Consumed',
      'json',
    ])
    expect(storeOf((stream) => stream.groupByKey().reduce(first, materialized).toStream().to('o'))).toEqual([
      'valueAndTimestamp(string)',
      'Materialized',
      'string',
    ])
    const grouped = Grouped.with<any, any>(undefined, string)
    expect(storeOf((stream) => stream.groupByKey(grouped).reduce(first).toStream().to('o'))[2]).toBe('string')
  })

  it('are of the default serde for an aggregate, unless Materialized says otherwise', () => {
    const start = () => 0
    const last = (_key: any, value: any) => value
    expect(storeOf((stream) => stream.groupByKey().aggregate(start, last).toStream().to('o'))).toEqual([
      'valueAndTimestamp(integer)',
      'default.value.serde',
      'integer',
    ])
    const aggregate = (stream: KStream<any, any>) => stream.groupByKey().aggregate(start, last, materialized)
    expect(storeOf((stream) => aggregate(stream).toStream().to('o'))).toEqual([
      'valueAndTimestamp(string)',
      'Materialized',
      'string',
    ])
  })

  it('are unresolved when nothing says how they are written', () => {
    const builder = new StreamsBuilder()
    builder
      .stream<any, any>('in', Consumed.with(string, json()))
      .groupByKey()
      .aggregate(
        () => 0,
        (_key, value) => value,
      )
    expect(builder.build().compile(parseConfig({})).stores[0]?.value).toMatchObject({
      status: 'unresolved',
      label: '?',
    })
  })
})

it('[B6] processValues lets the serde of the key through, process does not', () => {
  const builder = new StreamsBuilder()
  const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
  const stream = builder.stream<any, any>('in', Consumed.with(json(), string))
  stream.processValues(plain).to('a')
  stream.process(plain).to('b')
  const sinks = builder
    .build()
    .compile(parseConfig({}))
    .nodes.filter((node) => node.kind === 'sink')
  expect(sinks.map((sink) => [sink.key.label, sink.value.label])).toEqual([
    ['json', '?'],
    ['?', '?'],
  ])
})

describe('what an operator lets through of the serdes (kafka-streams.md C.1)', () => {
  const through = (operate: (stream: KStream<any, any>) => KStream<any, any>) => {
    const builder = new StreamsBuilder()
    operate(builder.stream<any, any>('in', Consumed.with(json(), string))).to('out')
    const sink = builder
      .build()
      .compile(parseConfig({}))
      .nodes.find((node) => node.kind === 'sink')
    return [sink?.key.label, sink?.value.label]
  }
  const pair = () => [1, 2] as const
  const cases: [string, (stream: KStream<any, any>) => KStream<any, any>, string, string][] = [
    ['filter', (stream) => stream.filter(() => true), 'json', 'string'],
    ['peek', (stream) => stream.peek(() => undefined), 'json', 'string'],
    ['selectKey', (stream) => stream.selectKey(() => 1), '?', 'string'],
    ['map', (stream) => stream.map(pair), '?', '?'],
    ['flatMap', (stream) => stream.flatMap(() => [pair()]), '?', '?'],
    ['mapValues', (stream) => stream.mapValues(() => 1), 'json', '?'],
    ['flatMapValues', (stream) => stream.flatMapValues(() => [1]), 'json', '?'],
    ['split', (stream) => [...stream.split().defaultBranch().values()][0] as KStream<any, any>, 'json', 'string'],
    ['repartition', (stream) => stream.repartition(), 'json', 'string'],
    ['merge', (stream) => stream.merge(stream.filter(() => true)), 'json', 'string'],
  ]
  it.each(cases)('%s', (_name, operate, key, value) => expect(through(operate)).toEqual([key, value]))
})

describe('processValues', () => {
  it('keeps what its supplier says of stores, timers and promises, and adds that the key stays', () => {
    const store = Stores.keyValue('st', string, string)
    class Supplier {
      readonly stores = [store]
      readonly sync = true
      readonly timers = ['event-time'] as const
      get() {
        return { process() {}, from: this }
      }
    }
    const builder = new StreamsBuilder()
    const given = new Supplier()
    builder.stream<any, any>('in', Consumed.with(string, string)).processValues(given)
    builder.stream<any, any>('in').processValues(() => ({ process() {} }))
    const [, first, second] = builder.build().compile(parseConfig({})).nodes
    expect(first).toMatchObject({ stores: ['st'], timers: ['event-time'], changesKey: false })
    expect(first?.supplier).toMatchObject({ sameKey: true, sync: true })
    expect(first?.supplier?.get()).toMatchObject({ from: given })
    expect(second).toMatchObject({ stores: [], timers: [], changesKey: false })
    expect(second?.supplier?.sync).toBeUndefined()
  })
})

describe('the serdes of a table that is told both how it is read and how it is kept (C.3)', () => {
  const compiled = (compat: 'repair' | 'kafka-streams', tell: (builder: StreamsBuilder) => void) => {
    const builder = new StreamsBuilder()
    tell(builder)
    return builder.build().compile(parseConfig({ compat, 'default.key.serde': 'json', 'default.value.serde': 'json' }))
  }
  const labels = (compat: 'repair' | 'kafka-streams', tell: (builder: StreamsBuilder) => void) => {
    const { nodes, stores } = compiled(compat, tell)
    const [source, [store]] = [nodes[0], stores]
    return [source?.key.label, source?.value.label, store?.key.serde?.id, store?.value.serde?.id]
  }
  const kept = Materialized.as<any, any>('s').withKeySerde(string).withValueSerde(long)
  const both = (builder: StreamsBuilder) => builder.table<any, any>('t', Consumed.with<any, any>(undefined, uuid), kept)

  it('are those of Consumed; what it leaves open Materialized says, in Kafka Streams the defaults', () => {
    expect(labels('repair', both)).toEqual(['string', 'uuid', 'string', 'valueAndTimestamp(uuid)'])
    expect(labels('kafka-streams', both)).toEqual(['json', 'uuid', 'json', 'valueAndTimestamp(uuid)'])
    const global = (builder: StreamsBuilder) =>
      builder.globalTable<any, any>('t', Consumed.with<any, any>(undefined, uuid), kept)
    expect(labels('repair', global).slice(0, 2)).toEqual(['string', 'uuid'])
    expect(labels('kafka-streams', global).slice(0, 2)).toEqual(['json', 'uuid'])
  })

  it('are those of Materialized where it stands alone', () => {
    const alone = (builder: StreamsBuilder) => builder.table<any, any>('t', kept)
    for (const compat of ['repair', 'kafka-streams'] as const) {
      expect(labels(compat, alone)).toEqual(['string', 'long', 'string', 'valueAndTimestamp(long)'])
    }
  })

  it('toTable keeps rows by what the stream declares, in Kafka Streams by Materialized or the defaults', () => {
    const named = (builder: StreamsBuilder) =>
      builder.stream<any, any>('t', Consumed.with<any, any>(string, long)).toTable(Materialized.as<any, any>('s'))
    expect(labels('repair', named).slice(2)).toEqual(['string', 'valueAndTimestamp(long)'])
    expect(labels('kafka-streams', named).slice(2)).toEqual(['json', 'valueAndTimestamp(json)'])
  })

  const derivations: readonly [string, (table: KTable<any, any>, kept: Materialized<any, any>) => KTable<any, any>][] =
    [
      ['filter', (table, kept) => table.filter(() => true, kept)],
      ['filterNot', (table, kept) => table.filterNot(() => true, kept)],
      ['mapValues', (table, kept) => table.mapValues((value) => value, kept)],
    ]
  it.each(derivations)(
    '%s keeps rows by what the table carries, in Kafka Streams by Materialized or the defaults',
    (_name, derive) => {
      const stores = (compat: 'repair' | 'kafka-streams', kept: Materialized<any, any>) =>
        compiled(compat, (builder) => {
          derive(builder.table<any, any>('t', Consumed.with<any, any>(string, long)), kept)
        }).stores.map(({ key, value }) => [key.serde?.id, value.serde?.id])
      const named = Materialized.as<any, any>('s')
      expect(stores('repair', named)[0]?.[0]).toBe('string')
      expect(stores('kafka-streams', named)).toEqual([['json', 'valueAndTimestamp(json)']])
      const told = Materialized.as<any, any>('s').withKeySerde(uuid).withValueSerde(long)
      expect(stores('kafka-streams', told)).toEqual([['uuid', 'valueAndTimestamp(long)']])
      expect(stores('repair', told)).toEqual([['uuid', 'valueAndTimestamp(long)']])
    },
  )

  it('a grouped table crosses by Grouped, else by what it is kept as, in Kafka Streams by the defaults', () => {
    const boundary = (compat: 'repair' | 'kafka-streams', grouped?: Grouped<any, any>) => {
      const { boundaries } = compiled(compat, (builder) => {
        const table = builder.table<any, any>('t', Consumed.with<any, any>(string, long)) as KTable<any, any>
        table.groupBy((key, value) => [key, value], grouped).count(Materialized.as<any, any>('s').withKeySerde(uuid))
      })
      return boundaries.map(({ key }) => key.label)
    }
    expect([boundary('repair'), boundary('kafka-streams')]).toEqual([['uuid'], ['json']])
    expect(boundary('kafka-streams', Grouped.with<any, any>(string, long))).toEqual(['string'])
  })

  it('a join keeps rows by the keys that both tables carry, in Kafka Streams by those of the left one', () => {
    const stores = (compat: 'repair' | 'kafka-streams', leftKnows: boolean) =>
      compiled(compat, (builder) => {
        const known = builder.table<any, any>('t', Consumed.with<any, any>(string, undefined)) as KTable<any, any>
        const unknown = builder.table<any, any>('u') as KTable<any, any>
        const [left, right] = leftKnows ? [known, unknown] : [unknown, known]
        left.join(right, (one) => one, Materialized.as<any, any>('s'))
      }).stores.find(({ name }) => name === 's')?.key.serde?.id
    expect([stores('repair', true), stores('repair', false)]).toEqual(['string', 'string'])
    expect([stores('kafka-streams', true), stores('kafka-streams', false)]).toEqual(['string', 'json'])
  })
})
