import { describe, expect, it } from 'vitest'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import type { SourceSamples } from '../Finding.js'
import { sourceKeyBytes } from './sourceKeyBytes.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...sameKey, timers: ['event-time'] }
const strings = Consumed.with(string, string)
const jsons = Consumed.with(json(), string)
const reading = Consumed.deserializers(json(), string)
const undeclared = Consumed.with(undefined, string)
const store = () => Stores.keyValue('st', string, string)
const utf8 = (text: string) => new TextEncoder().encode(text)

function check(topology: Topology, config: Record<string, unknown> = {}, samples: Record<string, string[]> = {}) {
  const parsed = parseConfig({ 'default.key.serde': 'string', ...config })
  const known = Object.entries(samples).map(([name, keys]): [string, SourceSamples] => [name, { keys: keys.map(utf8) }])
  return sourceKeyBytes.check({ topology: topology.compile(parsed), config: parsed, samples: new Map(known) })
}
const severities = (topology: Topology, config?: Record<string, unknown>) =>
  check(topology, config).map((finding) => finding.severity)

/** s and t, merged into p, which has a store. */
function merged(left: Consumed<any, any>, right: Consumed<any, any>): Topology {
  return new Topology()
    .addSource('s', left, 'a')
    .addSource('t', right, 'b')
    .addProcessor('p', sameKey, 's', 't')
    .addStateStore(store(), 'p')
}

describe('[V13] [A9] what feeds one node with a store', () => {
  it('is an error when the declared key serdes differ', () => {
    expect(check(merged(strings, jsons))).toMatchObject([
      {
        id: 'source-key-bytes:s,t:p',
        rule: 'source-key-bytes',
        severity: 'error',
        node: 'p',
        nodes: ['s', 't', 'p'],
        path: [
          { from: 's', to: 'p' },
          { from: 't', to: 'p' },
        ],
        title: 'p gets one key on different lanes',
        places: [
          { node: 'p', title: 'One key, several ways in.', detail: 'It keeps st.' },
          { node: 's', title: 'Lane picked by string.', detail: 'Consumed on s says so.' },
          { node: 't', title: 'Lane picked by json.', detail: 'Consumed on t says so.' },
        ],
        fixes: [],
        note: 'Where the topics do differ, call repartition() behind the merge: one serde then writes every key again.',
      },
    ])
    expect(check(merged(strings, jsons))[0]?.message).toContain(
      's lanes by string and t lanes by json. All of them feed p.',
    )
  })

  it('is fine when they are the same', () => expect(severities(merged(strings, strings))).toEqual([]))

  it.each([
    ['reads with a deserializer', reading],
    ['is left to the default', undeclared],
  ])('is a warning when one %s', (_what, other) => {
    expect(severities(merged(strings, other))).toEqual(['warn'])
    expect(severities(merged(other, strings))).toEqual(['warn'])
    expect(severities(merged(other, other))).toEqual(['warn'])
    const [finding] = check(merged(strings, other))
    expect(finding?.title).toBe('p may get one key on different lanes')
    expect(finding?.message).toContain('s lanes by string and t declares no key serde.')
    expect(finding?.places[2]).toMatchObject({ node: 't', title: 'Key bytes unknown.' })
    expect(finding?.note).toContain('Declare the key serde of t with Consumed.with(…), if it is the same.')
  })

  it('takes a byte-array deserializer as a declaration (T4)', () => {
    const bytes = Consumed.deserializers({ id: 'byteArray', deserialize: (_t, _h, b) => b }, string)
    expect(severities(merged(strings, bytes))).toEqual(['error'])
    expect(severities(merged(bytes, bytes))).toEqual([])
  })

  it('takes the key serde of a scheduled source for what it writes (L4)', () => {
    const ticking = (keySerde: any) =>
      new Topology()
        .addSource('s', strings, 'a')
        .scheduled('tick', { every: 1000 }, () => [], { keySerde })
        .addProcessor('p', sameKey, 's', 'tick')
        .addStateStore(store(), 'p')
    expect(severities(ticking(string))).toEqual([])
    expect(severities(ticking(json()))).toEqual(['error'])
  })

  it('does not mind sources that feed nodes without state, or one source that comes by two ways', () => {
    const stateless = new Topology()
      .addSource('s', strings, 'a')
      .addSource('t', jsons, 'b')
      .addProcessor('p', plain, 's', 't')
    expect(severities(stateless)).toEqual([])
    const one = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('q', sameKey, 's')
      .addProcessor('p', sameKey, 's', 'q')
      .addStateStore(store(), 'p')
    expect(severities(one)).toEqual([])
  })

  it('minds timers as well as stores', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addSource('t', jsons, 'b')
      .addProcessor('p', withTimers, 's', 't')
    expect(check(topology)[0]).toMatchObject({
      severity: 'error',
      places: [{ detail: 'It keeps timers (event-time).' }, {}, {}],
    })
  })

  it('[A8] does not look where there is one lane, nor at what is laned without a hash of the key', () => {
    expect(severities(merged(strings.withNumberOfLanes(1), jsons.withNumberOfLanes(1)))).toEqual([])
    expect(severities(merged(strings.withNumberOfLanes(2), jsons))).toEqual(['error'])
    expect(severities(merged(strings, jsons.laneBy('partition')))).toEqual([])
  })

  it('is one finding for all nodes behind the same places', () => {
    const topology = merged(strings, jsons)
      .addProcessor('q', sameKey, 'p')
      .addStateStore(Stores.keyValue('other', string, string), 'q')
    expect(check(topology)).toMatchObject([{ node: 'p', nodes: ['s', 't', 'p', 'q'] }])
  })

  it('is as severe as the config allows, and a guess never more than a warning', () => {
    const of = (verdict: string) => ({ 'topology.validation.source-key-bytes': verdict })
    expect(severities(merged(strings, jsons), of('warn'))).toEqual(['warn'])
    expect(severities(merged(strings, reading), of('hint'))).toEqual(['hint'])
    expect(severities(merged(strings, reading), of('error'))).toEqual(['warn'])
    expect(severities(merged(strings, jsons), of('off'))).toEqual([])
  })
})

describe('[V13] [A9] boundaries that feed one node', () => {
  /** u through a boundary, and t, a source of its own. */
  const crossing = (consumed: Consumed<any, any>) =>
    new Topology()
      .addSource('u', strings, 'a')
      .addProcessor('c', plain, 'u')
      .addSource('t', consumed, 'b')
      .addProcessor('p', sameKey, 'c', 't')
      .addStateStore(store(), 'p')

  it('compare by the serde that they write, the source becoming one behind the levelled edge', () => {
    const [finding] = check(crossing(jsons))
    expect(finding).toMatchObject({ severity: 'warn', title: 'p may get one key on different lanes' })
    expect(finding?.message).toContain('the boundary c → p lanes by string, the default')
    expect(severities(crossing(strings))).toEqual([])
  })

  it('are an error when both are declared and differ', () => {
    const builder = new StreamsBuilder()
    const left = builder.stream<any, any>('a', strings.withName('s')).repartition()
    const right = builder.stream<any, any>('b', jsons.withName('t'))
    left.merge(right).groupByKey().count()
    expect(severities(builder.build())).toEqual(['error'])
  })

  it('are mended by one repartition() behind the merge', () => {
    const builder = new StreamsBuilder()
    const left = builder.stream<any, any>('a', strings.withName('s'))
    left
      .merge(builder.stream<any, any>('b', jsons.withName('t')))
      .repartition()
      .groupByKey()
      .count()
    expect(severities(builder.build())).toEqual([])
  })

  it('leave what is unresolved to V6', () => {
    expect(severities(crossing(jsons), { 'default.key.serde': undefined })).toEqual([])
  })
})

describe('[V13] [A9] nodes that share a store', () => {
  /** p behind s, and q behind t, over one store. */
  const sharing = (left: Consumed<any, any>, right: Consumed<any, any>) =>
    new Topology()
      .addSource('s', left, 'a')
      .addSource('t', right, 'b')
      .addProcessor('p', sameKey, 's')
      .addProcessor('q', sameKey, 't')
      .addStateStore(store(), 'p', 'q')

  it('are warned of when their sources lane a key by different bytes', () => {
    expect(check(sharing(strings, jsons))).toMatchObject([
      {
        severity: 'warn',
        node: 'p',
        nodes: ['s', 't', 'p', 'q'],
        title: 'p and q get one key on different lanes',
        places: [
          { node: 'p', detail: 'It keeps st, and so does q.' },
          { node: 's', title: 'Lane picked by string.' },
          { node: 't', title: 'Lane picked by json.' },
        ],
      },
    ])
    expect(check(sharing(strings, jsons))[0]?.message).toContain('All of them feed p and q.')
    expect(check(sharing(strings, reading))).toMatchObject([
      { severity: 'warn', title: 'p and q may get one key on different lanes' },
    ])
  })

  it('are fine when the bytes are the same, when they come from one source, and when nothing is shared', () => {
    expect(severities(sharing(strings, strings))).toEqual([])
    const one = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('p', sameKey, 's')
      .addProcessor('q', sameKey, 's')
      .addStateStore(store(), 'p', 'q')
    expect(severities(one)).toEqual([])
    const apart = new Topology()
      .addSource('s', strings, 'a')
      .addSource('t', jsons, 'b')
      .addProcessor('p', sameKey, 's')
      .addProcessor('q', sameKey, 't')
      .addStateStore(store(), 'p')
      .addStateStore(Stores.keyValue('other', string, string), 'q')
    expect(severities(apart)).toEqual([])
  })

  it('are one finding with the node that both ways feed, and as sure as that', () => {
    const topology = merged(strings, jsons).addProcessor('q', sameKey, 's').connectProcessorAndStateStores('q', 'st')
    expect(check(topology)).toMatchObject([{ severity: 'error', node: 'p', nodes: ['s', 't', 'p', 'q'] }])
  })
})

describe('[V13] fixes', () => {
  it('give a boundary that is left to the default the serde of all others, where its keys are written', () => {
    const crossing = (...sinks: string[]) => {
      const topology = new Topology()
        .addSource('u', strings, 'a')
        .addProcessor('c', plain, 'u')
        .addSource('t', jsons, 'b')
        .addProcessor('p', sameKey, 'c', 't')
        .addStateStore(store(), 'p')
      for (const sink of sinks) topology.addSink(sink, sink, 'p')
      return topology
    }
    expect(check(crossing('k'))[0]?.fixes).toEqual([
      {
        kind: 'declare-serde',
        node: 'k',
        side: 'key',
        serde: 'json',
        title: 'Declare json for the key of k',
        effect: 'Every key then has the bytes that json writes, and one lane.',
      },
    ])
    expect(check(crossing())[0]?.fixes).toEqual([])
  })

  it('declare the serde that writes the sample keys again, when it is that of the others', () => {
    const [finding] = check(merged(jsons, reading), {}, { t: ['"k0"', '"k1"'] })
    expect(finding?.fixes).toEqual([
      {
        kind: 'declare-consumed',
        source: 't',
        keySerde: 'json',
        valueSerde: 'string',
        title: 'Declare Consumed.with(json, string) on t',
        effect: 'Every key then has the bytes that json writes, and one lane.',
      },
    ])
  })

  it('are not offered when that serde is another, when there is no sample, or when declarations differ', () => {
    expect(check(merged(strings, reading), {}, { t: ['"k0"'] })[0]?.fixes).toEqual([])
    expect(check(merged(jsons, reading))[0]?.fixes).toEqual([])
    expect(check(merged(strings, jsons), {}, { t: ['"k0"'], s: ['k0'] })[0]?.fixes).toEqual([])
  })

  it('declare both sources when neither is declared and their samples agree', () => {
    const both = check(merged(reading, reading), {}, { s: ['"a"'], t: ['"b"'] })[0]?.fixes
    expect(both?.map((fix) => fix.title)).toEqual([
      'Declare Consumed.with(json, string) on s',
      'Declare Consumed.with(json, string) on t',
    ])
    expect(check(merged(reading, reading), {}, { s: ['"a"'] })[0]?.fixes).toEqual([])
  })

  it('put a repartition in front of a node that has one way in, with the serde that is declared', () => {
    const kept = (...parents: string[]) => {
      const topology = new Topology().addSource('s', strings, 'a').addSource('t', reading, 'b')
      return topology
        .addProcessor('m', sameKey, 's', 't')
        .addProcessor('p', sameKey, ...parents)
        .addStateStore(store(), 'p')
    }
    const repartitions = (topology: Topology) =>
      check(topology)
        .find(({ node }) => node === 'p')
        ?.fixes.filter(({ kind }) => kind === 'insert-repartition')
    expect(repartitions(kept('m'))).toEqual([
      {
        kind: 'insert-repartition',
        before: 'p',
        keySerde: 'string',
        title: 'Repartition in front of p',
        effect: 'One serde then writes every key again on the way into p, and its bytes pick the lane.',
      },
    ])
    expect(repartitions(kept('m', 't'))).toEqual([])
    const shared = new Topology()
      .addSource('s', strings, 'a')
      .addSource('t', reading, 'b')
      .addProcessor('m', sameKey, 's')
      .addProcessor('n', sameKey, 't')
      .addProcessor('p', sameKey, 'm')
      .addProcessor('q', sameKey, 'n')
      .addStateStore(store(), 'p', 'q')
    expect(check(shared)).toMatchObject([{ node: 'p', fixes: [] }])
  })

  it('put a repartition also where declared serdes differ: only it can make them one', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addSource('t', jsons, 'b')
      .addProcessor('m', sameKey, 's', 't')
      .addProcessor('p', sameKey, 'm')
      .addStateStore(store(), 'p')
    expect(check(topology)).toMatchObject([{ severity: 'error', fixes: [{ kind: 'insert-repartition' }] }])
  })
})
