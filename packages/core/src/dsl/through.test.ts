import { describe, expect, it } from 'vitest'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { parseConfig } from '../topology/parseConfig.js'
import { validate } from '../validation/validate.js'
import type { KStream } from './KStream.js'
import { StreamsBuilder } from './StreamsBuilder.js'

function built(write: (stream: KStream<string, string>, builder: StreamsBuilder) => void) {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string, { nulls: 'drop' })), builder)
  return builder.build()
}
const compiled = (write: Parameters<typeof built>[0], config = {}) => built(write).compile(parseConfig(config))

describe('through', () => {
  it('is a sink and a source in describe(), with the numbers that Kafka Streams gave them', () => {
    const topology = built((stream) => stream.through('mid').to('out'))
    expect(topology.describe()).toBe(
      [
        'Topologies:',
        '   Sub-topology: 0',
        '    Source: KSTREAM-SOURCE-0000000000 (topics: [in])',
        '      --> KSTREAM-SINK-0000000001',
        '    Sink: KSTREAM-SINK-0000000001 (topic: mid)',
        '      <-- KSTREAM-SOURCE-0000000000',
        '',
        '  Sub-topology: 1',
        '    Source: KSTREAM-SOURCE-0000000002 (topics: [mid])',
        '      --> KSTREAM-SINK-0000000003',
        '    Sink: KSTREAM-SINK-0000000003 (topic: out)',
        '      <-- KSTREAM-SOURCE-0000000002',
        '',
        '',
      ].join('\n'),
    )
  })

  it('says which sinks write what it reads, so that a reset does not read it twice', () => {
    const topology = compiled((stream, builder) => {
      stream.through('mid').to('out')
      builder.stream('other', Consumed.with(string, string)).through('mid').to('out2')
      builder.stream('out').to('out3')
    })
    const through = topology.nodes.flatMap(({ name, source }) => (source?.through ? [[name, source.through]] : []))
    expect(through).toEqual([['KSTREAM-SOURCE-0000000002', ['KSTREAM-SINK-0000000001', 'KSTREAM-SINK-0000000005']]])
  })

  it('takes its two names from Produced and Consumed', () => {
    const topology = compiled((stream) =>
      stream.through('mid', Produced.as('write'), Consumed.as<string, string>('read')).to('out'),
    )
    expect(topology.node('write').sink?.topic).toBe('mid')
    expect(topology.node('read').source?.topics).toEqual(['mid'])
  })

  const source = 'KSTREAM-SOURCE-0000000002'

  it('[B4] is read by the serdes that it is written by: those of Produced', () => {
    const topology = compiled((stream) =>
      stream
        .mapValues((value) => value.length)
        .through('mid', Produced.with(string, long))
        .to('out'),
    )
    const { key, value, source: read } = topology.node('KSTREAM-SOURCE-0000000003')
    expect([key.serde?.id, value.serde?.id]).toEqual(['string', 'long'])
    expect([read?.keyForm, read?.valueDeserializer?.id]).toEqual(['serde', 'long'])
    const { sink } = topology.node('KSTREAM-SINK-0000000004')
    expect([sink?.keySerializer?.id, sink?.valueSerializer?.id]).toEqual(['string', 'long'])
  })

  it('[B4] and those of Produced for a key, whatever the stream was read by', () => {
    const topology = compiled((stream) =>
      stream
        .mapValues((value) => value)
        .through('mid', Produced.with<any, any>(long, undefined))
        .to('out'),
    )
    const { key, value } = topology.node('KSTREAM-SOURCE-0000000003')
    expect([key.serde?.id, value.serde?.id]).toEqual(['long', undefined])
    expect(topology.node('KSTREAM-SINK-0000000004').sink?.keySerializer?.id).toBe('long')
  })

  it('[B4] or those of the stream, where it says nothing', () => {
    const { key, value, source: read } = compiled((stream) => stream.through('mid').to('out')).node(source)
    expect([key.serde?.id, value.serde?.id, key.status]).toEqual(['string', 'string', 'inherited'])
    expect(read?.keyForm).toBe('serde')
  })

  it('[B4] or the defaults, on both ends', () => {
    const topology = compiled(
      (stream) =>
        stream
          .selectKey((_, value) => value)
          .through('mid')
          .to('out'),
      {
        'default.key.serde': 'long',
      },
    )
    expect(topology.node('KSTREAM-SINK-0000000002').sink?.keySerializer?.id).toBe('long')
    const read = topology.node('KSTREAM-SOURCE-0000000003')
    expect([read.source?.keyDeserializer?.id, read.key.status, read.source?.keyForm]).toEqual([
      'long',
      'defaulted',
      'default',
    ])
  })

  it('is read as Consumed says, where it says so', () => {
    const topology = compiled((stream) =>
      stream.through('mid', Produced.with(string, string), Consumed.with(string, long) as never).to('out'),
    )
    expect(topology.node(source).value.serde?.id).toBe('long')
  })

  it('[L5] has the lanes and the bound that Consumed gives it', () => {
    const topology = compiled((stream) =>
      stream
        .through(
          'mid',
          Produced.with(string, string),
          Consumed.with(string, string, { nulls: 'drop' }).withNumberOfLanes(3).withMaxAhead(7),
        )
        .groupByKey()
        .count(),
    )
    expect(topology.node(source).source?.maxAheadMs).toBe(7)
    expect(topology.subTopologies.map(({ laneCount }) => laneCount)).toContain(3)
  })

  it('[V6] finds no serde missing that the other end has, and one that both lack', () => {
    const missing = (write: Parameters<typeof built>[0]) => {
      const config = parseConfig({})
      return validate({ topology: built(write).compile(config), config, samples: new Map() })
        .filter(({ rule }) => rule === 'missing-serde')
        .map(({ node }) => node)
    }
    expect(missing((stream) => stream.through('mid').to('out'))).toEqual([])
    expect(
      missing((stream) =>
        stream
          .selectKey((_, value) => value)
          .through('mid')
          .to('out'),
      ),
    ).toContain('KSTREAM-SOURCE-0000000003')
  })

  it('reads a topic once, whoever else reads it or goes through it', () => {
    const topology = compiled((stream, builder) => {
      stream.through('mid').to('out')
      builder.stream('other', Consumed.with(string, string)).through('mid').to('out2')
      builder.stream('mid').to('out3')
    })
    const readers = topology.nodes.filter((node) => node.source?.topics.includes('mid'))
    expect(readers.map(({ children }) => children.length)).toEqual([3])
    expect(readers[0]?.key.serde?.id).toBe('string')
  })

  it('[V7] takes the default where two write it by different serdes', () => {
    const topology = compiled(
      (stream, builder) => {
        stream.through('mid').to('out')
        builder.stream('other', Consumed.with(long, string)).through('mid').to('out2')
      },
      { 'default.key.serde': 'integer' },
    )
    expect(topology.node(source).key.serde?.id).toBe('integer')
  })

  it('leaves no boundary behind it: the key is what was read', () => {
    const topology = compiled((stream) =>
      stream
        .selectKey((_, value) => value)
        .through('mid', Produced.with(string, string))
        .groupByKey()
        .count(),
    )
    expect(topology.boundaries).toEqual([])
  })
})
