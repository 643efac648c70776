import { describe, expect, it } from 'vitest'
import { JoinWindows } from '../../dsl/JoinWindows.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import type { StreamError } from '../../errors/StreamError.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { requireCoPartitioned } from './requireCoPartitioned.js'

const strings = Consumed.with<any, any>(string, string)

function refusal(
  partitions: { readonly [topic: string]: number },
  config: { readonly [key: string]: unknown } = {},
  right: Consumed<any, any> = strings,
): StreamError | undefined {
  const builder = new StreamsBuilder()
  const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)
  builder.stream('l', strings).join(builder.stream('r', right), (one, other) => `${one}${other}`, windows)
  const parsed = parseConfig(config)
  const topics = new Map(Object.entries(partitions).map(([topic, count]) => [topic, { topic, partitions: count }]))
  try {
    requireCoPartitioned(builder.build().compile(parsed), parsed, topics)
  } catch (error) {
    return error as StreamError
  }
  return undefined
}

describe('[V5] [G-49] a join of topics', () => {
  it('starts where their numbers of partitions are one', () => {
    expect(refusal({ l: 6, r: 6 })).toBeUndefined()
  })

  it('is refused before it starts where they differ, with topics and counts', () => {
    expect(refusal({ l: 6, r: 1 })).toMatchObject({
      code: 'TOPOLOGY_INVALID',
      message: expect.stringMatching(/l: 6 and r: 1/),
      context: { node: 'KSTREAM-JOINTHIS-0000000004' },
    })
  })

  it('starts where the finding is less than an error', () => {
    const key = 'topology.validation.co-partitioning'
    for (const verdict of ['warn', 'hint', 'off']) expect(refusal({ l: 6, r: 1 }, { [key]: verdict })).toBeUndefined()
  })

  it('is not refused here for its serdes, which are known before the log is', () => {
    expect(refusal({ l: 6, r: 6 }, {}, Consumed.with<any, any>(json(), string))).toBeUndefined()
  })
})
