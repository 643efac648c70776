import { describe, expect, it } from 'vitest'
import { FakeContext, recordOf } from '../../../test/FakeContext.js'
import { Headers } from '../../model/Headers.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { timestampedTableStore } from '../TableStore.js'
import { type ValueAndTimestamp, valueAndTimestamp } from '../valueAndTimestamp.js'
import { type KeyedAggregation, keyedAggregate } from './keyedAggregate.js'

const store = Stores.keyValue<string, ValueAndTimestamp<string>>('s', string, valueAndTimestamp(string))
type Add = (key: string, value: string, old: string | null) => string | null | undefined
const concat: Add = (_key, value, old) => `${old ?? ''}${value}`
const from = (add: Add, initial: string | null = null) =>
  ({ initial: () => initial, add }) as KeyedAggregation<string, string, string>
/** Deletes at `x`. */
const untilX: Add = (key, value, old) => (value === 'x' ? null : value === 'u' ? undefined : concat(key, value, old))

function aggregate(
  records: readonly (readonly [string | null | undefined, string | null | undefined, number])[],
  add: Add = concat,
) {
  const context = new FakeContext()
  const processor = keyedAggregate(timestampedTableStore(store), from(add), false).get()
  for (const [key, value, at] of records) void processor.process(recordOf(key, value, at), context.asContext())
  const out = context.forwarded.map(({ key, value, timestamp }) => `${key}=${value.newValue}@${timestamp}`)
  return { out, context, stored: (key: string) => (context.store(store) as any).get(key) }
}

describe('an aggregate per key (kafka-streams.md A.7)', () => {
  it('adds each record to its own key', () => {
    expect(
      aggregate([
        ['k', 'a', 1],
        ['l', 'b', 2],
        ['k', 'c', 3],
      ]).out,
    ).toEqual(['k=a@1', 'l=b@2', 'k=ac@3'])
  })

  it('bears the greatest timestamp of its records, and stores it', () => {
    const { out, stored } = aggregate([
      ['k', 'a', 7],
      ['k', 'b', 3],
      ['k', 'c', 7],
      ['k', 'd', 8],
    ])
    expect(out).toEqual(['k=a@7', 'k=ab@7', 'k=abc@7', 'k=abcd@8'])
    expect(stored('k')).toEqual({ value: 'abcd', timestamp: 8 })
  })

  it('takes a first record at time 0', () => expect(aggregate([['k', 'a', 0]]).out).toEqual(['k=a@0']))

  it.each([null, undefined])('[G3] drops a key of %s as null_key, whatever its value', (key) => {
    const { out, context } = aggregate([
      [key, 'a', 1],
      [key, null, 2],
    ])
    expect(out).toEqual([])
    expect(context.dropped).toEqual([
      ['null_key', 'Skipping record due to null key or value. topic=[in] partition=[0] offset=[5]'],
      ['null_key', 'Skipping record due to null key or value. topic=[in] partition=[0] offset=[5]'],
    ])
  })

  it.each([null, undefined])('[G3] drops a value of %s as null_value, and keeps the aggregate', (value) => {
    const { out, context } = aggregate([
      ['k', 'a', 1],
      ['k', value, 9],
      ['k', 'b', 2],
    ])
    expect(out).toEqual(['k=a@1', 'k=ab@2'])
    expect(context.dropped.map(([reason]) => reason)).toEqual(['null_value'])
  })

  it.each(['x', 'u'])('deletes at a result of null or undefined, sends null on, and starts afresh (%s)', (last) => {
    const { out, stored } = aggregate(
      [
        ['k', 'a', 5],
        ['k', last, 3],
      ],
      untilX,
    )
    expect(out).toEqual(['k=a@5', 'k=null@5'])
    expect(stored('k')).toBeUndefined()
    expect(
      aggregate(
        [
          ['k', 'a', 5],
          ['k', last, 3],
          ['k', 'b', 2],
        ],
        untilX,
      ).out.at(-1),
    ).toBe('k=b@2')
  })

  it('keeps falsy results that are not null', () => {
    expect(aggregate([['k', 'a', 1]], () => '').out).toEqual(['k=@1'])
  })

  it('hands the headers of the record on', () => {
    const context = new FakeContext()
    const headers = Headers.of([{ key: 'h', value: null }])
    void keyedAggregate(timestampedTableStore(store), from(concat), false)
      .get()
      .process({ key: 'k', value: 'v', timestamp: 1, headers }, context.asContext())
    expect(context.forwarded[0]?.headers).toBe(headers)
  })

  it('says where nothing was read from', () => {
    const context = new FakeContext()
    context.coordinates = null
    void keyedAggregate(timestampedTableStore(store), from(concat), false)
      .get()
      .process(recordOf(null, 'v', 1), context.asContext())
    expect(context.dropped[0]?.[1]).toContain('topic=[null] partition=[-1] offset=[-1]')
  })

  it('tells the old aggregate where it is asked for, and at first what a key starts with', () => {
    const context = new FakeContext()
    const processor = keyedAggregate(timestampedTableStore(store), from(untilX, '.'), true).get()
    for (const value of ['a', 'b', 'x', 'c']) void processor.process(recordOf('k', value, 1), context.asContext())
    expect(context.forwarded.map(({ value }) => [value.oldValue, value.newValue])).toEqual([
      ['.', '.a'],
      ['.a', '.ab'],
      ['.ab', null],
      ['.', '.c'],
    ])
  })
})
