import { describe, expect, it } from 'vitest'
import { Consumed, Joined, type KStream, Materialized, Stores, StreamsBuilder, string } from '../../index.js'
import { TopologyTestDriver } from '../../testing/index.js'

/** A left join with a versioned table, with 10 ms of grace. */
function joining(compat: 'kafka-streams' | 'repair') {
  const builder = new StreamsBuilder()
  const text = Consumed.with(string, string)
  const table = builder.table('t', text, Materialized.as(Stores.versionedKeyValue('tab', { historyRetentionMs: 1000 })))
  const stream: KStream<any, any> = builder.stream('in', text)
  stream
    .leftJoin(
      table as any,
      (left: any, right: any) => `${left}/${right}`,
      Joined.with(string, string, string).withGracePeriod(10),
    )
    .to('out')
  const driver = new TopologyTestDriver(builder.build(), {
    compat,
    'default.key.serde': 'string',
    'default.value.serde': 'string',
  })
  const input = driver.createInputTopic('in', string, string)
  const output = driver.createOutputTopic('out', string, string)
  const pipe = async (key: string | null, value: string, timestamp: number) => {
    await input.pipeInput(key, value, timestamp)
    return output.readKeyValuesToList()
  }
  return { pipe }
}

describe('a record without a key before a join with a grace period', () => {
  it('is joined at once, which Kafka Streams fails to do', async () => {
    const { pipe } = joining('repair')
    expect(await pipe('a', 'x', 20)).toEqual([])
    expect(await pipe(null, 'y', 10)).toEqual([[null, 'y/null']])
    expect(await pipe(null, 'z', 9)).toEqual([[null, 'z/null']])
  })

  it('[D1] fails under compat as it does there, also where it need not wait', async () => {
    const { pipe } = joining('kafka-streams')
    expect(await pipe('a', 'x', 20)).toEqual([])
    await expect(pipe(null, 'y', 10)).rejects.toMatchObject({ code: 'PROCESSING_FAILED' })
    await expect(pipe(null, 'z', 9)).rejects.toMatchObject({ code: 'PROCESSING_FAILED' })
  })
})
