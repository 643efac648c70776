import type { KStream } from '../src/dsl/KStream.js'
import { StreamsBuilder } from '../src/dsl/StreamsBuilder.js'
import { string } from '../src/serde/string.js'
import { TopologyTestDriver } from '../src/testing/TopologyTestDriver.js'
import { Consumed } from '../src/topology/Consumed.js'
import { Produced } from '../src/topology/Produced.js'

export const text = Consumed.with(string, string)
export const slash = (left: unknown, right: unknown) => `${left}/${right}`
export type Strings = KStream<string | null, string | null>
/** Whose kind of join is a parameter of the test. */
export type AnyJoin = (...args: unknown[]) => KStream<any, any>

/** Pipes records given as `topic key value time`, and tells after each what came out, as `key value time`. */
export function piping(write: (builder: StreamsBuilder) => KStream<any, any>, config: { [key: string]: unknown } = {}) {
  const builder = new StreamsBuilder()
  write(builder).to('out', Produced.with(string, string))
  const driver = new TopologyTestDriver(builder.build(), config)
  const output = driver.createOutputTopic('out', string, string)
  const pipe = async (record: string) => {
    const [topic, key, value, time] = record.split(' ') as [string, string, string, string]
    const orNull = (given: string) => (given === '-' ? null : given)
    await driver.createInputTopic(topic, string, string).pipeInput(orNull(key), orNull(value), Number(time))
    return output.readRecordsToList().map((one) => `${one.key ?? '-'} ${one.value} ${one.timestamp}`)
  }
  return { driver, pipe }
}
