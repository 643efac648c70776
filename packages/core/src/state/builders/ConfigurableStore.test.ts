import { describe, expect, it } from 'vitest'
import { withStoreSettings } from '../../dsl/withStoreSettings.js'
import { Materialized, Stores } from '../../index.js'
import { withFormat } from './KeyValueStoreBuilder.js'

const windows = { retentionMs: 10, windowSizeMs: 10 }

describe('what a store is told of its changelog', () => {
  it.each([
    ['key-value', Stores.keyValue('s')],
    ['bounded', Stores.lruMap('s', 2)],
    ['window', Stores.window('s', windows)],
    ['session', Stores.session('s', windows)],
  ])('counts from then on, in a new builder of a %s store', (_kind, builder) => {
    const told = builder.withLoggingDisabled().withCachingEnabled()
    expect(told).toMatchObject({ name: 's', kind: builder.kind, logging: false, caching: true })
    expect(told.withLoggingEnabled({ 'retention.ms': '5' })).toMatchObject({
      logging: true,
      caching: true,
      topicConfig: { 'retention.ms': '5' },
    })
    expect(told.withCachingDisabled().caching).toBe(false)
    expect(builder).toMatchObject({ logging: true, caching: false, topicConfig: {} })
  })

  it('stays when the DSL keeps a table in it', () => {
    const made = withFormat(Stores.keyValue('s').withLoggingDisabled().withCachingEnabled(), 'timestamped')
    expect(made).toMatchObject({ format: 'timestamped', logging: false, caching: true })
  })

  it('is said by Materialized, and left as it is where that says nothing', () => {
    const settingsOf = (materialized: Materialized<any, any>, builder = Stores.keyValue('s')) => {
      const { logging, caching, topicConfig } = withStoreSettings(builder, materialized.options)
      return [logging, caching, topicConfig]
    }
    expect(settingsOf(Materialized.as('s'))).toEqual([true, false, {}])
    expect(settingsOf(Materialized.as('s'), Stores.keyValue('s').withLoggingDisabled())).toEqual([false, false, {}])
    expect(settingsOf(Materialized.as('s').withLoggingDisabled().withCachingEnabled())).toEqual([false, true, {}])
    const enabled = Materialized.as('s').withLoggingEnabled({ a: 'b' }).withCachingDisabled()
    expect(settingsOf(enabled, Stores.keyValue('s').withLoggingDisabled().withCachingEnabled())).toEqual([
      true,
      false,
      { a: 'b' },
    ])
  })
})
