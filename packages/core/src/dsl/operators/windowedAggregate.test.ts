import { describe, expect, it } from 'vitest'
import { FakeContext, recordOf } from '../../../test/FakeContext.js'
import { Headers } from '../../model/Headers.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { TimeWindows } from '../TimeWindows.js'
import { type ValueAndTimestamp, valueAndTimestamp } from '../valueAndTimestamp.js'
import { counting } from '../windows/operations.js'
import { windowedAggregate } from './windowedAggregate.js'

const options = { retentionMs: 100_000, windowSizeMs: 10 }
const store = Stores.window<string, ValueAndTimestamp<number>>('w', options, string, valueAndTimestamp(long))

/** Counts records given as [key, timestamp, value?]; a context whose clock is the greatest time, as in stream-time. */
function count(windows: TimeWindows, records: readonly (readonly [string | null, number, (string | null)?])[]) {
  const context = new FakeContext()
  const processor = windowedCount(windows).get()
  for (const [key, timestamp, value = 'v'] of records) {
    void processor.process(recordOf(key, value, timestamp), context.asContext())
  }
  const out = context.forwarded.map(({ key, value, timestamp }) => {
    const { window, key: inner } = key as { key: string; window: { start: number; end: number } }
    return `${inner}[${window.start},${window.end})=${value.newValue}@${timestamp}`
  })
  return { out, dropped: context.dropped, context }
}

const windowedCount = (windows: TimeWindows) =>
  windowedAggregate<string, unknown, number>(windows, {
    aggregation: counting.aggregation('n'),
    store,
    sendsOldValues: false,
    onClose: false,
  })

const tumbling = (size: number, grace = 0) => TimeWindows.ofSizeAndGrace(size, grace)

describe('a tumbling count (kafka-streams.md A.7, C.7)', () => {
  it('counts per key and window; the start belongs to it, the end does not', () => {
    expect(
      count(tumbling(10, 100), [
        ['k', 0],
        ['k', 9],
        ['k', 10],
        ['l', 9],
      ]).out,
    ).toEqual(['k[0,10)=1@0', 'k[0,10)=2@9', 'k[10,20)=1@10', 'l[0,10)=1@9'])
  })

  it('bears the greatest timestamp of its records, also after one out of order', () => {
    expect(
      count(tumbling(10), [
        ['k', 7],
        ['k', 3],
        ['k', 8],
      ]).out,
    ).toEqual(['k[0,10)=1@7', 'k[0,10)=2@7', 'k[0,10)=3@8'])
  })

  it('[H-10] drops a window whose end is the close time, and keeps one that ends a millisecond later', () => {
    expect(
      count(tumbling(10, 5), [
        ['k', 1],
        ['k', 14],
        ['k', 2],
      ]).out.at(-1),
    ).toBe('k[0,10)=2@2')
    const { out, dropped } = count(tumbling(10, 5), [
      ['k', 1],
      ['k', 15],
      ['k', 2],
    ])
    expect(out).toEqual(['k[0,10)=1@1', 'k[10,20)=1@15'])
    expect(dropped).toEqual([['late_window', expect.any(String)]])
  })

  it('is never late for itself: its own time moves the clock first', () => {
    expect(
      count(tumbling(1), [
        ['k', 5],
        ['k', 6],
      ]).out,
    ).toEqual(['k[5,6)=1@5', 'k[6,7)=1@6'])
  })

  it('tells what it dropped as Kafka Streams does', () => {
    const { context } = count(tumbling(10, 5), [
      ['k', 15_000],
      ['k', 9999],
    ])
    expect(context.dropped[0]?.[1]).toBe(
      'Skipping record for expired window. topic=[in] partition=[0] offset=[5] timestamp=[9999] ' +
        'window=[9990,10000) expiration=[14995] streamTime=[15000]',
    )
  })

  it('drops a null key, which does not move the clock', () => {
    const { out, context } = count(tumbling(10), [
      [null, 1000],
      ['k', 5],
    ])
    expect(out).toEqual(['k[0,10)=1@5'])
    expect(context.dropped).toEqual([
      ['null_key', 'Skipping record due to null key. topic=[in] partition=[0] offset=[5]'],
    ])
  })

  it('counts a null value, and an empty key', () => {
    expect(
      count(tumbling(10), [
        ['', 1, null],
        ['', 2, null],
      ]).out,
    ).toEqual(['[0,10)=1@1', '[0,10)=2@2'])
  })

  it('sends the headers of the record on', () => {
    const context = new FakeContext()
    const headers = Headers.of([{ key: 'h', value: null }])
    const processor = windowedCount(tumbling(10)).get()
    void processor.process({ ...recordOf('k', 'v', 1), headers }, context.asContext())
    expect(context.forwarded[0]?.headers).toBe(headers)
  })

  it('tells without coordinates where there are none', () => {
    const context = new FakeContext()
    context.coordinates = null
    void windowedCount(tumbling(10))
      .get()
      .process(recordOf(null, 'v', 1), context.asContext())
    expect(context.dropped[0]?.[1]).toBe('Skipping record due to null key. topic=[null] partition=[-1] offset=[-1]')
  })

  it('brings its store, and never returns a promise', () => {
    const supplier = windowedCount(tumbling(10))
    expect(supplier).toMatchObject({ sync: true, stores: [store] })
    expect(supplier.get()).not.toBe(supplier.get())
  })
})

describe('a hopping count', () => {
  it('updates every window of a record, by ascending start', () => {
    expect(count(tumbling(12, 100).advanceBy(4), [['m', 1001]]).out).toEqual([
      'm[992,1004)=1@1001',
      'm[996,1008)=1@1001',
      'm[1000,1012)=1@1001',
    ])
  })

  it('drops the windows that are over, counts them, and keeps the others', () => {
    const { out, dropped } = count(tumbling(10_000).advanceBy(5000), [
      ['k', 12_000],
      ['k', 9000],
    ])
    expect(out.at(-1)).toBe('k[5000,15000)=2@12000')
    expect(dropped).toHaveLength(1)
  })
})
