import {
  Consumed,
  Grouped,
  json,
  long,
  Materialized,
  minutes,
  Produced,
  StreamsBuilder,
  seconds,
  string,
  TimeWindows,
  type Topology,
  windowed,
} from '@lanescope/core'

export const names = ['filter-map', 'count', 'rekey-window'] as const
export type Name = (typeof names)[number]

interface Order {
  readonly n: number
  readonly user: string
  readonly amount: number
  readonly ts: number
  readonly pad: string
}

/** The three topologies of `benchmarks/kafka-streams`, as anybody would write them here. */
export function build(name: Name, input: string, output: string): Topology {
  const builder = new StreamsBuilder()
  const order = json<Order>()
  const orders = builder.stream(input, Consumed.with(string, order, { nulls: 'drop' }))
  switch (name) {
    case 'filter-map':
      orders
        .filter((_, { amount }) => amount % 2 === 0)
        .mapValues((value) => ({ ...value, amount: value.amount * 2 }))
        .to(output, Produced.with(string, order))
      break
    case 'count':
      orders
        .groupByKey(Grouped.with(string, order))
        .count(Materialized.as('counts'))
        .toStream()
        .to(output, Produced.with(string, long))
      break
    case 'rekey-window':
      orders
        .selectKey((_, { user }) => user)
        .groupByKey(Grouped.with(string, order).withName('by-user'))
        .windowedBy(TimeWindows.ofSizeAndGrace(minutes(1), seconds(10)))
        .count(Materialized.as('window-counts'))
        .toStream()
        .to(output, Produced.with(windowed(string, minutes(1)), long))
      break
  }
  return builder.build()
}
