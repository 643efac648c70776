import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import type { CompiledTopology } from '../CompiledTopology.js'
import { Consumed } from '../Consumed.js'
import { parseConfig } from '../parseConfig.js'
import { Topology } from '../Topology.js'

const strings = Consumed.with(string, string)
const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }
const store = (name = 'st') => Stores.keyValue(name, string, string)

const compile = (topology: Topology, config: Record<string, unknown> = {}) =>
  topology.compile(parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string', ...config }))
const boundaries = (compiled: CompiledTopology) => compiled.boundaries.map(({ from, to }) => `${from}->${to}`)
const parts = (compiled: CompiledTopology) => compiled.subTopologies.map((sub) => sub.nodes.join(' '))
const source = () => new Topology().addSource('s', strings, 'a')

describe('[B6] an edge of the Processor API opens a boundary', () => {
  it('not behind a source, whatever comes next', () => {
    expect(boundaries(compile(source().addProcessor('p', withTimers, 's')))).toEqual([])
  })

  it('not between processors without state or timers', () => {
    expect(boundaries(compile(source().addProcessor('p', plain, 's').addProcessor('q', plain, 'p')))).toEqual([])
  })

  it('in front of a processor with a store', () => {
    const topology = source().addProcessor('p', plain, 's').addProcessor('q', plain, 'p').addStateStore(store(), 'q')
    expect(boundaries(compile(topology))).toEqual(['p->q'])
  })

  it('in front of a processor with timers', () => {
    const topology = source().addProcessor('p', plain, 's').addProcessor('q', withTimers, 'p')
    expect(boundaries(compile(topology))).toEqual(['p->q'])
  })

  it('not for a store of the parent', () => {
    const topology = source().addProcessor('p', plain, 's').addProcessor('q', plain, 'p').addStateStore(store(), 'p')
    expect(boundaries(compile(topology))).toEqual([])
  })

  it('in front of a node that only leads to a store, when the nodes between keep the key', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', sameKey, 'p')
      .addProcessor('r', withTimers, 'q')
    expect(boundaries(compile(topology))).toEqual(['p->q'])
  })

  it('nearest to the store: what lies behind the next boundary does not count', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', plain, 'p')
      .addProcessor('r', withTimers, 'q')
    expect(boundaries(compile(topology))).toEqual(['q->r'])
  })

  it('not behind a processor that keeps the key', () => {
    const topology = source().addProcessor('p', sameKey, 's').addProcessor('q', withTimers, 'p')
    expect(boundaries(compile(topology))).toEqual([])
    expect(compile(topology).node('p').changesKey).toBe(false)
  })

  it('not in front of a sink', () => {
    expect(boundaries(compile(source().addProcessor('p', plain, 's').addSink('k', 'o', 'p')))).toEqual([])
  })

  it('only on the edges that need it', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addProcessor('r', plain, 'p')
    const compiled = compile(topology)
    expect(boundaries(compiled)).toEqual(['p->q'])
    expect(compiled.edges.map(({ from, to, boundary }) => [from, to, boundary])).toEqual([
      ['s', 'p', false],
      ['p', 'q', true],
      ['p', 'r', false],
    ])
  })
})

describe('sub-topologies', () => {
  it('are what lies between boundaries, in topological order', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addSink('k', 'o', 'q')
      .addSource('t', strings, 'b')
    const compiled = compile(topology)
    expect(parts(compiled)).toEqual(['s p', 'q k', 't'])
    expect(compiled.subTopologies.map(({ sources, upstream }) => [sources, upstream])).toEqual([
      [['s'], []],
      [[], [0]],
      [['t'], []],
    ])
    expect(compiled.boundaries[0]).toMatchObject({ fromSubTopology: 0, toSubTopology: 1 })
  })

  it('[L7] never feed themselves: a short cut around a boundary becomes a boundary', () => {
    const topology = source().addProcessor('p', plain, 's').addProcessor('q', withTimers, 'p', 's')
    const compiled = compile(topology)
    expect(boundaries(compiled)).toEqual(['p->q', 's->q'])
    expect(compiled.subTopologies.every((sub) => !sub.upstream.includes(sub.index))).toBe(true)
  })

  it('[L7] form no cycle, also by way of a node downstream', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addProcessor('r', sameKey, 's')
      .addProcessor('k', sameKey, 'q', 'r')
    const compiled = compile(topology)
    expect(parts(compiled)).toEqual(['s p r', 'q k'])
    expect(boundaries(compiled)).toEqual(['p->q', 'r->k'])
  })

  it('[L7] count a sink to its parents furthest down; the others write to it from their own lanes', () => {
    const topology = source()
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addProcessor('r', sameKey, 's')
      .addSink('k', 'o', 'r', 'q')
    const compiled = compile(topology)
    expect(parts(compiled)).toEqual(['s p r', 'q k'])
    expect(boundaries(compiled)).toEqual(['p->q'])
    expect(compiled.subTopologies[1]?.upstream).toEqual([0])
  })

  it('are one when a sink is all that two sources share', () => {
    expect(parts(compile(source().addSource('t', strings, 'b').addSink('k', 'o', 's', 't')))).toEqual(['s t k'])
  })

  it('know the topic sources upstream of each node, through boundaries', () => {
    const topology = source()
      .addSource('t', strings, 'b')
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p', 't')
    const compiled = compile(topology)
    expect(compiled.node('q').sources).toEqual(['s', 't'])
    expect(compiled.node('p').sources).toEqual(['s'])
    expect(compiled.node('t').sources).toEqual(['t'])
  })

  it('[L8] are synchronous when every supplier in them is', () => {
    const sync = { ...plain, sync: true as const }
    const topology = source().addProcessor('p', sync, 's').addSource('t', strings, 'b').addProcessor('q', plain, 't')
    expect(compile(topology).subTopologies.map((sub) => sub.sync)).toEqual([true, false])
  })
})

describe('[L5] lanes', () => {
  const lanes = (topology: Topology, config?: Record<string, unknown>) =>
    compile(topology, config).subTopologies.map(({ laneCount, laneCountFrom }) => [laneCount, laneCountFrom])

  it('are 16 when nothing says otherwise', () => expect(lanes(source())).toEqual([[16, { by: 'default' }]]))

  it('come from lanes.count', () => {
    expect(lanes(source(), { 'lanes.count': 5 })).toEqual([[5, { by: 'lanes.count' }]])
  })

  it('say when the number came under its other name', () => {
    expect(lanes(source(), { 'num.stream.threads': 5 })).toEqual([[5, { by: 'num.stream.threads' }]])
    const both = { 'num.stream.threads': 5, 'lanes.count': 5 }
    expect(lanes(source(), both)).toEqual([[5, { by: 'lanes.count' }]])
  })

  it('come from the source before the config', () => {
    const topology = new Topology().addSource('s', strings.withNumberOfLanes(3), 'a')
    expect(lanes(topology, { 'lanes.count': 5 })).toEqual([[3, { by: 'numberOfLanes', node: 's' }]])
  })

  it('are the most that any source of the sub-topology asks for', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(3), 'a')
      .addSource('t', strings.withNumberOfLanes(4), 'b')
      .addProcessor('p', plain, 's', 't')
    expect(lanes(topology)).toEqual([[4, { by: 'numberOfLanes', node: 't' }]])
  })

  it('name the first of several that ask for the most', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(4), 'a')
      .addSource('t', strings.withNumberOfLanes(4), 'b')
      .addProcessor('p', plain, 's', 't')
    expect(lanes(topology)).toEqual([[4, { by: 'numberOfLanes', node: 's' }]])
  })

  it('are each sub-topology its own', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(3), 'a')
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
    expect(lanes(topology, { 'lanes.count': 5 })).toEqual([
      [3, { by: 'numberOfLanes', node: 's' }],
      [5, { by: 'lanes.count' }],
    ])
  })
})

describe('[L1] sub-topologies that use one store', () => {
  const topology = new Topology()
    .addSource('x', strings, 'x')
    .addSource('s', strings.withNumberOfLanes(3), 'a')
    .addSource('t', strings, 'b')
    .addProcessor('p', plain, 's')
    .addProcessor('q', plain, 't')
    .addStateStore(store(), 'p', 'q')

  it('take turns, the others do not', () => {
    expect(compile(topology).subTopologies.map((sub) => sub.turn)).toEqual([0, 1, 1])
  })

  it('have the same number of lanes: the largest declared', () => {
    expect(compile(topology).subTopologies.map((sub) => sub.laneCount)).toEqual([16, 3, 3])
  })
})

describe('the compiled topology', () => {
  it('refuses to be without a source', () => {
    expect(() => compile(new Topology())).toThrow('Topology has no source')
  })

  it('names its nodes when asked for another', () => {
    expect(() => compile(source()).node('x')).toThrow('There is no node "x". Nodes: s.')
  })

  it('knows parents, children, stores and timers of each node', () => {
    const topology = source().addProcessor('p', withTimers, 's').addStateStore(store(), 'p').addSink('k', 'o', 'p')
    expect(compile(topology).node('p')).toMatchObject({
      kind: 'processor',
      parents: ['s'],
      children: ['k'],
      stores: ['st'],
      timers: ['event-time'],
      changesKey: true,
    })
    expect(compile(topology).node('s').timerKey).toBeUndefined()
  })
})

describe('[B5] describeLanes()', () => {
  it('gives chains, lanes, boundaries and timers, each key serde with its origin', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(3), 'a')
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addSink('k', 'o', 'q')
      .addSink('l', 'o2', 'q')
    expect(compile(topology, { 'lanes.count': 5 }).describeLanes()).toBe(
      [
        'Lanes:',
        '  Sub-topology 0: 3 lanes (numberOfLanes on s), asynchronous',
        '    laned by the raw key bytes of s',
        '    s -> p',
        '',
        '  Sub-topology 1: 5 lanes (lanes.count), asynchronous',
        '    fed by sub-topology 0',
        '    q',
        '    k',
        '    l',
        '    Timers of q (event-time): key string (defaulted: default.key.serde)',
        '',
        '  Boundary p -> q: sub-topology 0 -> 1 (5 lanes), changed key, key string (defaulted: default.key.serde)',
        '',
      ].join('\n'),
    )
  })

  it('says which serde is missing, which store is shared, and one lane as one', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(1), 'a')
      .addProcessor('p', plain, 's')
      .addProcessor('q', withTimers, 'p')
      .addStateStore(store(), 'p', 'q')
    const text = topology.compile(parseConfig({})).describeLanes()
    expect(text).toContain('Sub-topology 0: 1 lane (numberOfLanes on s)')
    expect(text).toContain('takes turns with sub-topology 0: they share a store')
    expect(text).toContain(
      'Boundary p -> q: sub-topology 0 -> 1 (1 lane), changed key, key ? (no serde declared, and no default)',
    )
  })

  it('says what is laned by partition, and shows a sink that is counted to another sub-topology', () => {
    const topology = source()
      .addSource('t', strings.laneBy('partition'), 'b')
      .addProcessor('p', plain, 's', 't')
      .addProcessor('q', withTimers, 'p')
      .addProcessor('r', sameKey, 's')
      .addSink('k', 'o', 'r', 'q')
    topology.scheduled('tick', { every: 1000 }, () => [], { keySerde: string })
    const lines = compile(topology).describeLanes().split('\n')
    expect(lines).toContain('    laned by what the key serde writes of tick')
    expect(lines).toContain('    laned by the raw key bytes of s')
    expect(lines).toContain('    laned by the partition of t')
    expect(lines).toContain('    r -> k')
    expect(lines).toContain('    q -> k')
  })
})

describe('[A9] the timer key serde', () => {
  const keyOf = (topology: Topology) => compile(topology).node('p').timerKey?.label

  it('is there on a node with a store that two sources feed, by T4', () => {
    const two = source().addSource('t', strings, 'b').addProcessor('p', plain, 's', 't')
    expect(keyOf(two)).toBeUndefined()
    expect(keyOf(two.addStateStore(store(), 'p'))).toBe('string')
    expect(compile(two).node('p').timers).toEqual([])
  })

  it('is not there on a node that one source feeds, by two ways even', () => {
    expect(keyOf(source().addProcessor('p', plain, 's').addStateStore(store(), 'p'))).toBeUndefined()
    const twice = source().addProcessor('q', sameKey, 's').addProcessor('p', plain, 's', 'q')
    expect(keyOf(twice.addStateStore(store(), 'p'))).toBeUndefined()
  })

  it('is there where two boundaries, or a source through other nodes and a boundary, lead in', () => {
    const boundaries = source()
      .addProcessor('a', plain, 's')
      .addProcessor('b', plain, 's')
      .addProcessor('p', plain, 'a', 'b')
    expect(keyOf(boundaries.addStateStore(store(), 'p'))).toBe('string')
    const one = source().addProcessor('a', plain, 's').addProcessor('p', plain, 'a')
    expect(keyOf(one.addStateStore(store(), 'p'))).toBeUndefined()
    const far = source().addSource('t', strings, 'b').addProcessor('m', sameKey, 's', 't').addProcessor('p', plain, 'm')
    expect(keyOf(far.addStateStore(store(), 'p'))).toBe('string')
  })
})

describe('[L1] lanes asked for', () => {
  it('are all listed, for each sub-topology that takes turns', () => {
    const topology = new Topology()
      .addSource('s', strings.withNumberOfLanes(3), 'a')
      .addSource('t', strings.withNumberOfLanes(4), 'b')
      .addSource('u', strings, 'c')
      .addProcessor('p', plain, 's')
      .addProcessor('q', plain, 't')
      .addStateStore(store(), 'p', 'q')
    const asked = [
      { node: 's', laneCount: 3 },
      { node: 't', laneCount: 4 },
    ]
    expect(compile(topology).subTopologies.map((sub) => sub.lanesAsked)).toEqual([asked, asked, []])
  })
})
