// Checked by the type check alone: what must not compile is marked, and a mark that marks nothing is an error.
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { windowed } from '../../serde/windowed.js'
import { Consumed } from '../../topology/Consumed.js'
import { Produced } from '../../topology/Produced.js'
import { Joined } from '../Joined.js'
import { JoinWindows } from '../JoinWindows.js'
import type { KStream } from '../KStream.js'
import { StreamJoined } from '../StreamJoined.js'
import { StreamsBuilder } from '../StreamsBuilder.js'
import { TimeWindows } from '../TimeWindows.js'

interface Order {
  readonly id: string
  readonly customer: string
}
interface Payment {
  readonly amount: number
}
interface Customer {
  readonly name: string
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]
declare function isStream<K, V>(): <K2, V2>(_stream: KStream<K2, V2>, ..._same: Same<[K, V], [K2, V2]>) => void

const builder = new StreamsBuilder()
const orders = builder.stream('orders', Consumed.with(string, json<Order>(), { nulls: 'drop' }))
const honest = builder.stream('honest', Consumed.with(string, json<Order>()))
const payments = builder.stream('payments', Consumed.with(string, json<Payment>()))
const byNumber = builder.stream('by-number', Consumed.with(long, json<Payment>(), { nulls: 'drop' }))
const customers = builder.table('customers', Consumed.with(string, json<Customer>()))
const everywhere = builder.globalTable('everywhere', Consumed.with(string, json<Customer>()))
const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)

// An inner join knows both sides and the key; no null gets in.
isStream<string, { id: string; paid: number }>()(
  honest.join(payments, (order, payment) => ({ id: order.id, paid: payment.amount }), windows),
)
orders.join(payments, (order, payment, key) => `${order.id} ${payment.amount} ${key.length}`, windows)

// A left join may lack the right side, an outer one either: their functions must say what then.
isStream<string, number | undefined>()(orders.leftJoin(payments, (_order, payment) => payment?.amount, windows))
// @ts-expect-error the payment may be missing
orders.leftJoin(payments, (_order, payment) => payment.amount, windows)
orders.outerJoin(payments, (order, payment) => `${order?.id} ${payment?.amount}`, windows)
// @ts-expect-error the order may be missing, too
orders.outerJoin(payments, (order, payment) => `${order.id} ${payment?.amount}`, windows)
isStream<string | null, string>()(honest.leftJoin(payments, (order) => order.id, windows))
// @ts-expect-error a left join passes records without a key on
honest.leftJoin(payments, (order, _payment, key) => order.id + key.length, windows)

// @ts-expect-error keys of two types never meet
orders.join(byNumber, (order) => order.id, windows)
// @ts-expect-error a join of streams needs its windows
orders.join(payments, (order) => order.id)
// @ts-expect-error windows of aggregations are none of joins
orders.join(payments, (order) => order.id, TimeWindows.ofSizeWithNoGrace(10))
// @ts-expect-error what a join makes is no promise
orders.join(payments, async (order) => order.id, windows)

// Serdes are held to the types of their sides.
orders.join(payments, (order) => order.id, windows, StreamJoined.with(string, json<Order>(), json<Payment>()))
// @ts-expect-error the key is text
orders.join(payments, (order) => order.id, windows, StreamJoined.with(long, json<Order>(), json<Payment>()))
// @ts-expect-error the sides are swapped
orders.join(payments, (order) => order.id, windows, StreamJoined.with(string, json<Payment>(), json<Order>()))

// A table: its row may be missing in a left join alone, and its keys are those of the stream.
isStream<string, string>()(orders.join(customers, (order, customer) => order.id + customer.name))
isStream<string, string | undefined>()(orders.leftJoin(customers, (_order, customer) => customer?.name))
// @ts-expect-error the customer may be missing
orders.leftJoin(customers, (_order, customer) => customer.name)
// @ts-expect-error keys of two types never meet
byNumber.join(customers, (payment) => payment.amount)
orders.join(customers, (order) => order.id, Joined.with(string, json<Order>()).withGracePeriod(5))
// @ts-expect-error the stream's values are orders
orders.join(customers, (order) => order.id, Joined.with(string, json<Payment>()))

// A global table: any key of its own type, chosen from the record.
isStream<number, string>()(
  byNumber.join(
    everywhere,
    (_key, payment) => `${payment.amount}`,
    (payment, customer, key, chosen) => `${payment.amount} ${customer.name} ${key + 1} ${chosen.length}`,
  ),
)
const itself = (key: number) => key
const chosenBy = (_key: unknown, order: Order) => order.customer
// @ts-expect-error the table's keys are text
byNumber.join(everywhere, itself, (payment) => payment.amount)
orders.leftJoin(everywhere, chosenBy, (_order, customer, _key, chosen) => `${customer?.name} ${chosen?.length}`)
// @ts-expect-error there may be no customer
orders.leftJoin(everywhere, chosenBy, (_order, customer) => customer.name)
// @ts-expect-error nor a key to look one up
orders.leftJoin(everywhere, chosenBy, (_order, _customer, _key, chosen) => chosen.length)

// Windowed keys join with windowed keys of the same kind.
const counts = orders.groupByKey().windowedBy(TimeWindows.ofSizeWithNoGrace(10)).count()
counts
  .toStream()
  .join(counts, (one, other) => one + other)
  .to('out', Produced.with(windowed(string, 10), long))
// @ts-expect-error a windowed key is no text
counts.toStream().join(customers, (one) => one)
