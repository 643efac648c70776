import { describe, expect, it } from 'vitest'
import { copyNodes, parseClip, pasteClip } from './clipboard.js'
import { aCount, aDocument, aProcessor, aSource, aWorkspace, edgesOf } from './fixtures.js'

const workspace = aWorkspace(
  {
    ...aDocument(
      [aSource('in'), aProcessor('a', 0, 0, ['s']), aProcessor('b', 0, 0, ['s']), aCount('n')],
      ['in>a', 'a>b', 'in>n'],
    ),
    stores: [
      {
        id: 's',
        name: 's',
        kind: 'key-value',
        key: { kind: 'built-in', name: 'string' },
        value: { kind: 'json', type: 'X' },
      },
    ],
    samples: { in: { keys: ['6b'] } },
  },
  { 'a.ts': 'A', 'b.ts': 'B', 'model.ts': 'M' },
)
const by = { x: 24, y: 24 }

describe('copy and paste', () => {
  it('copies what belongs to the nodes, and only edges between them', () => {
    const clip = copyNodes(workspace, ['a', 'b'])
    expect(clip.edges.map((edge) => edge.id)).toEqual(['a-b'])
    expect(clip.files).toEqual({ 'a.ts': 'A', 'b.ts': 'B' })
    expect(clip.stores.map((store) => store.id)).toEqual(['s'])
    expect(clip.samples).toEqual({})
  })

  it('pastes under free ids and names, beside the original, with a shared store still shared', () => {
    const { workspace: next, ids } = pasteClip(workspace, copyNodes(workspace, ['a', 'b']), by)
    expect(ids).toEqual(['a-2', 'b-2'])
    expect(edgesOf(next.document)).toContain('a-2>b-2')
    expect(next.document.nodes.find((node) => node.id === 'a-2')?.position).toEqual(by)
    const stores = next.document.nodes.flatMap((node) =>
      ids.includes(node.id) && node.kind === 'processor' ? node.properties.stores : [],
    )
    expect(stores).toEqual(['s-2', 's-2'])
    expect(next.document.stores.map((store) => store.name)).toEqual(['s', 's-2'])
  })

  it('brings samples and code along into another project, whose own files win', () => {
    const clip = copyNodes(workspace, ['in', 'a'])
    const { workspace: next } = pasteClip(aWorkspace(aDocument([]), { 'a.ts': 'mine' }), clip, by)
    expect(next.document.samples).toEqual({ in: { keys: ['6b'] } })
    expect(next.files).toEqual({ 'a.ts': 'mine' })
    expect(edgesOf(next.document)).toEqual(['in>a'])
  })

  it('gives a pasted count a store of its own', () => {
    const { workspace: next } = pasteClip(workspace, copyNodes(workspace, ['n']), by)
    const names = next.document.nodes.flatMap((node) =>
      node.kind === 'windowed-count' ? [node.properties.storeName] : [],
    )
    expect(names).toEqual(['n-store', 'n-store-2'])
  })

  it('reads its own text and no other', () => {
    const clip = copyNodes(workspace, ['a'])
    expect(parseClip(JSON.stringify(clip))).toEqual(clip)
    expect(parseClip('{"lanescope":"clip"')).toBeUndefined()
    expect(parseClip('{"lanescope":"clip","nodes":[]}')).toBeUndefined()
    expect(parseClip('hello')).toBeUndefined()
  })
})
