// Checked by the type check alone: what must not compile is marked, and a mark that marks nothing is an error.
import type { Windowed } from '../model/Windowed.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { sessionWindowed, windowed } from '../serde/windowed.js'
import { Stores } from '../state/builders/Stores.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { BufferConfig } from './BufferConfig.js'
import { EmitStrategy } from './EmitStrategy.js'
import { Grouped } from './Grouped.js'
import type { KStream } from './KStream.js'
import type { KTable } from './KTable.js'
import { Materialized } from './Materialized.js'
import { SessionWindows } from './SessionWindows.js'
import { SlidingWindows } from './SlidingWindows.js'
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

const read = Consumed.with(string, json<Order>(), { nulls: 'drop' })
const builder = new StreamsBuilder({ 'topology.optimization': 'all' })
const orders = builder.stream('orders', read)
const table = builder.table('users', read)
const grouped = orders.groupByKey()

// A table has no null keys; its rows have the type of the topic's values.
isTable<string, Order>()(table)
isTable<string, Order | null>()(builder.table('users', Consumed.with(string, json<Order>())))
isTable<string, number>()(table.mapValues((order) => order.amount))
isTable<string, Order>()(orders.toTable())
isTable<string, number>()(table.groupBy((_key, order) => [order.user, order.amount] as const).count())
// @ts-expect-error the stored keys are strings
builder.table('users', read, Materialized.with(long, json<Order>()))
// @ts-expect-error the stored rows are orders
builder.table('users', read, Materialized.with(string, long))
// @ts-expect-error the new rows are numbers
table.mapValues((order) => order.amount, Materialized.with(string, string))
// @ts-expect-error the new keys are strings
table.groupBy((_key, order) => [order.user, order] as const, Grouped.with(long, json<Order>()))
// @ts-expect-error a promise is no row
table.mapValues(async (order) => order.amount)

// Windows put a window around the key, whatever their kind, and only a windowed serde writes it.
const sliding = grouped.windowedBy(SlidingWindows.ofTimeDifferenceWithNoGrace(10)).count()
const sessions = grouped.windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10)).count()
isTable<Windowed<string>, number>()(sliding)
isTable<Windowed<string>, number>()(sessions)
isStream<Windowed<string>, number>()(sessions.toStream())
sliding.toStream().to('out', Produced.with(windowed(string, 10), long))
sessions.toStream().to('out', Produced.with(sessionWindowed(string), long))
// @ts-expect-error the key carries a window
sessions.toStream().to('out', Produced.with(string, long))
// @ts-expect-error the keys inside the windows are strings
sessions.toStream().to('out', Produced.with(sessionWindowed(long), long))
// @ts-expect-error counts are numbers
sessions.toStream().to('out', Produced.with(sessionWindowed(string), string))
// @ts-expect-error Materialized says how the inner key is stored: it is a string
grouped.windowedBy(SlidingWindows.ofTimeDifferenceWithNoGrace(10)).count(Materialized.with(long, long))

// What holds results back changes nothing about their types.
const closes = Suppressed.untilWindowCloses(BufferConfig.unbounded())
isTable<Windowed<string>, number>()(sliding.suppress(closes))
isTable<Windowed<string>, number>()(
  grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(10)).emitStrategy(EmitStrategy.onWindowClose()).count(),
)
// @ts-expect-error final results need a buffer that loses nothing
Suppressed.untilWindowCloses(BufferConfig.maxRecords(1))

// A cogroup has one type of key and of aggregate.
const amounts = grouped.cogroup((_key, order, sum: number) => sum + order.amount)
isTable<string, number>()(amounts.aggregate(() => 0))
isTable<Windowed<string>, number>()(amounts.windowedBy(TimeWindows.ofSizeWithNoGrace(10)).aggregate(() => 0))
isTable<string, number>()(
  amounts.cogroup(orders.mapValues(() => 'x').groupByKey(), (_key, text, sum) => sum + text.length).aggregate(() => 0),
)
// @ts-expect-error the aggregate is a number
amounts.aggregate(() => '')
amounts.cogroup(
  // @ts-expect-error the keys of the other are numbers
  orders.groupBy((_key, order) => order.amount),
  (_key, _order, sum) => sum,
)
// @ts-expect-error sessions that become one need a merger
amounts.windowedBy(SessionWindows.ofInactivityGapWithNoGrace(10)).aggregate(() => 0)

// A store that is picked fits what is kept in it.
builder.table('picked', read, Materialized.as(Stores.keyValue('kept', string, json<Order>())))
