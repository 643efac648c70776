import { describe, expect, it } from 'vitest'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { Produced } from '../../topology/Produced.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { topicLoop } from './topicLoop.js'

const consumed = Consumed.with(string, string)
const produced = Produced.with(string, string)

function check(topology: Topology, config: Record<string, unknown> = {}) {
  const parsed = parseConfig(config)
  return topicLoop.check({ topology: topology.compile(parsed), config: parsed, samples: new Map() })
}
function built(write: (builder: StreamsBuilder) => void): Topology {
  const builder = new StreamsBuilder()
  write(builder)
  return builder.build()
}

describe('[V15] a topic that is written behind what reads it', () => {
  it('is found, with the way round', () => {
    const [finding, ...others] = check(
      built((builder) =>
        builder
          .stream('a', consumed)
          .filter(() => true)
          .to('a', produced),
      ),
    )
    expect(others).toEqual([])
    expect(finding).toMatchObject({
      rule: 'topic-loop',
      severity: 'warn',
      node: 'KSTREAM-SINK-0000000002',
      nodes: ['KSTREAM-SOURCE-0000000000', 'KSTREAM-FILTER-0000000001', 'KSTREAM-SINK-0000000002'],
      path: [
        { from: 'KSTREAM-SOURCE-0000000000', to: 'KSTREAM-FILTER-0000000001' },
        { from: 'KSTREAM-FILTER-0000000001', to: 'KSTREAM-SINK-0000000002' },
      ],
    })
    expect(finding?.message).toMatch(/reads "a", and KSTREAM-SINK-0000000002 writes to it/)
  })

  it('is found across other topics, at each sink of the round', () => {
    const findings = check(
      built((builder) => builder.stream('a', consumed).through('b', produced).through('c', produced).to('a', produced)),
    )
    expect(findings.map(({ node }) => node)).toEqual([
      'KSTREAM-SINK-0000000001',
      'KSTREAM-SINK-0000000003',
      'KSTREAM-SINK-0000000005',
    ])
    const joins = findings[0]?.path.map(({ from, to }) => `${from} ${to}`)
    expect(joins).toHaveLength(3)
  })

  it('is found where a pattern reads it', () => {
    const topology = new Topology()
      .addSource('in', consumed, /^a-/)
      .addSink('out', 'a-1', produced, 'in')
      .addSink('other', 'b-1', produced, 'in')
    expect(check(topology).map(({ node }) => node)).toEqual(['out'])
  })

  it('is no chain, however many topics it goes through', () => {
    expect(
      check(
        built((builder) =>
          builder.stream('a', consumed).through('b', produced).through('c', produced).to('d', produced),
        ),
      ),
    ).toEqual([])
  })

  it('is not guessed where each record names its topic', () => {
    expect(check(built((builder) => builder.stream('a', consumed).to(() => 'a', produced)))).toEqual([])
  })

  it('has the severity that is asked for', () => {
    const loop = () => built((builder) => builder.stream('a', consumed).to('a', produced))
    const key = 'topology.validation.topic-loop'
    expect(check(loop(), { [key]: 'off' })).toEqual([])
    expect(check(loop(), { [key]: 'error' })[0]?.severity).toBe('error')
  })
})
