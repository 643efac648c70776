import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { string } from '../serde/string.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import type { Topology } from '../topology/Topology.js'
import { Grouped } from './Grouped.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TimeWindows } from './TimeWindows.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }

const compile = (topology: Topology) => topology.compile(parseConfig({ 'default.key.serde': 'string' }))
const boundaries = (compiled: CompiledTopology) => compiled.boundaries.map(({ from, to }) => `${from}->${to}`)

describe('[B1] the DSL crosses where a re-keyed stream meets state', () => {
  const orders = () => {
    const builder = new StreamsBuilder()
    return { builder, stream: builder.stream<string, string>('a', Consumed.with(string, string, { nulls: 'drop' })) }
  }
  const windows = TimeWindows.ofSizeWithNoGrace(10)

  it('not at a key change alone', () => {
    const { builder, stream } = orders()
    stream.selectKey((_key, value) => value).to('o')
    expect(boundaries(compile(builder.build()))).toEqual([])
  })

  it('at an aggregation behind a key change, value operators between or not', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .mapValues((value) => value)
      .groupByKey()
      .windowedBy(windows)
      .count()
    expect(boundaries(compile(builder.build()))).toEqual(['KSTREAM-FILTER-0000000006->KSTREAM-AGGREGATE-0000000004'])
  })

  it('not at an aggregation whose key is as it was read', () => {
    const { builder, stream } = orders()
    stream
      .filter(() => true)
      .mapValues((value) => value)
      .peek(() => undefined)
      .groupByKey()
      .windowedBy(windows)
      .count()
    expect(boundaries(compile(builder.build()))).toEqual([])
  })

  it('at process behind a key change, with or without state, and once', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .filter(() => true)
      .process(sameKey)
      .filter(() => true)
      .process(plain)
    expect(boundaries(compile(builder.build()))).toEqual(['KSTREAM-FILTER-0000000002->KSTREAM-PROCESSOR-0000000003'])
  })

  it('at process behind a merge of which one side was re-keyed', () => {
    const { builder, stream } = orders()
    stream.merge(stream.selectKey((_key, value) => value)).process(sameKey)
    expect(boundaries(compile(builder.build()))).toEqual(['KSTREAM-MERGE-0000000002->KSTREAM-PROCESSOR-0000000003'])
  })

  it('at an aggregation behind a merge of which one side was re-keyed', () => {
    const { builder, stream } = orders()
    stream
      .merge(stream.selectKey((_key, value) => value))
      .groupByKey()
      .windowedBy(windows)
      .count()
    expect(boundaries(compile(builder.build()))).toEqual(['KSTREAM-FILTER-0000000006->KSTREAM-AGGREGATE-0000000004'])
    const other = orders()
    other.stream
      .selectKey((_key, value) => value)
      .merge(other.stream)
      .groupByKey()
      .windowedBy(windows)
      .count()
    expect(boundaries(compile(other.builder.build()))).toHaveLength(1)
  })

  it('once between a processor and an aggregation: at the grouping', () => {
    const { builder, stream } = orders()
    stream
      .process(plain)
      .filter(() => true)
      .groupByKey()
      .windowedBy(windows)
      .count()
    expect(boundaries(compile(builder.build()))).toEqual(['KSTREAM-FILTER-0000000006->KSTREAM-AGGREGATE-0000000004'])
  })

  it('not at process behind an aggregation that crossed already', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .groupByKey()
      .windowedBy(windows)
      .count()
      .toStream()
      .process(sameKey)
    expect(boundaries(compile(builder.build()))).toHaveLength(1)
  })

  it('not behind a windowed aggregation: its keys keep their lane (T3)', () => {
    const { builder, stream } = orders()
    stream.groupByKey().windowedBy(windows).count().toStream().process(withTimers)
    expect(boundaries(compile(builder.build()))).toEqual([])
  })

  it('hides the writing and the reading end of a repartition, which stand in describe() alone', () => {
    const { builder, stream } = orders()
    stream
      .map((key, value) => [value, key])
      .groupByKey()
      .windowedBy(windows)
      .count()
    const topology = builder.build()
    expect(topology.describe()).toContain('Sink: KSTREAM-SINK-0000000004')
    expect(compile(topology).nodes.map((node) => node.name)).toEqual([
      'KSTREAM-SOURCE-0000000000',
      'KSTREAM-MAP-0000000001',
      'KSTREAM-FILTER-0000000005',
      'KSTREAM-AGGREGATE-0000000003',
    ])
  })

  it('[L5] gives the sub-topology behind it the lanes that Grouped asks for', () => {
    const { builder, stream } = orders()
    const grouped = Grouped.with<string, string>(string, string).withNumberOfLanes(3)
    stream
      .selectKey((_key, value) => value)
      .groupByKey(grouped)
      .windowedBy(windows)
      .count()
    const lanes = compile(builder.build()).subTopologies.map((sub) => [sub.laneCount, sub.laneCountFrom.by])
    expect(lanes).toEqual([
      [16, 'default'],
      [3, 'numberOfLanes'],
    ])
  })

  it('[L5] gives the lanes that Grouped asks for without a boundary too', () => {
    const { builder, stream } = orders()
    const grouped = Grouped.with<string, string>(string, string).withNumberOfLanes(3)
    stream.groupByKey(grouped).windowedBy(windows).count()
    expect(compile(builder.build()).subTopologies[0]?.laneCount).toBe(3)
  })
})
