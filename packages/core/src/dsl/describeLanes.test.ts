import { expect, it } from 'vitest'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import { Grouped } from './Grouped.js'
import { Materialized } from './Materialized.js'
import { Named } from './Named.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'

const timers: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }), timers: ['event-time'] }

function lanesOf(write: (builder: StreamsBuilder) => void, config: Record<string, unknown> = {}) {
  const builder = new StreamsBuilder()
  write(builder)
  return builder.build().compile(parseConfig(config)).describeLanes()
}

it('[B5] describeLanes() follows a stream through groupings, repartitions and timers', () => {
  const text = lanesOf(
    (builder) => {
      const orders = builder.stream<any, any>('orders', Consumed.with(string, json()).withNumberOfLanes(8))
      const group = orders.groupBy(
        (_key, order) => order.user,
        Grouped.with<any, any>(long, json()).withName('by-user'),
      )
      group.count(Materialized.as('counts')).toStream(Named.as('changes')).to('counts')
      orders
        .repartition(Repartitioned.as<any, any>('spread').withStreamPartitioner(() => 0))
        .process(timers, Named.as('remind'))
    },
    { 'num.stream.threads': 4 },
  )
  expect(text).toBe(
    [
      'Lanes:',
      '  Sub-topology 0: 8 lanes (numberOfLanes on KSTREAM-SOURCE-0000000000), synchronous',
      '    laned by the raw key bytes of KSTREAM-SOURCE-0000000000',
      '    KSTREAM-SOURCE-0000000000',
      '    by-user -> by-user-repartition-filter',
      '    spread-repartition-filter',
      '',
      '  Sub-topology 1: 4 lanes (num.stream.threads), synchronous',
      '    fed by sub-topology 0',
      '    KSTREAM-AGGREGATE-0000000002 -> changes -> KSTREAM-SINK-0000000007',
      '',
      '  Sub-topology 2: 4 lanes (num.stream.threads), asynchronous',
      '    fed by sub-topology 0',
      '    remind',
      '    Timers of remind (event-time): key string (inherited: Consumed on KSTREAM-SOURCE-0000000000)',
      '',
      '  Boundary by-user-repartition-filter -> KSTREAM-AGGREGATE-0000000002: sub-topology 0 -> 1 (4 lanes), ' +
        'grouping by-user-repartition, key long (declared: Grouped on KSTREAM-AGGREGATE-0000000002)',
      '',
      '  Boundary spread-repartition-filter -> remind: sub-topology 0 -> 2 (4 lanes), ' +
        'repartition() spread-repartition, lane picked by a partitioner of its own',
      '',
    ].join('\n'),
  )
})

it('[B5] describeLanes() shows what an eager split moves', () => {
  const write = (builder: StreamsBuilder) =>
    builder
      .stream('a', Consumed.with(string, string))
      .selectKey((_key, value) => value)
      .filter(() => true)
      .groupByKey()
      .count(Materialized.as('c'))
  const config = { 'default.key.serde': 'string' }
  expect(lanesOf(write, { ...config, 'boundary.split': 'eager' })).toBe(
    [
      'Lanes:',
      '  Sub-topology 0: 16 lanes (the default), synchronous',
      '    laned by the raw key bytes of KSTREAM-SOURCE-0000000000',
      '    KSTREAM-SOURCE-0000000000 -> KSTREAM-KEY-SELECT-0000000001',
      '',
      '  Sub-topology 1: 16 lanes (the default), synchronous',
      '    fed by sub-topology 0',
      '    KSTREAM-FILTER-0000000002 -> c-repartition-filter -> KSTREAM-AGGREGATE-0000000003',
      '',
      '  Boundary KSTREAM-KEY-SELECT-0000000001 -> KSTREAM-FILTER-0000000002: sub-topology 0 -> 1 (16 lanes), ' +
        'changed key, key string (defaulted: default.key.serde)',
      '',
    ].join('\n'),
  )
  expect(lanesOf(write, config)).toContain(
    'Boundary c-repartition-filter -> KSTREAM-AGGREGATE-0000000003: sub-topology 0 -> 1 (16 lanes), ' +
      'grouping c-repartition, key string (defaulted: default.key.serde)',
  )
})
