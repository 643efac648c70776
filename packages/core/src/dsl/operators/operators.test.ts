import { describe, expect, it } from 'vitest'
import { FakeContext, recordOf } from '../../../test/FakeContext.js'
import { StreamError } from '../../errors/StreamError.js'
import { Headers } from '../../model/Headers.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { branch } from './branch.js'
import { filter } from './filter.js'
import { flatMap } from './flatMap.js'
import { flatMapValues } from './flatMapValues.js'
import { map } from './map.js'
import { mapValues } from './mapValues.js'
import { passThrough } from './passThrough.js'
import { peek } from './peek.js'
import { repartitionFilter } from './repartitionFilter.js'
import { selectKey } from './selectKey.js'

function run(supplier: ProcessorSupplier<any, any, any, any>, key: unknown, value: unknown) {
  const context = new FakeContext()
  void supplier.get().process(recordOf(key, value, 7), context.asContext())
  return { context, out: context.forwarded.map((record) => [record.key, record.value]) }
}

describe('value and key operators', () => {
  it('filter keeps what the predicate holds for, filterNot the rest', () => {
    const isA = (key: string, value: string) => key === 'a' && value === 'v'
    expect(run(filter('f', isA, true), 'a', 'v').out).toEqual([['a', 'v']])
    expect(run(filter('f', isA, true), 'b', 'v').out).toEqual([])
    expect(run(filter('f', isA, false), 'a', 'v').out).toEqual([])
    expect(run(filter('f', isA, false), 'b', 'v').out).toEqual([['b', 'v']])
  })

  it('map gives key and value, mapValues the value, selectKey the key', () => {
    expect(
      run(
        map('m', (key, value) => [value, key]),
        'k',
        'v',
      ).out,
    ).toEqual([['v', 'k']])
    expect(
      run(
        mapValues('m', (value, key) => `${value}/${key}`),
        'k',
        'v',
      ).out,
    ).toEqual([['k', 'v/k']])
    expect(
      run(
        selectKey('s', (key, value) => `${key}/${value}`),
        'k',
        'v',
      ).out,
    ).toEqual([['k/v', 'v']])
  })

  it('peek hands on what it saw, foreach does not', () => {
    const seen: unknown[] = []
    expect(
      run(
        peek('p', (key, value) => seen.push([key, value]), true),
        'k',
        'v',
      ).out,
    ).toEqual([['k', 'v']])
    expect(
      run(
        peek('p', (key, value) => seen.push([key, value]), false),
        'k',
        'w',
      ).out,
    ).toEqual([])
    expect(seen).toEqual([
      ['k', 'v'],
      ['k', 'w'],
    ])
  })

  it('keep timestamp and headers', () => {
    const context = new FakeContext()
    const headers = Headers.of([{ key: 'h', value: null }])
    const record = { ...recordOf('k', 'v', 7), headers }
    for (const supplier of [
      map('m', () => ['x', 'y']),
      mapValues('m', () => 'y'),
      selectKey('s', () => 'x'),
      filter('f', () => true, true),
      peek('p', () => undefined, true),
      passThrough(),
    ]) {
      void supplier.get().process(record, context.asContext())
    }
    expect(context.forwarded).toHaveLength(6)
    for (const forwarded of context.forwarded) expect(forwarded).toMatchObject({ timestamp: 7, headers })
  })

  it('[L8] are declared synchronous, and give a new processor at each call', () => {
    const supplier = passThrough()
    expect(supplier.sync).toBe(true)
    expect(supplier.get()).not.toBe(supplier.get())
  })
})

describe('a function that returns a promise', () => {
  // It rejects: nobody may be left to hear of it.
  const late = (async () => Promise.reject(new Error('late'))) as never as () => boolean
  const cases: [string, ProcessorSupplier<any, any, any, any>][] = [
    ['filter', filter('n', late, true)],
    ['map', map('n', late as never)],
    ['mapValues', mapValues('n', late)],
    ['selectKey', selectKey('n', late)],
    ['peek', peek('n', late, true)],
  ]
  it.each(cases)('is refused in %s, with the node', (_, supplier) => {
    const context = new FakeContext()
    const process = () => supplier.get().process(recordOf('k', 'v', 1), context.asContext())
    expect(process).toThrow(StreamError)
    expect(process).toThrow(expect.objectContaining({ code: 'SYNC_CALLBACK_RETURNED_PROMISE', context: { node: 'n' } }))
    expect(context.forwarded).toEqual([])
  })
})

describe('[G3] in front of a boundary', () => {
  it('a null key is not dropped without a word', () => {
    const { context, out } = run(repartitionFilter('f'), null, 'v')
    expect(out).toEqual([])
    expect(context.lost).toEqual([['null_key_after_rekey', expect.stringContaining('"f"')]])
    expect(run(repartitionFilter('f'), undefined, 'v').context.lost).toHaveLength(1)
  })

  it('any other key passes, an empty one too', () => {
    const { context, out } = run(repartitionFilter('f'), '', null)
    expect(out).toEqual([['', null]])
    expect(context.lost).toEqual([])
  })
})

describe('operators that make several records, or choose a way', () => {
  it('flatMap gives keys and values in order, or nothing', () => {
    const both = flatMap('f', (key, value) => [
      [key, value],
      [value, key],
    ])
    expect(run(both, 'k', 'v').out).toEqual([
      ['k', 'v'],
      ['v', 'k'],
    ])
    expect(run(both, 'k', 'v').context.forwarded.map((record) => record.timestamp)).toEqual([7, 7])
    expect(
      run(
        flatMap('f', () => []),
        'k',
        'v',
      ).out,
    ).toEqual([])
  })

  it('flatMapValues gives values in order under the one key', () => {
    const words = flatMapValues('f', (value, key) => new Set([value, `${key}!`]))
    expect(run(words, 'k', 'v').out).toEqual([
      ['k', 'v'],
      ['k', 'k!'],
    ])
  })

  it('branch takes the first that fits, and none when none does', () => {
    const ways: string[] = []
    const context = new FakeContext()
    context.forward = (_record: unknown, child?: string) => void ways.push(child as string)
    const processor = branch('b', [
      { child: 'a', predicate: (key, value) => key === 'k' && value === 'v' },
      { child: 'b', predicate: (key) => key === 'k' },
    ]).get()
    for (const [key, value] of [
      ['k', 'v'],
      ['k', 'w'],
      ['l', 'v'],
    ]) {
      void processor.process(recordOf(key, value, 1), context.asContext())
    }
    expect(ways).toEqual(['a', 'b'])
  })

  it('refuse functions that return a promise', () => {
    expect(() => run(flatMap('f', (async () => []) as any), 'k', 'v')).toThrow('The function of "f" returned a promise')
    expect(() => run(flatMapValues('f', (async () => []) as any), 'k', 'v')).toThrow('returned a promise')
    const test = { child: 'a', predicate: (async () => true) as any }
    expect(() => run(branch('b', [test]), 'k', 'v')).toThrow('The function of "b" returned a promise')
  })
})
