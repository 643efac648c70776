// Checked by the type check alone: what must not compile is marked, and a mark that marks nothing is an error.
import type { Windowed } from '../model/Windowed.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { windowed } from '../serde/windowed.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { Branched } from './Branched.js'
import { BufferConfig } from './BufferConfig.js'
import type { FixedKeyProcessor } from './FixedKeyProcessor.js'
import { Grouped } from './Grouped.js'
import type { KStream } from './KStream.js'
import type { KTable } from './KTable.js'
import { Materialized } from './Materialized.js'
import { Repartitioned } from './Repartitioned.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { Suppressed } from './Suppressed.js'
import { TimeWindows } from './TimeWindows.js'

interface Order {
  readonly user: string
  readonly amount: number
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]
declare function isStream<K, V>(): <K2, V2>(_stream: KStream<K2, V2>, ..._same: Same<[K, V], [K2, V2]>) => void
declare function isTable<K, V>(): <K2, V2>(_table: KTable<K2, V2>, ..._same: Same<[K, V], [K2, V2]>) => void

const orders = new StreamsBuilder().stream('orders', Consumed.with(string, json<Order>(), { nulls: 'drop' }))
const honest = new StreamsBuilder().stream('orders', Consumed.with(string, json<Order>()))

// What functions return becomes the type of the stream.
isStream<string, Order>()(orders)
isStream<number, string>()(orders.flatMap((key, order) => [[order.amount, key] as const]))
isStream<string, number>()(orders.flatMapValues((order) => [order.amount]))
isStream<string, Order>()(orders.merge(orders))
isStream<string, Order | null>()(honest.repartition())
isTable<string, number>()(orders.groupBy((_key, order) => order.user).count())
isTable<string, number>()(honest.groupByKey().count())
isTable<string, Order>()(honest.groupByKey().reduce((_old, order) => order))
isTable<string, Order | null>()(orders.groupByKey().reduce((_old, order) => (order.amount > 0 ? order : null)))
isTable<string, number>()(
  orders.groupByKey().aggregate(
    () => 0,
    (_key, order, sum) => sum + order.amount,
  ),
)
isStream<string, number>()(orders.groupByKey().count().toStream())
isStream<number, number>()(
  orders
    .groupByKey()
    .count()
    .toStream((key) => key.length),
)

// A windowed key is a key and its window, and is written by a windowed serde.
const counts = orders.groupByKey().windowedBy(TimeWindows.ofSizeWithNoGrace(10)).count()
isTable<Windowed<string>, number>()(counts)
isStream<string, number>()(counts.toStream(({ key }) => key))
counts.toStream().to('out', Produced.with(windowed(string, 10), long))
// @ts-expect-error the key carries a window
counts.toStream().to('out', Produced.with(string, long))
// @ts-expect-error the keys inside the windows are strings
counts.toStream().to('out', Produced.with(windowed(long, 10), long))

// Final results are of windows.
isTable<Windowed<string>, number>()(counts.suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded())))
isTable<Windowed<string>, number>()(
  counts.suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()).withName('s')),
)
isTable<string, number>()(orders.groupByKey().count().suppress(Suppressed.untilTimeLimit(10, BufferConfig.unbounded())))
// @ts-expect-error the keys carry no window that could close
orders.groupByKey().count().suppress(Suppressed.untilWindowCloses(BufferConfig.unbounded()))

// Functions of the DSL return no promises.
// @ts-expect-error a promise is no list of pairs
orders.flatMap(async (key, order) => [[key, order]])
// @ts-expect-error a promise is no list of values
orders.flatMapValues(async (order) => [order])
// @ts-expect-error a promise is no value of a pair
orders.map((key, order) => [key, Promise.resolve(order)])
// @ts-expect-error a promise is no key of a pair
orders.flatMap((key, order) => [[Promise.resolve(key), order] as const])
// @ts-expect-error a promise is no value of a list
orders.flatMapValues((order) => [Promise.resolve(order)])
// @ts-expect-error a promise is no key
orders.groupBy(async (_key, order) => order.user)
// @ts-expect-error a promise is no key
counts.toStream(async ({ key }) => key)
// @ts-expect-error a promise is no answer
orders.split().branch(async () => true)
// @ts-expect-error [G-74] a number is no order: a reducer gives what it reduces
orders.groupByKey().reduce((_old, order) => order.amount)
// @ts-expect-error a promise is no value
orders.groupByKey().reduce(async (old) => old)
orders.groupByKey().aggregate(
  // @ts-expect-error a promise is no aggregate
  async () => 0,
  (_key, _order, sum) => sum,
)
orders.groupByKey().aggregate<number>(
  () => 0,
  // @ts-expect-error a promise is no aggregate
  async (_key, order, sum) => sum + order.amount,
)

// Serdes fit the types that they write.
orders.groupByKey(Grouped.with(string, json<Order>()))
// @ts-expect-error the keys are strings
orders.groupByKey(Grouped.with(long, json<Order>()))
// @ts-expect-error the values are orders
orders.groupByKey(Grouped.with(string, long))
// @ts-expect-error the new keys are strings
orders.groupBy((_key, order) => order.user, Grouped.keySerde(long))
orders.to('out', Produced.with(string, json<Order>()))
// @ts-expect-error the keys are strings
orders.to('out', Produced.with(long, json<Order>()))
// @ts-expect-error the values are orders
orders.to('out', Produced.with(string, string))
// @ts-expect-error the keys are strings
orders.repartition(Repartitioned.with(long, json<Order>()))
// @ts-expect-error the values are orders
orders.repartition(Repartitioned.with(string, long))
orders.repartition(
  Repartitioned.streamPartitioner((key: string, order: Order, lanes) => (key.length + order.amount) % lanes),
)
// @ts-expect-error a lane is a number
orders.repartition(Repartitioned.streamPartitioner((key: string) => key))
// @ts-expect-error the keys are strings
orders.groupByKey().count(Materialized.with(long, long))
// @ts-expect-error counts are numbers
orders.groupByKey().count(Materialized.with(string, string))
// @ts-expect-error the aggregate is an order
orders.groupByKey().reduce((old) => old, Materialized.with(string, long))

// A merge is of streams of one type, and a branch of its own.
// @ts-expect-error the values of the other are numbers
orders.merge(orders.mapValues((order) => order.amount))
orders.split().branch(
  () => true,
  Branched.withConsumer((branch: KStream<string, Order>) => branch.to('out')),
)

// The map of a split knows what it holds: the branches themselves, or what functions made of them.
isStream<string, Order>()(
  orders
    .split()
    .branch(() => true, Branched.as('large'))
    .branch(() => true)
    .branch(
      () => true,
      Branched.withConsumer((branch) => branch.to('out')),
    )
    .defaultBranch()
    .get('1')!,
)
isStream<string, number>()(
  orders
    .split()
    .branch(
      () => true,
      Branched.withFunction((branch) => branch.mapValues(({ amount }) => amount)),
    )
    .branch(
      () => true,
      Branched.withFunction(() => null),
    )
    .noDefaultBranch()
    .get('1')!,
)
// @ts-expect-error one of the two is of orders
isStream<string, number>()(
  orders
    .split()
    .branch(() => true)
    .defaultBranch()
    .get('1')!,
)

// A fixed-key processor forwards the key that it gets.
const keeps: FixedKeyProcessor<string, Order, number> = {
  process: (record, ctx) => ctx.forward({ key: record.key, value: record.value.amount }),
}
isStream<string, number>()(orders.processValues(() => keeps))
// @ts-expect-error it forwards numbers as keys
const changes: FixedKeyProcessor<string, Order> = { process: (record, ctx) => ctx.forward({ ...record, key: 1 }) }
// @ts-expect-error keys of the stream are strings
orders.processValues((): FixedKeyProcessor<number, Order> => ({ process: () => undefined }))
void changes
