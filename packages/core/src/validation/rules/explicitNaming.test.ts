import { describe, expect, it } from 'vitest'
import { BufferConfig } from '../../dsl/BufferConfig.js'
import { JoinWindows } from '../../dsl/JoinWindows.js'
import type { KStream } from '../../dsl/KStream.js'
import { Materialized } from '../../dsl/Materialized.js'
import { Named } from '../../dsl/Named.js'
import { Repartitioned } from '../../dsl/Repartitioned.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { Suppressed } from '../../dsl/Suppressed.js'
import { TableJoined } from '../../dsl/TableJoined.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { explicitNaming } from './explicitNaming.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }

function check(write: (stream: KStream<any, any>) => void, config: Record<string, unknown> = {}) {
  const builder = new StreamsBuilder()
  write(builder.stream('in', Consumed.with(string, string)))
  const parsed = parseConfig(config)
  return explicitNaming.check({ topology: builder.build().compile(parsed), config: parsed, samples: new Map() })
}
const titles = (write: (stream: KStream<any, any>) => void) => check(write).map(({ title }) => title)

describe('[V3] generated names', () => {
  it('are told of a store, with the call that names it', () => {
    expect(check((stream) => stream.groupByKey().count())).toMatchObject([
      {
        id: 'explicit-naming:KSTREAM-AGGREGATE-STATE-STORE-0000000001',
        severity: 'hint',
        node: 'KSTREAM-AGGREGATE-0000000002',
        nodes: ['KSTREAM-AGGREGATE-0000000002'],
        title: 'The store of KSTREAM-AGGREGATE-0000000002 has a generated name',
        note: "Name it, with Materialized.as('…').",
      },
    ])
    expect(titles((stream) => stream.groupByKey().count(Materialized.as('c')))).toEqual([])
  })

  it('are told of a repartition, once whatever hangs on it', () => {
    const twice = (repartitioned?: Repartitioned<any, any>) => (stream: KStream<any, any>) => {
      const crossed = stream.repartition(repartitioned)
      crossed.to('a')
      crossed.to('b')
    }
    expect(check(twice())).toMatchObject([
      {
        id: 'explicit-naming:KSTREAM-REPARTITION-0000000001-repartition',
        node: 'KSTREAM-FILTER-0000000003',
        note: "Name it, with Repartitioned.as('…').",
      },
    ])
    expect(titles(twice(Repartitioned.as('R')))).toEqual([])
  })

  it('are told of the store alone where the repartition in front takes its name', () => {
    const titled = titles((stream) => stream.groupBy((_key, value) => value).count())
    expect(titled).toEqual(['The store of KSTREAM-AGGREGATE-0000000003 has a generated name'])
    expect(titles((stream) => stream.groupBy((_key, value) => value).count(Materialized.as('c')))).toEqual([])
  })

  it('are told of what joins, suppress and foreign keys keep, each with the call that names it', () => {
    const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)
    const joined = check((stream) => stream.selectKey((_k, v) => v).leftJoin(stream, (l, r) => `${l}${r}`, windows))
    expect(joined.map(({ node, note }) => [node, note])).toEqual([
      ['KSTREAM-FILTER-0000000003', "Name it, with Joined.as('…')."],
      ['KSTREAM-WINDOWED-0000000005', "Name it, with StreamJoined.withStoreName('…')."],
      ['KSTREAM-WINDOWED-0000000006', "Name it, with StreamJoined.withStoreName('…')."],
      ['KSTREAM-JOINTHIS-0000000007', "Name it, with StreamJoined.withStoreName('…')."],
    ])
    const held = (name?: string) => (stream: KStream<any, any>) => {
      const limit = Suppressed.untilTimeLimit(10, BufferConfig.unbounded())
      const table = stream.groupByKey().count(Materialized.as('c'))
      table.suppress(name === undefined ? limit : limit.withName(name))
    }
    expect(check(held())).toMatchObject([{ note: "Name it, with Suppressed.withName('…')." }])
    expect(titles(held('s'))).toEqual([])
    const foreign = (named?: TableJoined) => (stream: KStream<any, any>) => {
      const table = (name: string) => stream.toTable(Materialized.as<any, any>(name))
      const other = table('r')
      const joiner = (left: unknown, right: unknown) => `${left}${right}`
      if (named === undefined) table('l').join(other, (value) => value, joiner)
      else table('l').join(other, (value) => value, joiner, named)
    }
    expect(new Set(check(foreign()).map(({ note }) => note))).toEqual(new Set(["Name it, with TableJoined.as('…')."]))
    expect(titles(foreign(TableJoined.as('FK')))).toEqual([])
  })

  it('are told of a timer processor, and not of one without timers', () => {
    expect(titles((stream) => stream.process(withTimers))).toEqual([
      'The timer processor KSTREAM-PROCESSOR-0000000001 has a generated name',
    ])
    expect(titles((stream) => stream.process(withTimers, Named.as('p')))).toEqual([])
    expect(titles((stream) => stream.process(plain))).toEqual([])
  })

  it('are as severe as the config says', () => {
    const key = 'topology.validation.explicit-naming'
    expect(check((stream) => stream.groupByKey().count(), { [key]: 'error' })[0]?.severity).toBe('error')
    expect(check((stream) => stream.groupByKey().count(), { [key]: 'off' })).toEqual([])
  })
})
