import { describe, expect, it } from 'vitest'
import { parseConfig } from '../topology/parseConfig.js'
import { Materialized } from './Materialized.js'
import { StreamsBuilder } from './StreamsBuilder.js'
import { TimeWindows } from './TimeWindows.js'

function counted(windows: TimeWindows, materialized?: Materialized<any, number>) {
  const builder = new StreamsBuilder()
  builder.stream('in').groupByKey().windowedBy(windows).count(materialized)
  return builder.build().compile(parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string' }))
}

describe('the store of a windowed count (kafka-streams.md A.7)', () => {
  const named = Materialized.as<any, number>('w')

  it('keeps size plus grace unless told', () => {
    const [store] = counted(TimeWindows.ofSizeAndGrace(10, 5), named).stores
    expect(store).toMatchObject({
      name: 'w',
      builder: { kind: 'window', persistent: true, retentionMs: 15, windowSizeMs: 10 },
    })
  })

  it('keeps what withRetention says', () => {
    const [store] = counted(TimeWindows.ofSizeAndGrace(10, 5), named.withRetention(100)).stores
    expect(store?.builder.retentionMs).toBe(100)
  })

  it('is refused when it keeps a millisecond less than size plus grace', () => {
    const windows = TimeWindows.ofSizeAndGrace(10, 5)
    expect(() => counted(windows, named.withRetention(15))).not.toThrow()
    expect(() => counted(windows, named.withRetention(14))).toThrow(
      'The retention period of the window store w must be no smaller than its window size plus the grace period. ' +
        'Got size=[10], grace=[5], retention=[14].',
    )
  })

  it('tells its windows to validation and the page', () => {
    const node = counted(TimeWindows.ofSizeAndGrace(10, 5).advanceBy(2), named).nodes[1]
    expect(node).toMatchObject({
      stores: ['w'],
      facts: { operator: 'windowed-count', window: { sizeMs: 10, advanceMs: 2, graceMs: 5 } },
      changesKey: false,
    })
  })
})
