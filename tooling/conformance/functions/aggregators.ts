import { needed } from '../strict.js'
import { longOf, textOf } from '../values.js'
import { pick } from './mappers.js'

type Make<F> = { readonly [name: string]: (argument: string | undefined, text: string) => F }
export type Aggregator = (key: unknown, value: unknown, aggregate: unknown) => unknown
export type Merger = (key: unknown, a: unknown, b: unknown) => unknown
export type Reducer = (a: unknown, b: unknown) => unknown
/** Gets both sides and, where it asks for them, the stream's key and the mapped key of a stream-global join. */
export type Joiner = (left: unknown, right: unknown, key?: unknown, mappedKey?: unknown) => unknown

const big = (value: unknown) => BigInt(value as number | bigint)
const add = (a: unknown, b: unknown) => longOf(big(a) + big(b))
const subtract = (a: unknown, b: unknown) => longOf(big(a) - big(b))
const lengthOf = (value: unknown) => BigInt(value === null ? 0 : textOf(value).length)
const concat = (a: unknown, b: unknown) => textOf(a) + textOf(b)
const greater = (a: unknown, b: unknown) => (textOf(b) > textOf(a) ? b : a)
const smaller = (a: unknown, b: unknown) => (textOf(b) < textOf(a) ? b : a)

const initializers: Make<() => unknown> = {
  const: (argument, text) => () => needed(argument, text),
  empty: () => () => '',
  zero: () => () => 0,
  null: () => () => null,
}

const aggregators: Make<Aggregator> = {
  concat: () => (_key, value, aggregate) => concat(aggregate, value),
  concatKey: () => (key, value, aggregate) => textOf(aggregate) + textOf(key) + textOf(value),
  plus: () => (_key, value, aggregate) => `${textOf(aggregate)}+${textOf(value)}`,
  minus: () => (_key, value, aggregate) => `${textOf(aggregate)}-${textOf(value)}`,
  remove: () => (_key, value, aggregate) => cut(textOf(aggregate), textOf(value)),
  count: () => (_key, _value, aggregate) => longOf(big(aggregate) + 1n),
  sum: () => (_key, value, aggregate) => add(aggregate, value),
  subtract: () => (_key, value, aggregate) => subtract(aggregate, value),
  sumLength: () => (_key, value, aggregate) => longOf(big(aggregate) + lengthOf(value)),
  subtractLength: () => (_key, value, aggregate) => longOf(big(aggregate) - lengthOf(value)),
  last: () => (_key, value) => value,
  keep: () => (_key, _value, aggregate) => aggregate,
  max: () => (_key, value, aggregate) => greater(aggregate, value),
  nullOn: (argument, text) => (_key, value, aggregate) =>
    value !== null && textOf(value) === needed(argument, text) ? null : concat(aggregate, value),
}

const mergers: Make<Merger> = {
  concat: () => (_key, a, b) => concat(a, b),
  bar: () => (_key, a, b) => `${textOf(a)}|${textOf(b)}`,
  sum: () => (_key, a, b) => add(a, b),
}

const reducers: Make<Reducer> = {
  concat: () => concat,
  plus: () => (a, b) => `${textOf(a)}+${textOf(b)}`,
  minus: () => (a, b) => `${textOf(a)}-${textOf(b)}`,
  last: () => (_a, b) => b,
  first: () => (a) => a,
  max: () => greater,
  min: () => smaller,
  sum: () => add,
  subtract: () => subtract,
  nullOn: (argument, text) => (a, b) => (b !== null && textOf(b) === needed(argument, text) ? null : concat(a, b)),
}

const joiners: Make<Joiner> = {
  bothKeys: () => (left, right, key, mappedKey) =>
    `${textOf(key)}:${textOf(mappedKey)}:${textOf(left)}/${textOf(right)}`,
  slash: () => (left, right) => `${textOf(left)}/${textOf(right)}`,
  keySlash: () => (left, right, key) => `${textOf(key)}:${textOf(left)}/${textOf(right)}`,
  left: () => (left) => left,
  right: () => (_left, right) => right,
  null: () => () => null,
}

export const initializer = (text: unknown) => pick(initializers, text, 'initializer')
export const aggregator = (text: unknown) => pick(aggregators, text, 'aggregator')
export const merger = (text: unknown) => pick(mergers, text, 'merger')
export const reducer = (text: unknown) => pick(reducers, text, 'reducer')
export const joiner = (text: unknown = 'slash') => pick(joiners, text, 'joiner')

function cut(text: string, part: string): string {
  const at = text.indexOf(part)
  return at < 0 ? text : text.slice(0, at) + text.slice(at + part.length)
}
