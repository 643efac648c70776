import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment, record } from '../../../test/RecordingStoreEnvironment.js'
import { string } from '../../serde/string.js'
import { Stores } from './Stores.js'

const settings = { retentionMs: 120_000, windowSizeMs: 1000 }

/** An environment over the byte stores of another, as a new incarnation gets it. */
function restarted(before: RecordingStoreEnvironment, restoredObserved?: number) {
  const environment = new RecordingStoreEnvironment(string, string)
  return {
    environment,
    given: {
      ...environment,
      byteStores: before.byteStores,
      ...(restoredObserved === undefined ? {} : { restoredObserved }),
    },
  }
}

function filled() {
  const environment = new RecordingStoreEnvironment(string, string)
  const instance = Stores.window<string, string>('s', settings).build(environment)
  for (const start of [0, 60_000, 179_999]) instance.open(accessFor(record(0, start))).put('k', `v${start}`, start)
  return environment
}

describe('a window store after a restart', () => {
  it('[E7] finds its segments and windows again', () => {
    const { given } = restarted(filled(), 179_999)
    const instance = Stores.window<string, string>('s', settings).build(given)
    expect(instance.reader.fetch('k', 60_000)).toBe('v60000')
    expect(instance.inspect().windowed?.segments.map(({ segment, entries }) => [segment, entries])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ])
  })

  it('[W6] goes on from its observed time: what was hidden and refused stays so', () => {
    const { environment, given } = restarted(filled(), 300_000)
    const instance = Stores.window<string, string>('s', settings).build(given)
    expect(instance.inspect().windowed?.observed).toBe(300_000)
    expect(instance.reader.fetch('k', 179_999)).toBeUndefined()
    instance.open(accessFor()).put('k', 'late', 179_999)
    expect(environment.counted).toEqual(['dropped expired_segment'])
  })

  it('[S8] deletes what is left of segments that are dead by the restored time, and only those', () => {
    const before = filled()
    const { given } = restarted(before, 180_000)
    Stores.window<string, string>('s', settings).build(given)
    expect(before.byteStores.names('s/')).toEqual(['s/120000', 's/60000'])
  })

  it('takes no segments of a store whose name begins with its own', () => {
    const before = filled()
    const { given } = restarted(before)
    const other = Stores.window<string, string>('s.0', settings).build(given)

    expect(other.inspect().entries).toBe(0)
  })
})
