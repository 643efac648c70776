import { describe, expect, it } from 'vitest'
import { Grouped } from '../../dsl/Grouped.js'
import { Materialized } from '../../dsl/Materialized.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import type { StreamError } from '../../errors/StreamError.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../Consumed.js'
import { Produced } from '../Produced.js'
import { parseConfig } from '../parseConfig.js'
import type { Topology } from '../Topology.js'
import { requireSerdes } from './requireSerdes.js'

const read = Consumed.with(string, string)
const written = Produced.with<any, any>(string, string)

function refusal(topology: Topology, config: Record<string, unknown> = {}): StreamError | undefined {
  const parsed = parseConfig(config)
  try {
    requireSerdes(topology.compile(parsed), parsed)
  } catch (error) {
    return error as StreamError
  }
  return undefined
}

function built(tell: (builder: StreamsBuilder) => void): Topology {
  const builder = new StreamsBuilder()
  tell(builder)
  return builder.build()
}

describe('[G-70] what starts without a default', () => {
  it('is what declares all that becomes bytes', () => {
    expect(refusal(built((b) => b.stream('in', read).to('out')))).toBeUndefined()
  })

  it('is what the defaults fill in', () => {
    const config = { 'default.key.serde': 'string', 'default.value.serde': 'string' }
    expect(
      refusal(
        built((b) => b.stream('in').to('out')),
        config,
      ),
    ).toBeUndefined()
  })

  it('is a boundary without a serde, whose first record fails (B3)', () => {
    const topology = built((b) =>
      b
        .stream('in', read)
        .map((key, value) => [key, value] as const)
        .repartition()
        .foreach(() => {}),
    )
    expect(refusal(topology)).toBeUndefined()
  })
})

describe('[G-70] what is refused before it starts', () => {
  it.each([
    ['key', Consumed.with(undefined, string), /source "KSTREAM-SOURCE-0000000000" cannot read the keys of in/],
    ['value', Consumed.with(string, undefined), /source "KSTREAM-SOURCE-0000000000" cannot read the values of in/],
  ] as const)('is a source without a %s serde, by node, topic and side', (side, consumed, says) => {
    const error = refusal(built((b) => b.stream('in', consumed).to('out', written)))
    expect(error).toMatchObject({ code: 'SERDE_MISSING', context: { node: 'KSTREAM-SOURCE-0000000000' } })
    expect(error?.message).toMatch(says)
    expect(error?.message).toContain(`default.${side}.serde`)
  })

  it.each([
    ['key', Produced.with<any, any>(undefined, string)],
    ['value', Produced.with<any, any>(string, undefined)],
  ] as const)('[G-69] is a sink behind a map that declares no %s serde', (side, produced) => {
    const topology = built((b) =>
      b
        .stream('in', read)
        .map((key, value) => [key, value] as const)
        .to('out', produced),
    )
    const error = refusal(topology)
    expect(error?.message).toMatch(new RegExp(`sink "KSTREAM-SINK-0000000002" cannot write the ${side}s of out`))
  })

  it('[G-69] is an aggregate whose value nothing writes, by its store', () => {
    const topology = built((b) =>
      b
        .stream('in', read)
        .groupByKey()
        .aggregate(
          () => 0,
          (_key, _value, sum) => sum + 1,
          Materialized.as('sums'),
        ),
    )
    const error = refusal(topology)
    expect(error).toMatchObject({ code: 'SERDE_MISSING', context: { store: 'sums' } })
    expect(error?.message).toMatch(/store "sums" cannot write values/)
  })

  it('is told of all places at once, the first of them in the context', () => {
    const error = refusal(built((b) => b.stream('in', Consumed.with(undefined, undefined)).to('out')))
    expect(error?.context).toEqual({ node: 'KSTREAM-SOURCE-0000000000' })
    expect(error?.message.split('\n').map((line) => line.replace(/:.*/, ''))).toEqual([
      '4 serdes are missing',
      '- The source "KSTREAM-SOURCE-0000000000" cannot read the keys of in',
      '- The source "KSTREAM-SOURCE-0000000000" cannot read the values of in',
      '- The sink "KSTREAM-SINK-0000000001" cannot write the keys of out',
      '- The sink "KSTREAM-SINK-0000000001" cannot write the values of out',
    ])
  })

  it('is, under compat, a repartition that Kafka Streams would write', () => {
    const topology = built((b) =>
      b
        .stream('in', read)
        .map((key, value) => [key, value] as const)
        .groupByKey(Grouped.with(string, undefined))
        .count(Materialized.with(string, long)),
    )
    expect(refusal(topology)).toBeUndefined()
    expect(refusal(topology, { compat: 'kafka-streams' })?.message).toMatch(
      /repartition ".*-repartition" of ".*" cannot write values/,
    )
  })
})
