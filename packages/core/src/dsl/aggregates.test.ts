import { describe, expect, it } from 'vitest'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import type { Serde } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import { TopologyTestDriver } from '../testing/index.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { Grouped } from './Grouped.js'
import type { KStream } from './KStream.js'
import { Materialized } from './Materialized.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'

type Strings = KStream<string | null, string | null>
type Piped = readonly [string | null, string | null, number]

/** Runs a topology from `in` to `out`, record by record; what came out as key=value@time. */
async function run(write: (stream: Strings) => void, records: readonly Piped[], values: Serde<any> = string) {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string)))
  const driver = new TopologyTestDriver(builder.build(), { 'lanes.count': 8 })
  const input = driver.createInputTopic('in', string, string)
  for (const [key, value, at] of records) await input.pipeInput(key, value, at)
  const out = driver.createOutputTopic('out', string, values).readRecordsToList()
  const store = async (name: string) => (driver.store(name) as any).all().toArray()
  return {
    out: out.map(({ key, value, timestamp }) => `${key}=${value}@${timestamp}`),
    counters: driver.counters,
    store,
  }
}

describe('aggregations without windows, run', () => {
  it('[G3] count skips null keys and null values, each with its own reason', async () => {
    const counts = Produced.with(string, long)
    const { out, counters } = await run(
      (stream) => stream.groupByKey().count().toStream().to('out', counts),
      [
        ['k', 'a', 5],
        [null, 'b', 6],
        ['k', null, 7],
        [null, null, 8],
        ['k', 'c', 2],
      ],
      long,
    )
    expect(out).toEqual(['k=1@5', 'k=2@5'])
    expect(counters['dropped_records_total{reason="null_key"}']).toBe(2)
    expect(counters['dropped_records_total{reason="null_value"}']).toBe(1)
  })

  it('groupBy counts by the new key, and loses a null one in front of the boundary, told [G-97] [H-12]', async () => {
    const { out, counters } = await run(
      (stream) =>
        stream
          .groupBy((_key, value) => (value === '-' ? null : value), Grouped.with(string, string))
          .count(Materialized.as('c'))
          .toStream()
          .to('out', Produced.with(string, long)),
      [
        ['a', 'x', 1],
        ['b', 'x', 2],
        ['b', '-', 3],
      ],
      long,
    )
    expect(out).toEqual(['x=1@1', 'x=2@2'])
    expect(counters['silent_loss_total{reason="null_key_after_rekey"}']).toBe(1)
  })

  it('reduce starts with the first value and deletes at null; the store keeps value and time', async () => {
    const { out, store } = await run(
      (stream) =>
        stream
          .groupByKey()
          .reduce((old, value) => (value === 'x' ? null : `${old}${value}`), Materialized.as('r'))
          .toStream()
          .to('out'),
      [
        ['k', 'x', 1],
        ['k', 'b', 4],
        ['l', 'c', 3],
        ['k', 'x', 2],
        ['k', 'd', 1],
      ],
    )
    expect(out).toEqual(['k=x@1', 'k=xb@4', 'l=c@3', 'k=null@4', 'k=d@1'])
    expect(await store('r')).toEqual([
      ['k', { value: 'd', timestamp: 1 }],
      ['l', { value: 'c', timestamp: 3 }],
    ])
  })

  it('aggregate starts anew for each key, and a null start is handed to the aggregator', async () => {
    const list = (start: () => string[] | null) => (stream: Strings) =>
      stream
        .groupByKey()
        .aggregate<string[] | null>(
          start,
          (key, value, all) => [...(all ?? ['-']), `${key}${value}`],
          Materialized.with<string, string[]>(string, json()),
        )
        .toStream()
        .to('out', Produced.with<any, any>(string, json()))
    const records: Piped[] = [
      ['k', 'a', 1],
      ['k', 'b', 2],
      ['l', 'c', 3],
    ]
    expect(
      (
        await run(
          list(() => []),
          records,
          json(),
        )
      ).out,
    ).toEqual(['k=ka@1', 'k=ka,kb@2', 'l=lc@3'])
    expect(
      (
        await run(
          list(() => null),
          records,
          json(),
        )
      ).out,
    ).toEqual(['k=-,ka@1', 'k=-,ka,kb@2', 'l=-,lc@3'])
  })

  it('refuse functions that return promises', async () => {
    const reduced = run(
      (stream) => stream.groupByKey().reduce((async () => 'x') as any),
      [
        ['k', 'a', 1],
        ['k', 'b', 2],
      ],
    )
    await expect(reduced).rejects.toThrow('The function of "KSTREAM-REDUCE-0000000002" returned a promise')
    const started = run(
      (stream) =>
        stream
          .groupByKey()
          .aggregate((async () => '') as any, (_key, value) => value, Materialized.with<any, any>(string, string)),
      [['k', 'a', 1]],
    )
    await expect(started).rejects.toThrow('returned a promise')
    const added = run(
      (stream) =>
        stream.groupByKey().aggregate(() => '', (async () => '') as any, Materialized.with<any, any>(string, string)),
      [['k', 'a', 1]],
    )
    await expect(added).rejects.toThrow('returned a promise')
  })
})

describe('repartition(), run', () => {
  it('hands every record on, also to a sink, and loses a null key, told', async () => {
    const { out, counters } = await run(
      (stream) => stream.repartition().to('out'),
      [
        ['k', 'a', 1],
        [null, 'b', 2],
        ['l', null, 3],
      ],
    )
    expect(out).toEqual(['k=a@1', 'l=null@3'])
    expect(counters['silent_loss_total{reason="null_key_after_rekey"}']).toBe(1)
  })

  it('[L9] asks its partitioner with key, value and the number of lanes', async () => {
    const asked: unknown[] = []
    const { out } = await run(
      (stream) =>
        stream
          .repartition(
            Repartitioned.streamPartitioner<string, string>((...args) => {
              asked.push(args)
              return 2
            }).withNumberOfLanes(3),
          )
          .peek(() => undefined)
          .to('out'),
      [['k', 'a', 1]],
    )
    expect(out).toEqual(['k=a@1'])
    expect(asked).toEqual([['k', 'a', 3]])
  })
})

describe('split, run', () => {
  it('sends each record one way, and the rest nowhere without a default', async () => {
    const ways = (rest: boolean) => (stream: Strings) => {
      const split = stream
        .split()
        .branch((_key, value) => value === 'a')
        .branch((key) => key === 'k')
      const branches = rest ? split.defaultBranch() : split.noDefaultBranch()
      for (const [name, branch] of branches)
        branch.mapValues((value) => `${value}:${name.slice(-1)}`).to('out', Produced.with(string, string))
    }
    const records: Piped[] = [
      ['k', 'a', 1],
      ['k', 'b', 2],
      ['l', 'b', 3],
    ]
    expect((await run(ways(true), records)).out).toEqual(['k=a:1@1', 'k=b:2@2', 'l=b:0@3'])
    expect((await run(ways(false), records)).out).toEqual(['k=a:1@1', 'k=b:2@2'])
  })
})
