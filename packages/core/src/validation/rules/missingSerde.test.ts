import { describe, expect, it } from 'vitest'
import { Materialized } from '../../dsl/Materialized.js'
import { Named } from '../../dsl/Named.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { TimeWindows } from '../../dsl/TimeWindows.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { Produced } from '../../topology/Produced.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { validate } from '../validate.js'
import { missingSerde } from './missingSerde.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const strings = Consumed.with(string, string)

function check(topology: Topology, config: Record<string, unknown> = {}) {
  const parsed = parseConfig(config)
  return missingSerde.check({ topology: topology.compile(parsed), config: parsed, samples: new Map() })
}
const titles = (topology: Topology, config?: Record<string, unknown>) =>
  check(topology, config).map(({ title }) => title)

describe('[V6] a missing serde', () => {
  it('of a source is told for each side, with what to declare', () => {
    const topology = new Topology().addSource('s', undefined, undefined, 'a')
    expect(titles(topology)).toEqual(['No serde can read the key of s', 'No serde can read the value of s'])
    expect(check(topology)[0]).toMatchObject({
      id: 'missing-serde:read:s:key',
      severity: 'error',
      node: 's',
      note: 'Declare Consumed.with(…) on s, or set default.key.serde.',
      places: [{ node: 's', title: 'No serde for the key.', detail: 'default.key.serde is not set.' }],
    })
    expect(titles(topology, { 'default.key.serde': 'string' })).toEqual(['No serde can read the value of s'])
    expect(titles(topology, { 'default.value.serde': 'string' })).toEqual(['No serde can read the key of s'])
  })

  it('of a source or a sink can be declared in one click, and which one is asked', () => {
    const topology = new Topology()
      .addSource('s', undefined, undefined, 'a')
      .addSink('k', 'o', Produced.with(undefined, undefined), 's')
    const offered = check(topology).map(({ fixes }) =>
      fixes.map((fix) => fix.kind === 'declare-serde' && [fix.node, fix.side, fix.serde]),
    )
    expect(offered).toEqual([
      [
        ['s', 'key', 'string'],
        ['s', 'key', 'json'],
      ],
      [
        ['s', 'value', 'json'],
        ['s', 'value', 'string'],
      ],
      [
        ['k', 'key', 'string'],
        ['k', 'key', 'json'],
      ],
      [
        ['k', 'value', 'json'],
        ['k', 'value', 'string'],
      ],
    ])
    expect(check(topology)[0]?.fixes[0]).toMatchObject({
      title: 'Declare string for the key of s',
      effect: 'Each key on the topic of s is then taken to be plain UTF-8 text.',
    })
  })

  it('is as severe as the config says', () => {
    const topology = new Topology().addSource('s', undefined, string, 'a')
    const of = (verdict: string) => check(topology, { 'topology.validation.missing-serde': verdict })
    expect(of('warn').map(({ severity }) => severity)).toEqual(['warn'])
    expect(of('off')).toEqual([])
  })

  it('of a source is not told when it reads with deserializers', () => {
    expect(titles(new Topology().addSource('s', string, json(), 'a'))).toEqual([])
  })

  it('of a sink is told for the side that nothing declares', () => {
    const sink = (produced: Produced<any, any>) =>
      new Topology().addSource('s', strings, 'a').addProcessor('p', plain, 's').addSink('k', 'o', produced, 'p')
    expect(titles(sink(Produced.with(string, undefined)))).toEqual(['No serde can write the value of k'])
    expect(titles(sink(Produced.with(undefined, string)))).toEqual(['No serde can write the key of k'])
    expect(titles(sink(Produced.with(string, string)))).toEqual([])
  })

  it('of a sink is not told when the stream carries one', () => {
    expect(titles(new Topology().addSource('s', strings, 'a').addSink('k', 'o', 's'))).toEqual([])
  })

  it('[B3] of a boundary names parent and child', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('p', plain, 's')
      .addProcessor('q', plain, 'p')
      .addStateStore(Stores.keyValue('st', string, string), 'q')
    expect(check(topology)).toMatchObject([
      {
        id: 'missing-serde:boundary:p->q:key',
        title: 'No serde can write the key at the boundary p → q',
        node: 'q',
        nodes: ['p', 'q'],
        path: [{ from: 'p', to: 'q' }],
      },
    ])
    expect(titles(topology, { 'default.key.serde': 'string' })).toEqual([])
  })

  it('[B3] of a boundary can be declared where its keys are grouped or written, when they come there unchanged', () => {
    const behind = (supplier: ProcessorSupplier<any, any, any, any>) =>
      new Topology()
        .addSource('s', strings, 'a')
        .addProcessor('p', plain, 's')
        .addProcessor('q', supplier, 'p')
        .addStateStore(Stores.keyValue('st', string, string), 'q')
        .addSink('k', 'o', Produced.with(undefined, string), 'q')
    const fixes = (topology: Topology) => check(topology).find(({ path }) => path.length > 0)?.fixes
    expect(fixes(behind({ ...plain, sameKey: true }))).toMatchObject([
      {
        node: 'k',
        side: 'key',
        serde: 'string',
        title: 'Declare string for the key of k',
        effect: 'Each key is then written as plain UTF-8 text between p and q too, which picks its lane.',
      },
      { node: 'k', side: 'key', serde: 'json' },
    ])
    expect(fixes(behind(plain))).toEqual([])
    const builder = new StreamsBuilder()
    builder
      .stream('a', strings)
      .groupBy((_key, value) => value)
      .count(Materialized.as('n'))
    expect(fixes(builder.build())?.map((fix) => fix.kind === 'declare-serde' && fix.node)).toEqual([
      'KSTREAM-AGGREGATE-0000000002',
      'KSTREAM-AGGREGATE-0000000002',
    ])
  })

  it('of timers is told at their processor', () => {
    const topology = new Topology()
      .addSource('s', string, string, 'a')
      .addProcessor('t', { ...plain, timers: ['event-time'] }, 's')
    expect(titles(topology)).toEqual(['No serde can write the timer keys of t'])
  })

  it('of a store is told at the processor that uses it, for each side', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('p', plain, 's')
      .addStateStore(Stores.keyValue('st'), 'p')
      .addStateStore(Stores.keyValue('unused'))
    expect(check(topology).map(({ node, title }) => [node, title])).toEqual([
      ['p', 'No serde can write the keys of the store st'],
      ['p', 'No serde can write the values of the store st'],
    ])
  })

  it('of an aggregation’s store can be declared where its values are made', () => {
    const builder = new StreamsBuilder()
    builder
      .stream('a', strings)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(5))
      .aggregate(
        () => ({ n: 0 }),
        (_key, _value, sum) => sum,
        Named.as('sum'),
        Materialized.as('sums'),
      )
    const found = check(builder.build()).filter(({ node }) => node === 'sum')
    expect(found).toMatchObject([
      {
        title: 'No serde can write the values of the store sums',
        note: 'Declare Materialized.as(…).withValueSerde(…) on sum, or set default.value.serde.',
        fixes: [
          {
            node: 'sum',
            side: 'value',
            serde: 'json',
            effect: 'Each value of the store sums is then written as JSON.',
          },
          { node: 'sum', side: 'value', serde: 'string' },
        ],
      },
    ])
  })

  it('of keys that are grouped behind a boundary can be declared at a windowed reduce, too', () => {
    const builder = new StreamsBuilder()
    builder
      .stream('a', strings)
      .selectKey((_key, value) => value)
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(5))
      .reduce((one) => one, Named.as('newest'), Materialized.as('n'))
    const fixes = check(builder.build()).find(({ path }) => path.length > 0)?.fixes
    expect(fixes?.map((fix) => fix.kind === 'declare-serde' && fix.node)).toEqual(['newest', 'newest'])
  })

  it('comes in the order of the nodes, each with an id of its own', () => {
    const topology = new Topology()
      .addSource('s', undefined, undefined, 'a')
      .addProcessor('p', plain, 's')
      .addStateStore(Stores.keyValue('st'), 'p')
      .addSink('k', 'o', 'p')
      .addSource('z', undefined, string, 'b')
    const findings = check(topology)
    expect(findings.map(({ node }) => node)).toEqual(['s', 's', 'p', 'p', 'k', 'k', 'z'])
    expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)
  })
})

describe('[V9] a source that nothing is wired behind', () => {
  const unwired = (topology: Topology) => {
    const config = parseConfig({})
    const findings = validate({ topology: topology.compile(config), config, samples: new Map() })
    return findings.filter(({ rule }) => rule === 'unreachable-node')
  }

  it('is told', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a', 'b')
      .addSource('t', strings, 'c')
      .addSink('k', 'o', 't')
    expect(unwired(topology)).toMatchObject([
      {
        id: 'unreachable-node:s',
        node: 's',
        message: 's reads a, b, but no node is wired behind it. Wire one, or remove the source.',
      },
    ])
  })
})

it('validate reports everything at once, errors of the topology first', () => {
  const topology = new Topology()
    .addSource('idle', strings.withMaxAhead(1), 'b')
    .addSource('s', string, string, 'a')
    .addProcessor('t', { ...plain, timers: ['event-time'] }, 's')
    .addSink('k', 'o', 't')
  const config = parseConfig({ 'default.key.serde': 'json' })
  const findings = validate({ topology: topology.compile(config), config, samples: new Map() })
  expect(findings.map(({ rule, node }) => [rule, node])).toEqual([
    ['missing-serde', 'k'],
    ['timer-key-lane-affinity', 't'],
    ['future-timestamp', 's'],
    ['unreachable-node', 'idle'],
  ])
})
