import { describe, expect, it } from 'vitest'
import { json } from '../serde/json.js'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import type { KStream } from './KStream.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { settled } from './sync.js'

interface Order {
  readonly user: string
  readonly amount: number
}

const stream = () => new StreamsBuilder().stream('orders', Consumed.with(string, json<Order>(), { nulls: 'drop' }))

/** Compiles only when the stream has exactly these types. */
function typed<K, V>(
  _stream: KStream<K, V>,
): { exactly<K2, V2>(..._same: [K, V] extends [K2, V2] ? ([K2, V2] extends [K, V] ? [] : [never]) : [never]): void } {
  return { exactly: () => undefined }
}

describe('types of the DSL', () => {
  it('follow what functions return', () => {
    typed(stream()).exactly<string, Order>()
    typed(stream().mapValues((order) => order.amount)).exactly<string, number>()
    typed(stream().selectKey((_key, order) => order.amount)).exactly<number, Order>()
    typed(stream().map((key, order) => [order.user, `${key}!`])).exactly<string, string>()
    typed(stream().filter((key, order) => key === order.user)).exactly<string, Order>()
    expect(true).toBe(true)
  })

  it('keep nulls honest: a source has them unless they are dropped', () => {
    typed(new StreamsBuilder().stream('orders', Consumed.with(string, json<Order>()))).exactly<
      string | null,
      Order | null
    >()
    expect(true).toBe(true)
  })

  it('refuse functions that return promises', () => {
    const orders = stream()
    // @ts-expect-error a promise is no value
    orders.mapValues(async (order) => order.amount)
    // @ts-expect-error a promise is no key
    orders.selectKey(async (_key, order) => order.user)
    // @ts-expect-error a promise is no answer
    orders.filter(async () => true)
    // @ts-expect-error nobody waits for it
    orders.peek(async () => undefined)
    // @ts-expect-error nobody waits for it
    orders.foreach(async () => undefined)
    // @ts-expect-error a promise is no pair
    orders.map(async (key, order) => [key, order])
    expect(true).toBe(true)
  })
})

describe('settled', () => {
  it.each([1, null, undefined, '', false])('hands on %j', (value) => expect(settled('n', value)).toBe(value))

  it('refuses a promise, with the node and the way out', () => {
    expect(() => settled('n', Promise.resolve(1))).toThrow('The function of "n" returned a promise.')
  })
})
