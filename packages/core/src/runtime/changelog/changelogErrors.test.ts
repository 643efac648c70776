import { describe, expect, it } from 'vitest'
import { checkChangelog } from './changelogErrors.js'
import type { LoggedStore } from './loggedStores.js'

const store = { owner: 'counts', topic: 'app-counts-changelog' } as LoggedStore
const bounds = [
  { start: 0, end: 5 },
  { start: 2, end: 12 },
]
const saved = { from: [0, 2], ends: [5, 12], id: 'cluster/a', format: 'key-value' }
const check = (changed: object = {}, id: string | undefined = 'cluster/a') =>
  checkChangelog(store, bounds, id === undefined ? {} : { id }, { ...saved, ...changed })

describe('checkChangelog', () => {
  it('[E11] takes a changelog that is what the last epoch wrote to, or more', () => {
    expect(() => check()).not.toThrow()
    expect(() => check({ ends: [4, 3] })).not.toThrow()
    expect(() => checkChangelog(store, bounds, { id: 'cluster/b' }, undefined)).not.toThrow()
  })

  it('[E11] refuses one with other partitions, naming both numbers', () => {
    expect(() => check({ from: [0] })).toThrow(/had 1 partitions when the last epoch ended, and has 2 now/)
  })

  it('[E13] refuses one that was made anew, because what was kept is gone from it', () => {
    expect(() => check({ id: 'cluster/b' })).toThrow(
      expect.objectContaining({
        code: 'STATE_MISMATCH',
        retriable: false,
        context: { store: 'counts', topic: 'app-counts-changelog' },
        message: expect.stringMatching(
          /made anew since the last epoch \(it was topic cluster\/b, and is cluster\/a now\)/,
        ),
      }),
    )
  })

  it('[E13] asks no id where the log has none, or had none then', () => {
    expect(() => check({}, undefined)).not.toThrow()
    const { id, ...without } = saved
    expect(() => checkChangelog(store, bounds, { id }, without)).not.toThrow()
  })

  it('[E13] refuses one that ends before what the last epoch wrote, telling by how much', () => {
    expect(() => check({ ends: [5, 13] })).toThrow(
      /has lost 1 records or more: partition 1 reached 13 when the last epoch ended, and ends at 12 now/,
    )
    expect(() => check({ ends: [6, 12] })).toThrow(/partition 0 reached 6/)
  })
})
