import { describe, expect, it } from 'vitest'
import { type ObservedJoin, observedJoins } from '../../../test/observedJoins.js'
import { string } from '../../serde/string.js'
import { TopologyTestDriver } from '../../testing/TopologyTestDriver.js'
import { JoinWindows } from '../JoinWindows.js'
import type { KStream } from '../KStream.js'
import { StreamJoined } from '../StreamJoined.js'
import { StreamsBuilder } from '../StreamsBuilder.js'

/** Whose kind of join is a parameter of the test. */
type AnyJoin = (...args: unknown[]) => KStream<any, any>

function windowsOf([before, after, grace]: ObservedJoin['windows']): JoinWindows {
  const windows = JoinWindows.ofTimeDifferenceAndGrace(Math.max(before, after), grace)
  return before >= after ? windows.before(before).after(after) : windows.after(after).before(before)
}

function driverOf({ kind, windows, store, self }: ObservedJoin): TopologyTestDriver {
  const builder = new StreamsBuilder()
  const left: KStream<string, string> = builder.stream('l')
  const right: KStream<string, string> = self ? left : builder.stream('r')
  const joined = StreamJoined.with(string, string, string).withStoreType(store)
  const joiner = (one: string | null, other: string | null) => `${one}/${other}`
  const join = left[kind].bind(left) as AnyJoin
  join(right, joiner, windowsOf(windows), joined).to('out')
  return new TopologyTestDriver(builder.build(), {
    compat: 'kafka-streams',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
  })
}

/** What the engine makes of the inputs, in the form of the observed steps. */
async function replay(join: ObservedJoin): Promise<string[]> {
  const driver = driverOf(join)
  const output = driver.createOutputTopic('out', string, string)
  const droppedSoFar = () =>
    Object.entries(driver.counters).reduce((sum, [name, n]) => (name.startsWith('dropped_records') ? sum + n : sum), 0)
  const seen: string[] = []
  for (const step of join.steps) {
    const input = (step.split(/ [>!] /)[0] as string).trim()
    const [topic, key, value, time] = input.split(' ') as [string, string, string, string]
    const dropped = droppedSoFar()
    await driver
      .createInputTopic(topic, string, string)
      .pipeInput(key === 'None' ? null : key, value === 'None' ? null : value, Number(time))
    const out = output.readRecordsToList().map((one) => `${one.key ?? 'None'} ${one.value} ${one.timestamp}`)
    const lost = droppedSoFar() - dropped
    seen.push(`${input}${out.length > 0 ? ` > ${out.join(', ')}` : ''}${lost > 0 ? ` ! ${lost}` : ''}`)
  }
  await driver.close()
  return seen
}

describe('joins of streams as Kafka Streams 4.4.0 was seen to do them (B.7)', () => {
  it.each(observedJoins.map((join, index) => [index, join.kind, join.windows.join('-'), join.store, join] as const))(
    'run %i: %s, windows %s, %s',
    async (_index, _kind, _windows, _store, join) => {
      expect(await replay(join)).toEqual(join.steps)
    },
  )
})
