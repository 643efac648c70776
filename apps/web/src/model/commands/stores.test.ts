import { describe, expect, it } from 'vitest'
import { aDocument, aProcessor } from '../fixtures.js'
import { addStore, attachStore, detachStore, editStore } from './stores.js'

const document = aDocument([aProcessor('a'), aProcessor('b')])
const storesOf = (of: typeof document, id: string) => {
  const node = of.nodes.find((one) => one.id === id)
  return node?.kind === 'processor' ? node.properties.stores : []
}

describe('stores', () => {
  it('are made for a processor, a window store with its times', () => {
    const { document: next, id } = addStore(document, 'a', 'window')
    expect(storesOf(next, 'a')).toEqual([id])
    expect(next.stores[0]).toMatchObject({
      kind: 'window',
      name: 'a-store',
      retentionMs: 3_600_000,
      windowSizeMs: 300_000,
    })
    expect(addStore(document, 'a', 'key-value').document.stores[0]).not.toHaveProperty('retentionMs')
  })

  it('get names that are free', () => {
    const once = addStore(document, 'a', 'key-value').document
    expect(addStore(once, 'a', 'key-value').document.stores.map((store) => store.name)).toEqual([
      'a-store',
      'a-store-2',
    ])
  })

  it('are shared, and removed when the last lets go', () => {
    const { document: one, id } = addStore(document, 'a', 'key-value')
    const both = attachStore(one, 'b', id)
    expect(attachStore(both, 'b', id)).toBe(both)
    const left = detachStore(both, 'a', id)
    expect([storesOf(left, 'a'), left.stores.length]).toEqual([[], 1])
    expect(detachStore(left, 'b', id).stores).toEqual([])
    expect(detachStore(left, 'a', id)).toBe(left)
  })

  it('are edited, and lose what is set to undefined', () => {
    const { document: one, id } = addStore(document, 'a', 'window')
    const next = editStore(one, id, { name: 'seen', retentionMs: undefined })
    expect(next.stores[0]).toMatchObject({ name: 'seen', windowSizeMs: 300_000 })
    expect(next.stores[0]).not.toHaveProperty('retentionMs')
    expect(editStore(one, 'gone', { name: 'x' })).toBe(one)
  })
})
