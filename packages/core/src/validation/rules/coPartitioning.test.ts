import { describe, expect, it } from 'vitest'
import { JoinWindows } from '../../dsl/JoinWindows.js'
import type { KStream } from '../../dsl/KStream.js'
import { Repartitioned } from '../../dsl/Repartitioned.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { json } from '../../serde/json.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { coPartitioning } from './coPartitioning.js'

const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)
const joiner = (left: unknown, right: unknown) => `${left}${right}`
const read = Consumed.with<any, any>(string, string)

function check(
  tell: (builder: StreamsBuilder) => unknown,
  { config = {}, partitions = {} }: { config?: object; partitions?: { [topic: string]: number } } = {},
) {
  const builder = new StreamsBuilder()
  tell(builder)
  const parsed = parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string', ...config })
  return coPartitioning.check({
    topology: builder.build().compile(parsed),
    config: parsed,
    samples: new Map(),
    partitions: new Map(Object.entries(partitions)),
  })
}

const join = (left: KStream<any, any>, right: KStream<any, any>) => left.join(right, joiner, windows)
const plain = (builder: StreamsBuilder) => join(builder.stream('l', read), builder.stream('r', read))

describe('[V5] the counts of a join', () => {
  it('[G-49] must be one, and are told with their topics', () => {
    const [finding, ...others] = check(plain, { partitions: { l: 6, r: 1 } })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ severity: 'error', message: expect.stringContaining('l: 6 and r: 1') })
    expect(finding?.nodes).toEqual(expect.arrayContaining(['KSTREAM-SOURCE-0000000000', 'KSTREAM-SOURCE-0000000001']))
  })

  it('may be equal, or unknown', () => {
    expect(check(plain, { partitions: { l: 6, r: 6 } })).toEqual([])
    expect(check(plain, { partitions: { l: 6 } })).toEqual([])
    expect(check(plain)).toEqual([])
  })

  it('are those of repartition(), where a side has one', () => {
    const repartitioned = (partitions: number) => (builder: StreamsBuilder) =>
      join(
        builder.stream('l', read).repartition(Repartitioned.numberOfPartitions(partitions)),
        builder.stream('r', read),
      )
    expect(check(repartitioned(4), { partitions: { l: 9, r: 2 } })).toMatchObject([
      { message: expect.stringContaining('-repartition: 4 and r: 2') },
    ])
    expect(check(repartitioned(2), { partitions: { l: 9, r: 2 } })).toEqual([])
  })

  it('count for tables too, but not for global ones and not for joins by foreign key', () => {
    const partitions = { l: 6, t: 2 }
    const withTable = (builder: StreamsBuilder) => builder.stream('l', read).join(builder.table('t', read), joiner)
    expect(check(withTable, { partitions })).toHaveLength(1)
    const tables = (builder: StreamsBuilder) => builder.table('l', read).join(builder.table('t', read), joiner)
    expect(check(tables, { partitions })).toHaveLength(1)
    const withGlobal = (builder: StreamsBuilder) =>
      builder.stream('l', read).join(builder.globalTable('t', read), (key) => key, joiner)
    expect(check(withGlobal, { partitions })).toEqual([])
    const foreign = (builder: StreamsBuilder) =>
      builder.table<any, any>('l', read).join(builder.table<any, any>('t', read), (value: any) => value, joiner)
    expect(check(foreign, { partitions })).toEqual([])
  })
})

describe('[V5] the key serdes of a join', () => {
  const declared = (left: Consumed<any, any>, right: Consumed<any, any>) => (builder: StreamsBuilder) =>
    join(builder.stream('l', left), builder.stream('r', right))

  it('[G-56] must write the same bytes', () => {
    const found = check(declared(read, Consumed.with<any, any>(json(), string)))
    expect(found).toMatchObject([{ severity: 'error', message: expect.stringContaining('l: string and r: json') }])
  })

  it('are not compared where one is not declared', () => {
    const config = { 'default.key.serde': 'json' }
    expect(check(declared(read, Consumed.with<any, any>(undefined, string)), { config })).toEqual([])
    expect(check(declared(read, Consumed.deserializers<any, any>(json(), string)))).toEqual([])
  })

  it('are those of the boundary behind a changed key', () => {
    const rekeyed = (builder: StreamsBuilder) =>
      join(
        builder.stream('l', Consumed.with<any, any>(json(), string)).selectKey((_key, value) => value),
        builder.stream('r', read),
      )
    expect(check(rekeyed)).toEqual([])
  })
})

describe('[V5] a partitioner of its own', () => {
  it('on one side is a warning, on both sides the same one is none', () => {
    const partitioner = () => 0
    const side = (builder: StreamsBuilder, topic: string, own: boolean) =>
      own
        ? builder.stream(topic, read).repartition(Repartitioned.streamPartitioner<any, any>(partitioner))
        : builder.stream(topic, read)
    const joined = (left: boolean, right: boolean) => (builder: StreamsBuilder) =>
      join(side(builder, 'l', left), side(builder, 'r', right))
    expect(check(joined(true, false))).toMatchObject([{ severity: 'warn' }])
    expect(check(joined(true, true))).toEqual([])
  })
})

it('[V5] is as severe as the config says', () => {
  const key = 'topology.validation.co-partitioning'
  const partitions = { l: 6, r: 1 }
  expect(check(plain, { partitions, config: { [key]: 'hint' } })[0]?.severity).toBe('hint')
  expect(check(plain, { partitions, config: { [key]: 'off' } })).toEqual([])
})
