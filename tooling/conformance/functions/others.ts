import type { ConsumerRecord, TimestampExtractor } from '@lanescope/core'
import * as core from '@lanescope/core'
import { integer, needed, splitWord, UnknownWord, word } from '../strict.js'
import { textOf, timeOf } from '../values.js'
import { firstChar, IllegalStateException, pick, pickPlain } from './mappers.js'

const foreignKeys: { readonly [name: string]: (value: unknown, key: unknown) => unknown } = {
  firstCharOfKey: (_value, key) => firstChar(key),
  keyThenValue: (value, key) => textOf(key) + textOf(value),
  value: (value) => value,
  noneToNull: (value) => (value === 'none' ? null : value),
  beforeDash: (value) => (value === null ? null : (textOf(value).split('-')[0] as string)),
  firstChar: (value) => firstChar(value),
}

/** Extractors of foreign keys get the value and then the key. */
export const foreignKey = (text: unknown) => pickPlain(foreignKeys, text, 'foreign-key extractor')

type TopicFunction = (key: unknown, value: unknown, place: { readonly topic: string } | undefined) => string

const topicFunctions: { readonly [name: string]: (argument: string | undefined, text: string) => TopicFunction } = {
  value: () => (_key, value) => textOf(value),
  key: () => (key) => textOf(key),
  prefixKey: (argument, text) => (key) => needed(argument, text) + textOf(key),
  prefixFirstChar: (argument, text) => (_key, value) => needed(argument, text) + textOf(firstChar(value)),
  sourceTopic: (argument, text) => (_key, _value, place) => needed(argument, text) + textOf(place?.topic),
}

/** A topic function, which prints in `describe()` as `fn:NAME`. */
export function topicFunction(text: unknown): TopicFunction {
  const extract = pick(topicFunctions, text, 'topic function')
  return Object.defineProperty(extract, 'name', { value: `fn:${text}` })
}

/** `dropValue:x`: no partition at all for the value x, else partition 0. */
export function partitioner(text: unknown): (key: unknown, value: unknown) => readonly number[] {
  const { name, argument } = splitWord(String(text))
  if (name !== 'dropValue') throw new UnknownWord(`Unknown partitioner "${String(text)}".`)
  return (_key, value) => (textOf(value) === needed(argument, String(text)) ? [] : [0])
}

const builtIn: { readonly [name: string]: TimestampExtractor<any, any> } = {
  failOnInvalid: core.failOnInvalidTimestamp,
  logAndSkip: core.logAndSkipOnInvalidTimestamp,
  usePartitionTime: core.usePartitionTimeOnInvalidTimestamp,
}

type Extract = TimestampExtractor<any, any>['extract']

const own: { readonly [name: string]: (argument: string | undefined, text: string) => Extract } = {
  value: () => (record) => timeInValue(record),
  partitionTime: () => (_record, partitionTime) => partitionTime,
  constant: (argument, text) => () => integer(argument, text),
  plus: (argument, text) => (record) => record.timestamp + integer(argument, text),
  throw: () => () => {
    throw new IllegalStateException('extractor refused')
  },
}

export function timestampExtractor(text: unknown): TimestampExtractor<any, any> {
  const id = String(text)
  if (id.endsWith('@value')) {
    const inner = word(builtIn, id.slice(0, -'@value'.length), 'timestamp extractor')
    return { id, extract: (record, partitionTime) => inner.extract(at(record, timeInValue(record)), partitionTime) }
  }
  return Object.hasOwn(builtIn, id)
    ? (builtIn[id] as TimestampExtractor<any, any>)
    : { id, extract: pick(own, text, 'timestamp extractor') }
}

const at = (record: ConsumerRecord<any, any>, timestamp: number) => ({ ...record, timestamp })

function timeInValue(record: ConsumerRecord<unknown, unknown>): number {
  const text = textOf(record.value)
  return timeOf(text.slice(text.lastIndexOf('@') + 1))
}
