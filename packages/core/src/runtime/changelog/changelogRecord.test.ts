import { describe, expect, it } from 'vitest'
import { EpochLayer } from '../../state/epoch/EpochLayer.js'
import { NO_VALUE } from '../../state/epoch/PackedChanges.js'
import { PackedOutputs } from '../epoch/PackedOutputs.js'
import { addAsStored, isAsStored, toChangelog } from './changelogRecord.js'
import type { LoggedStore } from './loggedStores.js'

const bytes = (...values: number[]) => Uint8Array.from(values)

describe('Records of a changelog', () => {
  it.each([1, 7])('[E6] are the same by the object and where they lie, in %d partitions', (partitions) => {
    const store = { owner: 's', topic: 'changes', partitions } as LoggedStore
    const layer = new EpochLayer(1)
    for (let i = 0; i < 50; i++)
      layer.add(i, bytes(i, 1), i % 5 === 0 ? undefined : bytes(...Array(i).fill(i)), NO_VALUE)
    layer.add(50, bytes(), bytes(), NO_VALUE)
    const outputs = new PackedOutputs()
    addAsStored(outputs, store, layer, 5)
    expect([...outputs]).toEqual([...layer].map((entry) => toChangelog(store, 's', entry, 5)))
    expect(new Set([...outputs].map(({ partition }) => partition)).size).toBe(partitions)
  })

  it('are not as stored where the key says of which part they are, or has a form of its own', () => {
    const form = { keyOf: () => null, rowsOf: () => ({ part: '', rows: [] }) }
    expect(isAsStored({} as LoggedStore, '')).toBe(true)
    expect(isAsStored({} as LoggedStore, '/1')).toBe(false)
    expect(isAsStored({ form } as unknown as LoggedStore, '')).toBe(false)
  })
})
