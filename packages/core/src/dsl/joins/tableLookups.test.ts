import { describe, expect, it } from 'vitest'
import { type AnyJoin, piping, type Strings, slash, text } from '../../../test/piping.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Joined } from '../Joined.js'
import { Materialized } from '../Materialized.js'
import { Named } from '../Named.js'
import { StreamsBuilder } from '../StreamsBuilder.js'

describe('a lookup in a table', () => {
  const looking = (kind: 'join' | 'leftJoin') =>
    piping((builder) => (builder.stream('in', text)[kind] as AnyJoin)(builder.table('t', text), slash))

  it('takes the row of now, and the time of the record', async () => {
    const { pipe } = looking('join')
    expect(await pipe('in k a 5')).toEqual([])
    await pipe('t k T 50')
    expect(await pipe('in k b 10')).toEqual(['k b/T 10'])
    await pipe('t k - 60')
    expect(await pipe('in k c 70')).toEqual([])
  })

  it('[G-48] of a left join comes out with null for no row and for no key', async () => {
    const { pipe, driver } = looking('leftJoin')
    expect(await pipe('in k a 5')).toEqual(['k a/null 5'])
    expect(await pipe('in - n 6')).toEqual(['- n/null 6'])
    expect(await pipe('in k - 7')).toEqual([])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="null_value"}': 1 })
  })

  it('drops what has no key, and counts it', async () => {
    const { pipe, driver } = looking('join')
    expect([await pipe('in - n 6'), await pipe('in k - 7')]).toEqual([[], []])
    expect(driver.counters).toMatchObject({
      'dropped_records_total{reason="null_key"}': 1,
      'dropped_records_total{reason="null_value"}': 1,
    })
  })

  it('[G3] drops what a mapper has left without a value, as it drops null', async () => {
    const { pipe, driver } = piping((builder) => {
      const mapped = (builder.stream('in', text) as Strings).mapValues((value) => (value === 'no' ? undefined : value))
      return (mapped.leftJoin as AnyJoin)(builder.table('t', text), slash)
    })
    expect([await pipe('in k no 5'), await pipe('in k a 6')]).toEqual([[], ['k a/null 6']])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="null_value"}': 1 })
  })

  it('waits only for a versioned table, and no longer than that remembers', () => {
    const build = (materialized: Materialized<any, any>, graceMs: number) => () => {
      const builder = new StreamsBuilder()
      const table = builder.table('t', text, materialized)
      builder.stream('in', text).join(table, slash, Joined.as<any, any, any>('J').withGracePeriod(graceMs))
      return builder.build()
    }
    const versioned = Materialized.as<any, any>(Stores.versionedKeyValue('v', { historyRetentionMs: 100 }))
    expect(build(versioned, 100)).not.toThrow()
    expect(build(versioned, 101)).toThrow('History retention must be at least grace period')
    expect(build(Materialized.as('plain'), 1)).toThrow('KTable must be versioned to use a grace period')
  })

  it("[B.8] joins as of the record's time once the clock is that far, in the order of the times", async () => {
    const { pipe } = piping((builder) => {
      const versioned = Materialized.as<string, string>(Stores.versionedKeyValue('v', { historyRetentionMs: 100 }))
      const table = builder.table('t', text, versioned)
      const stream: Strings = builder.stream('in', text)
      return stream.join(table, slash, Joined.with(string, string, string).withGracePeriod(10))
    })
    await pipe('t k v10 10')
    expect(await pipe('in k b 21')).toEqual([])
    expect(await pipe('in k a 20')).toEqual([])
    expect(await pipe('in z x 29')).toEqual([])
    await pipe('t k v20 20')
    expect(await pipe('in z x 30')).toEqual(['k a/v20 20'])
    expect(await pipe('in k now 19')).toEqual(['k now/v10 19'])
    expect(await pipe('in k due 20')).toEqual(['k due/v20 20'])
    expect(await pipe('in z x 31')).toEqual(['k b/v20 21'])
  })

  it('[W7] under a watermark waits until that has come to the record and the grace', async () => {
    const { pipe } = piping(
      (builder) => {
        const versioned = Materialized.as<string, string>(Stores.versionedKeyValue('v', { historyRetentionMs: 100 }))
        const table = builder.table('t', text, versioned)
        const stream: Strings = builder.stream('in', text)
        return stream.leftJoin(table, slash, Joined.with(string, string, string).withGracePeriod(10))
      },
      { 'time.mode': 'watermark', 'time.max-out-of-orderness-ms': 0 },
    )
    await pipe('t k v 1')
    expect(await pipe('in k a 20')).toEqual([])
    expect(await pipe('in k b 29')).toEqual([])
    expect(await pipe('in k c 30')).toEqual(['k a/v 20'])
  })

  it('goes by the chosen key in a global table, and tells both', async () => {
    const { pipe, driver } = piping((builder) => {
      const table = builder.globalTable('g', text)
      const stream: Strings = builder.stream('in', text)
      const chosen = (_key: unknown, value: string) => (value === 'none' ? null : value)
      return stream.leftJoin(
        table,
        chosen,
        (left, right, key, tableKey) => `${key}:${tableKey}:${left}/${right}`,
        Named.as('G'),
      )
    })
    await pipe('g a A 1')
    expect(await pipe('in k a 2')).toEqual(['k k:a:a/A 2'])
    expect(await pipe('in - a 2')).toEqual(['- null:a:a/A 2'])
    expect(await pipe('in k b 3')).toEqual(['k k:b:b/null 3'])
    expect(await pipe('in k none 4')).toEqual(['k k:null:none/null 4'])
    expect(await pipe('in k - 5')).toEqual([])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="null_value"}': 1 })
  })

  it('in a global table drops what has no key to look up, unless it is a left join', async () => {
    const { pipe, driver } = piping((builder) => {
      const table = builder.globalTable('g', text)
      return (builder.stream('in', text) as Strings).join(table, () => null, slash)
    })
    expect(await pipe('in k a 2')).toEqual([])
    expect(driver.counters).toMatchObject({ 'dropped_records_total{reason="null_key"}': 1 })
  })
})
