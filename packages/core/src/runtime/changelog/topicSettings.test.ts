import { describe, expect, it } from 'vitest'
import { Stores } from '../../index.js'
import { string } from '../../serde/string.js'
import { changelogSettings } from './topicSettings.js'

const versioned = (historyRetentionMs: number) => Stores.versionedKeyValue('s', { historyRetentionMs }, string, string)
const LAG = 'min.compaction.lag.ms'

describe('[E12] the settings of a versioned store’s changelog', () => {
  it('are those of Kafka Streams: compacted, and no version before its history and a day are over', () => {
    const { needed, initial } = changelogSettings(versioned(100_000))
    expect([needed['cleanup.policy'], needed[LAG], initial]).toEqual(['compact', undefined, { [LAG]: '86500000' }])
  })

  it('wait without an end where no number holds the sum', () => {
    expect(changelogSettings(versioned(Number.MAX_SAFE_INTEGER)).initial[LAG]).toBe('9223372036854775807')
    expect(changelogSettings(versioned(Number.MAX_SAFE_INTEGER - 86_400_000)).initial[LAG]).toBe('9007199254740991')
  })

  it('give way to what the store was told', () => {
    const told = versioned(100_000).withLoggingEnabled({ [LAG]: '5' })
    expect(changelogSettings(told).initial[LAG]).toBe('5')
  })

  it('are of no other store', () => {
    expect(changelogSettings(Stores.keyValue('s', string, string)).initial).toEqual({})
    const window = Stores.window('s', { retentionMs: 10, windowSizeMs: 10 }, string, string)
    expect(changelogSettings(window).initial[LAG]).toBeUndefined()
  })
})
