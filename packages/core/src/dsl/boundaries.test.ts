import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { integer } from '../serde/numbers.js'
import { string } from '../serde/string.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import type { Topology } from '../topology/Topology.js'
import { Grouped } from './Grouped.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TimeWindows } from './TimeWindows.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }

const compile = (topology: Topology, config: Record<string, unknown> = {}) =>
  topology.compile(parseConfig({ 'default.key.serde': 'string', ...config }))
const boundaries = (compiled: CompiledTopology) => compiled.boundaries.map(({ from, to }) => `${from}->${to}`)

function orders() {
  const builder = new StreamsBuilder()
  return { builder, stream: builder.stream<string, string>('a', Consumed.with(string, string, { nulls: 'drop' })) }
}

describe('[B1] the DSL crosses where a re-keyed stream meets state', () => {
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

describe('[B1] repartition() always crosses', () => {
  it('also where no key was changed, and once for each use of it', () => {
    const { builder, stream } = orders()
    const crossed = stream.repartition(Repartitioned.as('R'))
    crossed.filter(() => true).to('o')
    crossed.groupByKey().count()
    expect(boundaries(compile(builder.build()))).toEqual([
      'R-repartition-filter->KSTREAM-FILTER-0000000004',
      'R-repartition-filter->KSTREAM-AGGREGATE-0000000007',
    ])
  })

  it('names its topic, what made it, and its lanes', () => {
    const { builder, stream } = orders()
    stream
      .repartition(Repartitioned.as<string, string>('R').withNumberOfLanes(3).withNumberOfPartitions(5))
      .filter(() => true)
    const compiled = compile(builder.build())
    expect(compiled.boundaries).toMatchObject([{ by: 'Repartitioned', topic: 'R-repartition' }])
    expect(compiled.boundaries[0]?.partitioner).toBeUndefined()
    expect(compiled.subTopologies.map((sub) => sub.laneCount)).toEqual([16, 3])
  })

  it('[L9] hands its partitioner on', () => {
    const { builder, stream } = orders()
    const partitioner = (key: string) => key.length
    stream.repartition(Repartitioned.streamPartitioner(partitioner)).filter(() => true)
    expect(compile(builder.build()).boundaries[0]?.partitioner).toBe(partitioner)
  })

  it('refuses numbers of lanes and partitions that are none', () => {
    expect(() => Repartitioned.numberOfPartitions(0)).toThrow('numberOfPartitions must be an integer of at least 1')
    expect(() => Repartitioned.numberOfPartitions(1.5)).toThrow('got 1.5')
    expect(() => Repartitioned.numberOfPartitions(1)).not.toThrow()
    expect(() => Repartitioned.as('R').withNumberOfLanes(0)).toThrow('numberOfLanes must be')
  })

  it('ends the change of the key: an aggregation behind it crosses no more', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .repartition(Repartitioned.as('R'))
      .groupByKey()
      .count()
    expect(boundaries(compile(builder.build()))).toHaveLength(1)
  })

  it('crosses in front of a sink too', () => {
    const { builder, stream } = orders()
    stream.repartition(Repartitioned.as('R')).to('o')
    expect(boundaries(compile(builder.build()))).toEqual(['R-repartition-filter->KSTREAM-SINK-0000000004'])
  })
})

describe('[B1] an aggregation behind a key change crosses once', () => {
  it('for each aggregation of an unnamed grouping, and by Grouped', () => {
    const { builder, stream } = orders()
    const group = stream.groupBy((_key, value) => value)
    group.count()
    group.reduce((first) => first)
    const compiled = compile(builder.build())
    expect(boundaries(compiled)).toEqual([
      'KSTREAM-FILTER-0000000005->KSTREAM-AGGREGATE-0000000003',
      'KSTREAM-FILTER-0000000010->KSTREAM-REDUCE-0000000008',
    ])
    expect(compiled.boundaries[0]).toMatchObject({
      by: 'Grouped',
      topic: 'KSTREAM-AGGREGATE-STATE-STORE-0000000002-repartition',
    })
  })

  it('[C.2] through one repartition filter when the grouping is named', () => {
    const { builder, stream } = orders()
    const group = stream.groupBy((_key, value) => value, Grouped.as('G'))
    group.count()
    group.count()
    const from = compile(builder.build()).boundaries.map((boundary) => boundary.from)
    expect(from).toEqual(['G-repartition-filter', 'G-repartition-filter'])
  })

  it('not again when its records crossed in front of processValues', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .processValues(plain)
      .groupByKey()
      .count()
    const topology = builder.build()
    expect(boundaries(compile(topology))).toEqual(['KSTREAM-KEY-SELECT-0000000001->KSTREAM-PROCESSVALUES-0000000002'])
    expect(topology.describe()).toContain('-repartition')
  })

  it('[B6] not behind processValues alone: it keeps the key', () => {
    const { builder, stream } = orders()
    stream.processValues(plain).process(withTimers)
    expect(boundaries(compile(builder.build()))).toEqual([])
  })

  it('[B6] says that the rule for processors made one', () => {
    const { builder, stream } = orders()
    stream.process(plain).process(withTimers)
    const [boundary] = compile(builder.build()).boundaries
    expect(boundary).toMatchObject({ by: 'rule' })
    expect(boundary).not.toHaveProperty('topic')
  })
})

describe('[B1] eager', () => {
  const eager = { 'boundary.split': 'eager' }

  it('crosses right behind each key change, whatever comes next', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .filter(() => true)
      .map((key, value) => [value, key])
      .peek(() => undefined)
    const topology = builder.build()
    expect(boundaries(compile(topology, eager))).toEqual([
      'KSTREAM-KEY-SELECT-0000000001->KSTREAM-FILTER-0000000002',
      'KSTREAM-MAP-0000000003->KSTREAM-PEEK-0000000004',
    ])
    expect(boundaries(compile(topology))).toEqual([])
  })

  it('crosses behind a processor that may change keys, and not behind one that keeps them', () => {
    const { builder, stream } = orders()
    stream.process(sameKey).filter(() => true)
    stream.process(plain).filter(() => true)
    expect(boundaries(compile(builder.build(), eager))).toEqual([
      'KSTREAM-PROCESSOR-0000000003->KSTREAM-FILTER-0000000004',
    ])
  })

  it('does not cross in front of a sink', () => {
    const { builder, stream } = orders()
    stream.selectKey((_key, value) => value).to('o')
    expect(boundaries(compile(builder.build(), eager))).toEqual([])
  })

  it('crosses once on the way to an aggregation, at the change or, right in front, at the grouping', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .filter(() => true)
      .groupByKey(Grouped.with<string, string>(string, string).withNumberOfLanes(3))
      .count()
    const far = compile(builder.build(), eager)
    expect(boundaries(far)).toEqual(['KSTREAM-KEY-SELECT-0000000001->KSTREAM-FILTER-0000000002'])
    expect(far.subTopologies[1]?.laneCount).toBe(3)
    const near = orders()
    near.stream.groupBy((_key, value) => value).count()
    expect(boundaries(compile(near.builder.build(), eager))).toEqual([
      'KSTREAM-FILTER-0000000005->KSTREAM-AGGREGATE-0000000003',
    ])
  })

  it('[B2] takes the serde that Grouped declares further down', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value.length)
      .filter(() => true)
      .groupByKey(Grouped.keySerde(integer))
      .count()
    expect(compile(builder.build(), eager).boundaries[0]?.key).toMatchObject({ label: 'integer', by: 'Grouped' })
  })

  it('crosses at repartition() all the same, and once where that comes right behind the change', () => {
    const { builder, stream } = orders()
    stream
      .selectKey((_key, value) => value)
      .repartition(Repartitioned.as('R'))
      .filter(() => true)
    expect(boundaries(compile(builder.build(), eager))).toEqual(['R-repartition-filter->KSTREAM-FILTER-0000000005'])
  })
})
