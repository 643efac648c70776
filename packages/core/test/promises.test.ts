import { describe, expect, it } from 'vitest'
import { Consumed, Grouped, Produced, StreamsBuilder, string, Topology } from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'

/** Its rejection must not end the process either. */
const late = (async () => Promise.reject(new Error('late'))) as never

const piped = (topology: Topology) =>
  new TopologyTestDriver(topology).createInputTopic('in', string, string).pipeInput('k', 'v', 1)

describe('a promise where an answer is needed at once', () => {
  it('is refused of a timestamp extractor, with its source', async () => {
    const consumed = Consumed.with(string, string).withTimestampExtractor({ id: 'late', extract: late })
    const topology = new Topology()
      .addSource('s', consumed, 'in')
      .addSink('out', 'out', Produced.with(string, string), 's')
    await expect(piped(topology)).rejects.toMatchObject({
      code: 'SYNC_CALLBACK_RETURNED_PROMISE',
      message: expect.stringContaining('The timestamp extractor of source "s" returned a promise'),
    })
  })

  it('is refused of a scheduled source, with its name', async () => {
    const topology = new Topology()
      .scheduled('tick', { every: 10 }, late, { keySerde: string, valueSerde: string })
      .addSink('out', 'out', Produced.with(string, string), 'tick')
    await expect(new TopologyTestDriver(topology).advanceWallClockTime(10)).rejects.toMatchObject({
      code: 'SYNC_CALLBACK_RETURNED_PROMISE',
      message: expect.stringContaining('The emit function of "tick" returned a promise'),
    })
  })

  it('[B3] a key that its serde refuses is told in whole sentences', async () => {
    const builder = new StreamsBuilder()
    builder
      .stream('in', Consumed.with(string, string))
      .groupBy(() => 5 as never, Grouped.with<string, string>(string, string))
      .count()
    const failure: Error = await piped(builder.build()).then(
      () => expect.fail('it went through'),
      (error: Error) => error,
    )
    expect(failure).toMatchObject({ code: 'LANE_KEY_SERIALIZATION' })
    expect(failure.message).not.toContain('..')
    expect(failure.message).toContain('. Declare its serde upstream')
  })
})
