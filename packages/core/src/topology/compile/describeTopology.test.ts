import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../Consumed.js'
import { Topology } from '../Topology.js'

const strings = Consumed.with(string, string)
const echo: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }

/** Texts as Kafka Streams 4.4.0 printed them. */
const sharedStore = `Topologies:
   Sub-topology: 0
    Source: A (topics: [a])
      --> P1
    Source: B (topics: [b])
      --> P2
    Processor: P1 (stores: [st])
      --> K
      <-- A
    Sink: K (topic: o)
      <-- P1
    Processor: P2 (stores: [st])
      --> none
      <-- B

`

const grownSizes = `Topologies:
   Sub-topology: 0
    Source: src-r0 (topics: [t0])
      --> Node53-0, Node40-8, z_94-1, KSTREAM-14-3, KSTREAM-94-9
    Processor: Node53-0 (stores: [])
      --> x-18-2, z_94-1, x-85-10, p14-6
      <-- src-r0
    Source: src-q1 (topics: [t1])
      --> x-18-2, z_78-5, Node54-11, p14-6
    Processor: z_94-1 (stores: [])
      --> x-18-2, KSTREAM-87-4, KSTREAM-94-9
      <-- src-r0, Node53-0
    Processor: x-18-2 (stores: [])
      --> z_78-5, KSTREAM-14-3
      <-- src-q1, Node53-0, z_94-1
    Processor: KSTREAM-14-3 (stores: [])
      --> Node40-8, x-85-10, p14-6
      <-- src-r0, x-18-2
    Processor: z_78-5 (stores: [])
      --> Node54-11, x-85-10, z_18-7
      <-- src-q1, x-18-2
    Processor: Node40-8 (stores: [])
      --> sink0, sink1
      <-- src-r0, KSTREAM-14-3
    Processor: Node54-11 (stores: [])
      --> sink0
      <-- src-q1, z_78-5
    Processor: x-85-10 (stores: [])
      --> sink1
      <-- Node53-0, z_78-5, KSTREAM-14-3
    Processor: KSTREAM-87-4 (stores: [])
      --> none
      <-- z_94-1
    Processor: KSTREAM-94-9 (stores: [])
      --> none
      <-- src-r0, z_94-1
    Processor: p14-6 (stores: [])
      --> none
      <-- Node53-0, src-q1, KSTREAM-14-3
    Sink: sink0 (topic: o0)
      <-- Node40-8, Node54-11
    Sink: sink1 (topic: o1)
      <-- Node40-8, x-85-10
    Processor: z_18-7 (stores: [])
      --> none
      <-- z_78-5

`

describe('[B5] describe() gives the text of Kafka Streams', () => {
  it('joins what shares a store into one sub-topology', () => {
    const topology = new Topology()
      .addSource('A', strings, 'a')
      .addSource('B', strings, 'b')
      .addProcessor('P1', echo, 'A')
      .addProcessor('P2', echo, 'B')
      .addStateStore(Stores.keyValue('st', string, string), 'P1', 'P2')
      .addSink('K', 'o', 'P1')
    expect(topology.describe()).toBe(sharedStore)
  })

  it('orders children by their size at the moment of insertion', () => {
    const topology = new Topology()
      .addSource('src-r0', strings, 't0')
      .addSource('src-q1', strings, 't1')
      .addProcessor('Node53-0', echo, 'src-r0')
      .addProcessor('z_94-1', echo, 'src-r0', 'Node53-0')
      .addProcessor('x-18-2', echo, 'src-q1', 'Node53-0', 'z_94-1')
      .addProcessor('KSTREAM-14-3', echo, 'src-r0', 'x-18-2')
      .addProcessor('KSTREAM-87-4', echo, 'z_94-1')
      .addProcessor('z_78-5', echo, 'src-q1', 'x-18-2')
      .addProcessor('p14-6', echo, 'KSTREAM-14-3', 'src-q1', 'Node53-0')
      .addProcessor('z_18-7', echo, 'z_78-5')
      .addProcessor('Node40-8', echo, 'src-r0', 'KSTREAM-14-3')
      .addProcessor('KSTREAM-94-9', echo, 'z_94-1', 'src-r0')
      .addProcessor('x-85-10', echo, 'z_78-5', 'Node53-0', 'KSTREAM-14-3')
      .addProcessor('Node54-11', echo, 'src-q1', 'z_78-5')
      .addSink('sink0', 'o0', 'Node40-8', 'Node54-11')
      .addSink('sink1', 'o1', 'x-85-10', 'Node40-8')

    expect(topology.describe()).toBe(grownSizes)
  })

  it('numbers sub-topologies by their first node and ends each with a blank line', () => {
    const topology = new Topology().addSource('z', strings, 't').addSource('a', strings, 'u').addSink('k', 'o', 'z')
    expect(topology.describe()).toBe(
      'Topologies:\n   Sub-topology: 0\n    Source: z (topics: [t])\n      --> k\n    Sink: k (topic: o)\n      <-- z\n\n' +
        '  Sub-topology: 1\n    Source: a (topics: [u])\n      --> none\n\n',
    )
  })

  it('prints topics and stores in the order of a Java set, not by name', () => {
    const topology = new Topology()
      .addSource('s', strings, 'x', 'a', 'm')
      .addProcessor('p', echo, 's')
      .addStateStore(Stores.keyValue('x', string, string), 'p')
      .addStateStore(Stores.keyValue('a', string, string), 'p')
      .addStateStore(Stores.keyValue('m', string, string), 'p')
    expect(topology.describe()).toContain('(topics: [a, x, m])')
    expect(topology.describe()).toContain('(stores: [a, x, m])')
  })

  it('prints a pattern without brackets, and an extractor by its name', () => {
    function byValue(_key: string, value: string) {
      return value
    }
    const topology = new Topology()
      .addSource('s', strings, /in-.*/)
      .addSink('k', byValue, 's')
      .addSink('l', () => 'x', 's')
    expect(topology.describe()).toContain('Source: s (topics: in-.*)')
    expect(topology.describe()).toContain('Sink: k (extractor class: byValue)')
    expect(topology.describe()).toContain('Sink: l (extractor class: anonymous)')
  })
})
