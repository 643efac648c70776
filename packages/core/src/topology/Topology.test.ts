import { describe, expect, it } from 'vitest'
import { StreamError } from '../errors/StreamError.js'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { byteArray } from '../serde/byteArray.js'
import { json } from '../serde/json.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { Consumed } from './Consumed.js'
import { Produced } from './Produced.js'
import { parseConfig } from './parseConfig.js'
import { Topology } from './Topology.js'

const strings = Consumed.with(string, string)
const echo: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }

function refusal(build: () => unknown): StreamError {
  try {
    build()
  } catch (error) {
    if (error instanceof StreamError) return error
    throw error
  }
  throw new Error('It was not refused.')
}

describe('refusals while building (kafka-streams.md C.1, C.4)', () => {
  const base = () => new Topology().addSource('s', strings, 'a').addProcessor('p', echo, 's').addSink('k', 'out', 'p')
  const store = () => Stores.keyValue('st', string, string)
  const cases: [string, (topology: Topology) => unknown, string, object][] = [
    ['a processor added twice', (t) => t.addProcessor('p', echo, 's'), 'Processor p is already added.', { node: 'p' }],
    ['a source named as a sink', (t) => t.addSource('k', strings, 'b'), 'Processor k is already added.', { node: 'k' }],
    ['an unknown parent', (t) => t.addProcessor('q', echo, 'x'), 'Parent node x is unknown.', { node: 'q' }],
    [
      'itself as parent',
      (t) => t.addProcessor('q', echo, 'q'),
      'Parent node q is unknown (self-reference)',
      { node: 'q' },
    ],
    ['a sink as parent', (t) => t.addProcessor('q', echo, 'k'), 'Sink k cannot be used a parent.', { node: 'q' }],
    ['a sink behind a sink', (t) => t.addSink('k2', 'o', 'k'), 'Sink k cannot be used a parent.', { node: 'k2' }],
    ['no parents', (t) => t.addProcessor('q', echo), 'predecessorNames cannot be empty', { node: 'q' }],
    ['a sink without parents', (t) => t.addSink('k2', 'o'), 'predecessorNames cannot be empty', { node: 'k2' }],
    ['one parent twice', (t) => t.addProcessor('q', echo, 's', 's'), 'names its parent "s" twice', { node: 'q' }],
    ['no topics', (t) => t.addSource('s2', strings), 'topics cannot be empty', { node: 's2' }],
    [
      'a topic of another source',
      (t) => t.addSource('s2', strings, 'b', 'a'),
      'Topic a has already been registered by another source: "s"',
      { node: 's2', topic: 'a' },
    ],
    ['an empty name', (t) => t.addProcessor('', echo, 's'), 'cannot be empty', { node: '' }],
    ['the name "."', (t) => t.addProcessor('.', echo, 's'), 'cannot be "." or ".."', { node: '.' }],
    ['the name ".."', (t) => t.addProcessor('..', echo, 's'), 'cannot be "." or ".."', { node: '..' }],
    [
      'a name with a blank',
      (t) => t.addProcessor('a b', echo, 's'),
      `"a b" is illegal, it contains a character other than ASCII alphanumerics, '.', '_' and '-'`,
      { node: 'a b' },
    ],
    [
      'a name of 250 characters',
      (t) => t.addProcessor('x'.repeat(250), echo, 's'),
      '250 characters long and 249 are allowed',
      { node: 'x'.repeat(250) },
    ],
    [
      'an illegal topic of a source',
      (t) => t.addSource('s2', strings, 'a/b'),
      'The topic name "a/b" is illegal',
      { topic: 'a/b' },
    ],
    [
      'an illegal topic of a sink',
      (t) => t.addSink('k2', 'a/b', 'p'),
      'The topic name "a/b" is illegal',
      { topic: 'a/b' },
    ],
    [
      'a store for an unknown processor',
      (t) => t.addStateStore(store(), 'x'),
      'Processor "x" is not added yet',
      { node: 'x', store: 'st' },
    ],
    [
      'a store for a source',
      (t) => t.addStateStore(store(), 's'),
      'Cannot connect the state store "st" to "s", a source node or a sink node',
      { node: 's', store: 'st' },
    ],
    [
      'a store for a sink',
      (t) => t.addStateStore(store(), 'k'),
      'a source node or a sink node',
      { node: 'k', store: 'st' },
    ],
    [
      'connecting an unknown store',
      (t) => t.connectProcessorAndStateStores('p', 'nope'),
      'StateStore "nope" is not added yet',
      { store: 'nope' },
    ],
    ['connecting nothing', (t) => t.connectProcessorAndStateStores('p'), 'at least one store', { node: 'p' }],
    [
      'two builders of one name',
      (t) => t.addStateStore(store(), 'p').addStateStore(store(), 'p'),
      'A different StateStore has already been added with the name "st"',
      { store: 'st' },
    ],
    [
      'serdes in place of a Produced',
      (t) => t.addSink('k2', 'out', string as never, string as never, 'p'),
      'got a serde where the names of its parents are expected. Serdes go into one Produced before them: ' +
        'addSink("k2", topic, Produced.with(keySerde, valueSerde), ...parents)',
      { node: 'k2' },
    ],
    [
      'a Produced behind the parents of a sink',
      (t) => t.addSink('k2', 'out', 'p', Produced.with(string, string) as never),
      'got an object of Produced where the names of its parents',
      { node: 'k2' },
    ],
    [
      'a sink whose topic is no topic',
      (t) => t.addSink('k2', string as never, 'p'),
      'got a serde for its topic',
      { node: 'k2' },
    ],
    [
      'a topic in place of what reads it',
      (t) => t.addSource('s2', 'a' as never, 'b' as never),
      'Give both before its topics',
      { node: 's2' },
    ],
    [
      'a name for a key deserializer',
      (t) => t.addSource('s2', 'a' as never, string, 'b'),
      'got "a" for its key deserializer',
      { node: 's2' },
    ],
    [
      'an object for a value deserializer',
      (t) => t.addSource('s2', string, {} as never, 'b'),
      'got an object for its value deserializer',
      { node: 's2' },
    ],
    [
      'a serde among the topics of deserializers',
      (t) => t.addSource('s2', string, string, string as never),
      'got a serde for a topic',
      { node: 's2' },
    ],
    ['a topic that is none', (t) => t.addSource('s2', strings, 5 as never), 'got a number for a topic', { node: 's2' }],
    [
      'a parent that is no name',
      (t) => t.addProcessor('q', echo, null as never),
      'got null for a parent',
      { node: 'q' },
    ],
    [
      'a class in place of its maker',
      (t) => t.addProcessor('q', class Own {} as never, 's'),
      'got the class Own itself. Give a function that makes one: () => new Own()',
      { node: 'q' },
    ],
    ['a store by its name', (t) => t.addStateStore('st' as never, 'p'), 'by its builder, and this is "st"', {}],
    [
      'a store for a processor that is no name',
      (t) => t.addStateStore(store(), 5 as never),
      'got a number for a processor',
      { node: 'st' },
    ],
    ['a supplier without get', (t) => t.addProcessor('q', {} as never, 's'), 'needs a supplier', { node: 'q' }],
    [
      'a pattern beside a name',
      (t) => t.addSource('s2', strings, /in-.*/, 'b'),
      'mixes a topic pattern',
      { node: 's2' },
    ],
    ['two patterns', (t) => t.addSource('s2', strings, /in-.*/, /x/), 'mixes a topic pattern', { node: 's2' }],
  ]
  it.each(cases)('refuses %s', (_, build, message, context) => {
    const error = refusal(() => build(base()))
    expect(error.message).toContain(message)
    expect(error).toMatchObject({ code: 'TOPOLOGY_INVALID', kind: 'user', retriable: false, context })
  })

  it('accepts a name of 249 characters', () => {
    expect(() => base().addProcessor('x'.repeat(249), echo, 's')).not.toThrow()
  })

  it('[L6] refuses a supplier that gives one processor twice: each lane runs its own', () => {
    const one = { process() {} }
    const error = refusal(() => base().addProcessor('q', () => one, 's'))
    expect(error.message).toContain('The supplier of "q" gives the same processor twice')
    expect(error.context.node).toBe('q')
  })

  it('[V4] refuses a pattern behind the topics that it covers, and one topic twice in a source', () => {
    const topology = () => new Topology().addSource('s', strings, 'ab')
    expect(refusal(() => topology().addSource('t', strings, /a./))).toMatchObject({
      message: expect.stringContaining(
        'Pattern a. will match a topic that has already been registered by another source: "ab"',
      ),
      context: { node: 't', topic: 'ab' },
    })
    expect(() => topology().addSource('t', strings, /a/)).not.toThrow()
    const twice = refusal(() => topology().addSource('t', strings, 'x', 'y', 'x'))
    expect(twice).toMatchObject({
      message: expect.stringContaining('Topic x has already been registered'),
      context: { node: 't', topic: 'x' },
    })
  })

  it('takes a topic by its whole name only against a pattern', () => {
    const topology = new Topology().addSource('s', strings, /in-./)
    expect(() => topology.addSource('s2', strings, 'in-10')).not.toThrow()
    expect(refusal(() => topology.addSource('s3', strings, 'in-1')).context.topic).toBe('in-1')
  })

  it('leaves the topology as it was when a topic is refused', () => {
    const topology = base()
    refusal(() => topology.addSource('s2', strings, 'b', 'a'))
    expect(() => topology.addSource('s2', strings, 'b')).not.toThrow()
  })
})

describe('stores', () => {
  it('shares one builder between processors, and takes it twice', () => {
    const builder = Stores.keyValue('st', string, string)
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('p', { ...echo, stores: [builder] }, 's')
      .addProcessor('q', { ...echo, stores: [builder] }, 's')
      .addStateStore(builder, 'p')
    const [compiled] = topology.compile(parseConfig({})).stores
    expect(compiled?.nodes).toEqual(['p', 'q'])
  })
})

describe('[C.4] global and read-only stores', () => {
  const store = Stores.keyValue('g', string, string)
  const global = () => new Topology().addGlobalStore(store, 'gs', strings, 'gt', 'gp', echo)

  it('are described with their source and processor, a global one without a blank line behind it', () => {
    const topology = global().addSource('s', strings, 'a').addSink('k', 'out', 's')
    expect(topology.describe()).toBe(
      [
        'Topologies:',
        '   Sub-topology: 0 for global store (will not generate tasks)',
        '    Source: gs (topics: [gt])',
        '      --> gp',
        '    Processor: gp (stores: [g])',
        '      --> none',
        '      <-- gs',
        '  Sub-topology: 1',
        '    Source: s (topics: [a])',
        '      --> k',
        '    Sink: k (topic: out)',
        '      <-- s',
        '',
        '',
      ].join('\n'),
    )
    const readOnly = new Topology().addReadOnlyStateStore(store, 'gs', strings, 'gt', 'gp', echo)
    expect(readOnly.describe()).toContain('   Sub-topology: 0\n')
  })

  it('are restored by their topic; every processor may read the global one', () => {
    const compiled = global().addSource('s', strings, 'a').addProcessor('p', echo, 's').compile(parseConfig({}))
    expect(compiled.stores).toMatchObject([{ name: 'g', nodes: ['gp'], global: true, sourceTopic: 'gt' }])
    expect(compiled.node('p')).toMatchObject({ stores: [], globalStores: ['g'] })
    expect(compiled.node('gs').source?.feeds).toBe('global')
    const readOnly = new Topology().addReadOnlyStateStore(store, 'gs', strings, 'gt', 'gp', echo)
    const [only] = readOnly.compile(parseConfig({})).stores
    expect(only).toMatchObject({ name: 'g', sourceTopic: 'gt' })
    expect(only?.global).toBeUndefined()
  })

  it('refuses what is taken, and a global store that is connected to a processor', () => {
    expect(() => global().addGlobalStore(Stores.keyValue('h'), 'hs', strings, 'gt', 'hp', echo)).toThrow('Topic gt has')
    expect(() => global().addGlobalStore(store, 'hs', strings, 'ht', 'hp', echo)).toThrow('A different StateStore')
    expect(() => global().addGlobalStore(Stores.keyValue('h'), 'gs', strings, 'ht', 'hp', echo)).toThrow(
      'Processor gs is already added',
    )
    const read = global().addSource('s', strings, 'a').addProcessor('p', echo, 's')
    expect(refusal(() => read.connectProcessorAndStateStores('p', 'g'))).toMatchObject({
      message: expect.stringContaining('can be used by a processor without being specified'),
      context: { node: 'p', store: 'g' },
    })
  })

  it('cannot be described with a node behind them', () => {
    expect(() => global().addProcessor('p', echo, 'gp').describe()).toThrow('more nodes behind it: p')
  })
})

describe('processor.wrapper', () => {
  it('puts something around every processor by its name, and leaves the rest of its supplier', () => {
    const seen: string[] = []
    const around = { process() {} }
    const topology = new Topology({
      'processor.wrapper': (name: string) => {
        seen.push(name)
        return () => around
      },
    })
    const supplier = { ...echo, timers: ['event-time'] as const, stores: [Stores.keyValue('st', string, string)] }
    topology.addSource('s', strings, 'a').addProcessor('p', supplier, 's').addSink('k', 'out', 'p')
    const node = topology.compile(parseConfig({})).node('p')
    expect(seen).toEqual(['p'])
    expect(node.supplier?.get()).toBe(around)
    expect(node).toMatchObject({ timers: ['event-time'], stores: ['st'] })
  })

  it('leaves out what fills global and read-only stores, as Kafka Streams does', () => {
    const seen: string[] = []
    const wrapper = (name: string) => {
      seen.push(name)
      return echo
    }
    const topology = new Topology({ 'processor.wrapper': wrapper })
    const store = (name: string) => Stores.keyValue(name, string, string)
    topology.addGlobalStore(store('g'), 'gs', strings, 'global', 'gp', echo)
    topology.addReadOnlyStateStore(store('r'), 'rs', strings, 'read', 'rp', echo)
    topology.addSource('s', strings, 'a').addProcessor('p', echo, 's')
    expect(seen).toEqual(['p'])
  })

  it('is refused when it is no function', () => {
    expect(refusal(() => new Topology({ 'processor.wrapper': 'note' }))).toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('leaves the keys of the application unread', () => {
    expect(() => new Topology({ 'no.such.key': 1, 'lanes.count': 'x' })).not.toThrow()
  })
})

describe('[A1] both forms of addSource', () => {
  const compile = (topology: Topology) => topology.compile(parseConfig({ 'default.key.serde': 'long' }))
  const source = (topology: Topology) => compile(topology).node('s')

  it('declares both directions with Consumed', () => {
    const node = source(new Topology().addSource('s', Consumed.with(json<string>(), string), 'a'))
    expect(node.source).toMatchObject({
      keyForm: 'serde',
      topics: ['a'],
      feeds: 'stream',
      laneBy: 'key',
      nulls: 'keep',
    })
    expect(node.key).toMatchObject({ status: 'declared', label: 'json', by: 'Consumed', node: 's' })
  })

  it('counts a full serde in the deserializer form as its reading half', () => {
    const node = source(new Topology().addSource('s', string, json(), 'a'))
    expect(node.source?.keyForm).toBe('deserializer')
    expect(node.source?.keyDeserializer).toBe(string)
    expect(node.key).toMatchObject({ status: 'declared', label: 'string', by: 'deserializer' })
    expect(node.key.serde).toBeUndefined()
  })

  it('[T4] counts a byte-array deserializer as declaring the serde', () => {
    const node = source(
      new Topology().addSource('s', { id: 'byteArray', deserialize: (_t, _h, bytes) => bytes }, string, 'a'),
    )
    expect(node.source?.keyForm).toBe('serde')
    expect(node.key.serde).toBe(byteArray)
    expect(node.key.by).toBe('deserializer')
  })

  it('leaves an undefined side to the default', () => {
    const node = source(new Topology().addSource('s', undefined, string, 'a'))
    expect(node.source?.keyForm).toBe('default')
    expect(node.key).toMatchObject({ status: 'defaulted', label: 'long', by: 'default.key.serde' })
  })

  it('names a deserializer that has no id', () => {
    const node = source(new Topology().addSource('s', { deserialize: () => 'x' }, string, 'a'))
    expect(node.key.label).toBe('deserializer')
  })

  it('tells when the value deserializer was left out', () => {
    const error = refusal(() => new Topology().addSource('s', string, 'a' as never))
    expect(error.message).toContain('a key deserializer but no value deserializer')
  })

  it('carries every option of Consumed', () => {
    const extractor = { id: 'mine', extract: () => 1 }
    const consumed = Consumed.with(string, string, { nulls: 'drop' })
      .withMaxAhead(5)
      .withWatermarkStrategy({ maxOutOfOrdernessMs: 7 })
      .withTimestampExtractor(extractor)
      .laneBy('partition')
    expect(source(new Topology().addSource('s', consumed, 'a')).source).toMatchObject({
      maxAheadMs: 5,
      watermark: { maxOutOfOrdernessMs: 7 },
      timestampExtractor: extractor,
      laneBy: 'partition',
      nulls: 'drop',
    })
  })
})

describe('Consumed and Produced', () => {
  it('are immutable: every with gives a new one', () => {
    const first = Consumed.with(string, string)
    expect(first.withMaxAhead(1)).not.toBe(first)
    expect(first.options.maxAheadMs).toBeUndefined()
    const produced = Produced.with(string, string)
    expect(produced.withName('n').name).toBe('n')
    expect(produced.name).toBeUndefined()
  })

  it.each([
    ['withMaxAhead', () => strings.withMaxAhead(-1), 'not negative; got -1'],
    ['withMaxAhead', () => strings.withMaxAhead(1.5), 'got 1.5'],
    ['withNumberOfLanes', () => strings.withNumberOfLanes(0), 'at least 1; got 0'],
    ['withWatermarkStrategy', () => strings.withWatermarkStrategy({ maxOutOfOrdernessMs: -1 }), 'got -1'],
    ['withName', () => strings.withName('a b'), '"a b" is illegal'],
  ])('refuses what %s cannot mean', (_, build, message) => {
    const error = refusal(build)
    expect(error.code).toBe('TOPOLOGY_INVALID')
    expect(error.message).toContain(message)
  })

  it('accepts a bound of 0 ms and one lane', () => {
    expect(strings.withMaxAhead(0).withNumberOfLanes(1).options).toMatchObject({ maxAheadMs: 0, numberOfLanes: 1 })
  })

  it('keeps the sides of Produced apart', () => {
    const produced = Produced.as<string, string>('n').withKeySerde(string).withValueSerde(json<string>())
    expect([produced.keySerde?.id, produced.valueSerde?.id, produced.name]).toEqual(['string', 'json', 'n'])
  })
})
