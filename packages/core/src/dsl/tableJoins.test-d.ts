// Checked by the type check alone: what must not compile is marked, and a mark that marks nothing is an error.
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import { Consumed } from '../topology/Consumed.js'
import type { KTable } from './KTable.js'
import { Materialized } from './Materialized.js'
import { Named } from './Named.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TableJoined } from './TableJoined.js'

interface Order {
  readonly user: string
  readonly amount: number
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]
declare function isTable<K, V>(): <K2, V2>(_table: KTable<K2, V2>, ..._same: Same<[K, V], [K2, V2]>) => void

const builder = new StreamsBuilder()
/** Rows that may be deleted, and counts, which are not. */
const orders = builder.table('orders', Consumed.with(string, json<Order>()))
const names = builder.table('names', Consumed.with(string, string))
const counts = builder.stream('in', Consumed.with(string, string)).groupByKey().count()
const byNumber = builder.table('numbers', Consumed.with(long, string))

// A result may be deleted where a row that it needs may be.
isTable<string, number>()(counts.join(counts, (left, right) => left + right))
isTable<string, number | null>()(counts.join(orders, (count, order) => count + order.amount))
isTable<string, number>()(counts.leftJoin(orders, (count, order) => count + (order?.amount ?? 0)))
isTable<string, string | null>()(orders.outerJoin(names, (order, name, key) => `${order?.amount}${name}${key}`))
orders.join(names, (order, name) => order.user + name, Named.as('n'), Materialized.with(string, string))
// @ts-expect-error the right row may be missing
orders.leftJoin(names, (_order, name) => name.length)
// @ts-expect-error either row may be
orders.outerJoin(names, (order) => order.amount)
// @ts-expect-error the keys are not of one type
orders.join(byNumber, (order, text) => order.user + text)
// @ts-expect-error the results are strings
orders.join(names, (order, name) => order.user + name, Materialized.with(string, long))
// @ts-expect-error a promise is no result
orders.join(names, async (order) => order.user)

// By a foreign key: of the other table's type, found in the row, null where there is none.
isTable<string, string | null>()(
  orders.join(
    names,
    (order) => order.user,
    (order, name) => order.user + name,
  ),
)
isTable<string, string | null>()(
  orders.leftJoin(
    byNumber,
    (order, key) => (key === '' ? null : order.amount),
    (order, text) => order.user + text,
    TableJoined.as('fk'),
    Materialized.as('s'),
  ),
)
const user = (order: Order) => order.user
const promised = async (order: Order) => order.user
// @ts-expect-error the other table's keys are numbers
orders.join(byNumber, user, (order, text) => order.user + text)
// @ts-expect-error the right row may be missing
orders.leftJoin(names, user, (_order, name) => name.length)
// @ts-expect-error a foreign-key join is named by TableJoined
orders.join(names, user, user, Named.as('n'))
// @ts-expect-error a key is not awaited
orders.join(names, promised, user)

// Functions on rows see no deletions; what they make of them may be one.
isTable<string, Order | null>()(orders.filter((_key, order) => order.amount > 1))
isTable<string, string | null>()(
  orders.transformValues<string | null>(() => ({ transform: (key, order) => order && key })),
)
// @ts-expect-error a transformer sees deleted rows, too
orders.transformValues(() => ({ transform: (_key, order) => order.amount }))
isTable<string, string | null>()(
  orders
    .groupBy((_key, order) => [order.user, order.amount])
    .aggregate<string | null>(
      () => null,
      (_key, amount, all) => `${all}${amount}`,
      () => null,
    ),
)
const amounts = orders.groupBy((_key, order) => [order.user, order.amount])
const sum = (_key: string, amount: number, all: number) => all + amount
// @ts-expect-error an aggregate that rows go into and out of needs both functions
amounts.aggregate(() => 0, sum)

// A versioned store fits the rows that it keeps, and a table of them is a table.
const kept = Stores.versionedKeyValue('v', { historyRetentionMs: 10 }, string, json<Order>())
isTable<string, Order | null>()(
  builder.table('t', Consumed.with(string, json<Order>()), Materialized.as<string, Order>(kept)),
)
