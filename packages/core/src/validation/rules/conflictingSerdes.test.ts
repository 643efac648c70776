import { describe, expect, it } from 'vitest'
import { Grouped } from '../../dsl/Grouped.js'
import { Materialized } from '../../dsl/Materialized.js'
import { Repartitioned } from '../../dsl/Repartitioned.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { Produced } from '../../topology/Produced.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { conflictingSerdes } from './conflictingSerdes.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...sameKey, timers: ['event-time'] }
const strings = Consumed.with(string, string)
const jsons = Consumed.with(json(), json())

function check(topology: Topology, config: Record<string, unknown> = {}) {
  const parsed = parseConfig({ 'default.key.serde': 'uuid', 'default.value.serde': 'integer', ...config })
  return conflictingSerdes.check({ topology: topology.compile(parsed), config: parsed, samples: new Map() })
}
const ids = (topology: Topology) => check(topology).map((finding) => finding.id)
const two = () => new Topology().addSource('s', strings, 'a').addSource('t', jsons, 'b')

describe('[V7] two declarations for one key or value', () => {
  it('are told where they come together to be written, by side, with the default that is used', () => {
    const findings = check(two().addSink('k', 'o', 's', 't'))
    expect(findings).toHaveLength(2)
    expect(findings[0]).toMatchObject({
      id: 'conflicting-serdes:key:s,t:k',
      severity: 'warn',
      node: 'k',
      nodes: ['s', 't', 'k'],
      path: [{ from: 's', to: 'k' }],
      places: [
        { node: 's', title: 'The key declared as string.', detail: 'Consumed on s declares it.' },
        { node: 't', title: 'The key declared as json.', detail: 'Consumed on t declares it.' },
        { node: 'k', title: 'Written by the default, uuid.' },
      ],
      title: 'Two serdes are declared for one key',
      message:
        'Consumed on s says string and Consumed on t says json for the same key. Neither is chosen over the other: ' +
        'in k it is written by the default, uuid.',
      note: 'Declare the same serde on s and t, or the one you mean where it is written.',
    })
    expect(findings[1]).toMatchObject({
      id: 'conflicting-serdes:value:s,t:k',
      title: 'Two serdes are declared for one value',
    })
  })

  it('are not told when they agree, when nothing is written, or when the sink declares its own', () => {
    const same = new Topology().addSource('s', strings, 'a').addSource('t', strings, 'b').addSink('k', 'o', 's', 't')
    expect(ids(same)).toEqual([])
    expect(ids(two().addProcessor('p', plain, 's', 't'))).toEqual([])
    expect(ids(two().addSink('k', 'o', Produced.with(string, string), 's', 't'))).toEqual([])
    expect(ids(two().addSink('k', 'o', Produced.with(string, undefined), 's', 't'))).toEqual([
      'conflicting-serdes:value:s,t:k',
    ])
  })

  it('say that nothing can write when there is no default either', () => {
    const [finding] = check(two().addSink('k', 'o', 's', 't'), { 'default.key.serde': undefined })
    expect(finding?.message).toContain('in k it is written by nothing, as no default is set')
  })

  it('are one finding wherever they show: timers, boundaries, stores, sinks', () => {
    const topology = two()
      .addProcessor('p', withTimers, 's', 't')
      .addSink('k', 'o', Produced.with(undefined, string), 'p')
    const findings = check(topology)
    expect(findings.map((finding) => finding.id)).toEqual(['conflicting-serdes:key:s,t:p'])
    expect(findings[0]?.nodes).toEqual(['s', 't', 'p', 'k'])
    expect(findings[0]?.message).toContain('for the timers of p and in k it is written by')
  })

  it('are told of timers alone', () => {
    expect(ids(two().addProcessor('p', withTimers, 's', 't'))).toEqual(['conflicting-serdes:key:s,t:p'])
    const withStore = two()
      .addProcessor('p', sameKey, 's', 't')
      .addStateStore(Stores.keyValue('st', string, string), 'p')
    expect(ids(withStore)).toEqual([])
  })

  it('[B2] are told at the boundary that they meet in, and of the store behind it', () => {
    const builder = new StreamsBuilder()
    const left = builder.stream<any, any>('a', strings.withName('s'))
    const right = builder.stream<any, any>('b', jsons.withName('t'))
    left.merge(right).repartition().groupByKey().count(Materialized.as('c'))
    const [finding] = check(builder.build())
    expect(finding?.message).toContain(
      'at the boundary KSTREAM-FILTER-0000000005 → KSTREAM-AGGREGATE-0000000007 and in the store c it is written by',
    )
  })

  it('are told of the values of a store', () => {
    const builder = new StreamsBuilder()
    const left = builder.stream<any, any>('a', strings.withName('s'))
    const right = builder.stream<any, any>('b', Consumed.with<any, any>(string, json()).withName('t'))
    left
      .merge(right)
      .groupByKey()
      .reduce((first) => first, Materialized.as('c'))
    expect(check(builder.build())).toMatchObject([{ title: 'Two serdes are declared for one value' }])
    const grouped = Grouped.with<any, any>(undefined, string)
    const declared = new StreamsBuilder()
    const one = declared.stream<any, any>('a', strings.withName('s'))
    one
      .merge(declared.stream<any, any>('b', Consumed.with<any, any>(string, json()).withName('t')))
      .groupByKey(grouped)
      .reduce((first) => first, Materialized.as('c'))
    expect(ids(declared.build())).toEqual([])
  })

  it('do not count at a boundary whose partitioner picks the lane (L9)', () => {
    const builder = new StreamsBuilder()
    const left = builder.stream<any, any>('a', strings.withName('s'))
    const right = builder.stream<any, any>('b', Consumed.with<any, any>(json(), string).withName('t'))
    const partitioner = () => 0
    left
      .merge(right)
      .repartition(Repartitioned.streamPartitioner(partitioner))
      .foreach(() => undefined)
    expect(ids(builder.build())).toEqual([])
  })

  it('are as severe as the config says', () => {
    const topology = two().addSink('k', 'o', 's', 't')
    const of = (verdict: string) =>
      check(topology, { 'topology.validation.conflicting-serdes': verdict }).map((finding) => finding.severity)
    expect(of('error')).toEqual(['error', 'error'])
    expect(of('off')).toEqual([])
  })
})

describe('[V7] [L1] two numbers of lanes', () => {
  const lanes = (one: number, other: number) =>
    new Topology()
      .addSource('s', strings.withNumberOfLanes(one), 'a')
      .addSource('t', strings.withNumberOfLanes(other), 'b')
      .addSource('u', strings, 'c')
  const store = () => Stores.keyValue('st', string, string)

  it('are told for sub-topologies that write one store, once', () => {
    const topology = lanes(3, 1).addProcessor('p', plain, 's').addProcessor('q', plain, 't')
    expect(ids(topology)).toEqual([])
    expect(check(topology.addStateStore(store(), 'p', 'q'))).toMatchObject([
      {
        id: 'conflicting-serdes:lanes:s,t',
        severity: 'warn',
        node: 's',
        nodes: ['s', 't'],
        message:
          's asks for 3 lanes and t asks for 1 lane. They run on the same lanes, or take turns on them because they use ' +
          'one store: the largest number counts, 3.',
        places: [
          { node: 's', title: 'Asks for 3 lanes.', detail: '3 run.' },
          { node: 't', title: 'Asks for 1 lane.', detail: '3 run.' },
        ],
      },
    ])
  })

  it('are not told when they are the same, or when only one asks', () => {
    const same = lanes(3, 3)
      .addProcessor('p', plain, 's')
      .addProcessor('q', plain, 't')
      .addStateStore(store(), 'p', 'q')
    expect(ids(same)).toEqual([])
    const one = lanes(3, 4).addProcessor('p', plain, 's').addProcessor('q', plain, 'u').addStateStore(store(), 'p', 'q')
    expect(ids(one)).toEqual([])
  })

  it('are told for two sources of one sub-topology', () => {
    expect(ids(lanes(3, 4).addProcessor('p', plain, 's', 't'))).toEqual(['conflicting-serdes:lanes:s,t'])
  })
})
