import { checkDocument, type DocumentNode, incompleteness, joinInputs } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { metaOf } from '../canvas/nodeMeta.js'
import { copyNodes, pasteClip } from './clipboard.js'
import { connectNodes } from './commands/connectNodes.js'
import { connect, reconnect, swapSides } from './commands/edges.js'
import { insertNode } from './commands/insert.js'
import { addNode } from './commands/nodes.js'
import { connectRefusal } from './connectRules.js'
import { aCount, aDocument, aSink, aSource, aWorkspace } from './fixtures.js'
import { typesOf } from './flowTypes.js'
import { functionName, joinCode, transformCode } from './functionCode.js'
import { storeNameProblem } from './names.js'
import { NODE_KINDS, type PaletteKind, paletteKindOf } from './nodeKinds.js'
import { nodeById, storesOf } from './queries.js'
import type { Workspace } from './Workspace.js'

const at = { x: 0, y: 0 }
const two = () => aWorkspace(aDocument([aSource('orders'), aSource('payments'), aSink('out')]))

function added(workspace: Workspace, kind: PaletteKind, parent?: string) {
  return addNode(workspace, kind, at, parent)
}
const filesOf = (workspace: Workspace) => Object.keys(workspace.files).filter((path) => path !== 'model.ts')
const nodeOf = (workspace: Workspace, id: string) => nodeById(workspace.document, id) as DocumentNode

describe('a new node of each kind', () => {
  it.each(NODE_KINDS.map(({ kind }) => kind))('%s: can be written, and is what the palette calls it', (kind) => {
    const { workspace, id } = added(two(), kind)
    expect(checkDocument(JSON.parse(JSON.stringify(workspace.document))).ok).toBe(true)
    expect(paletteKindOf(nodeOf(workspace, id))).toBe(kind)
    expect(metaOf(nodeOf(workspace, id))).not.toBe('')
  })

  it('keeps a store of a name of its own', () => {
    const first = added(two(), 'count')
    const second = added(first.workspace, 'windowed-count')
    const third = added(second.workspace, 'table')
    const names = third.workspace.document.nodes.flatMap((node) => storesOf(third.workspace.document, node))
    expect(names.map(({ name }) => name)).toEqual(['count-store', 'count-2-store', 'table-store'])
    expect(storeNameProblem(third.workspace.document, second.id, 'table-store')).toMatch(/Another store/)
    expect(storeNameProblem(third.workspace.document, third.id, 'table-store')).toBeUndefined()
  })

  it('says how long its windows are kept, and nothing where there are none', () => {
    const kept = (kind: PaletteKind) => {
      const { workspace, id } = added(two(), kind)
      return storesOf(workspace.document, nodeOf(workspace, id)).map((store) => [store.kind, store.retentionMs])
    }
    expect(kept('count')).toEqual([['key-value', undefined]])
    expect(kept('session-count')).toEqual([['window', 1_860_000]])
    expect(kept('sliding-count')).toEqual([['window', 660_000]])
    expect(kept('stream-join')).toEqual([['window', 660_000]])
    expect(kept('lookup-join')).toEqual([])
    expect(kept('windowed-count')).toEqual([['window', 3_660_000]])
    expect(kept('suppress')).toEqual([])
  })
})

describe('a function', () => {
  it('comes with a file, of the types that reach it', () => {
    const { workspace, id } = added(two(), 'filter', 'orders')
    expect(nodeOf(workspace, id)).toMatchObject({ properties: { op: 'filter', code: { module: './filter' } } })
    expect(workspace.files['filter.ts']).toBe(
      "import type { Event } from './model.js'\n\n/** Whether a record passes. */\n" +
        'export function filter(_key: string | null, value: Event | null) {\n  return value != null\n}\n',
    )
  })

  it('is typed anew when an edge reaches it, and left alone once somebody has written in it', () => {
    const { workspace, id } = added(two(), 'map-values')
    expect(workspace.files['map.ts']).toContain('value: unknown')
    const joined = connectNodes(workspace, 'orders', id)
    expect(joined.files['map.ts']).toContain('value: Event | null')
    const mine = { ...workspace, files: { ...workspace.files, 'map.ts': 'mine' } }
    expect(connectNodes(mine, 'orders', id).files['map.ts']).toBe('mine')
  })

  it('is typed by what it is put between', () => {
    const start = aWorkspace(aDocument([aSource('orders'), aSink('out', 400, 0)], ['orders>out']))
    const { workspace } = insertNode(start, 'peek', { to: 'edge', edge: 'orders>out' })
    expect(workspace.files['peek.ts']).toContain('key: string | null, value: Event | null')
  })

  it('has a name that the language takes', () => {
    expect([functionName('by-shop'), functionName('filter'), functionName('2nd'), functionName('new')]).toEqual([
      'byShop',
      'filter',
      'run2nd',
      'runNew',
    ])
  })

  it('returns at first what lets a record pass', () => {
    const types = { key: 'string', value: 'Event' }
    const body = (op: Parameters<typeof transformCode>[1]) => transformCode('f', op, types).split('\n').at(-3)?.trim()
    expect(body('filter')).toBe('return value != null')
    expect(body('map-values')).toBe('return value')
    expect(body('flat-map-values')).toBe('return [value]')
    expect(body('select-key')).toBe('return key')
    expect(body('peek')).toBe('console.info(key, value)')
  })
})

describe('what comes out of a node', () => {
  it('follows keys and values as far as the drawing says them', () => {
    let workspace = two()
    const chain = (kind: PaletteKind, parent: string) => {
      const next = added(workspace, kind, parent)
      workspace = next.workspace
      return next.id
    }
    const filter = chain('filter', 'orders')
    const count = chain('count', filter)
    const rekey = chain('select-key', filter)
    const types = (id: string) => typesOf(workspace.document, id)
    expect(types('orders')).toEqual({ key: 'string | null', value: 'Event | null' })
    expect(types(filter)).toEqual({ key: 'string | null', value: 'Event | null' })
    expect(types(count)).toEqual({ key: 'string', value: 'number' })
    expect(types(rekey)).toEqual({ key: 'unknown', value: 'Event | null' })
  })
})

describe('a join', () => {
  it('takes its left side first, and types both in its code', () => {
    const { workspace, id } = added(two(), 'stream-join', 'orders')
    const joined = connectNodes(workspace, 'payments', id)
    const { left, right } = joinInputs(joined.document, id)
    expect([left?.from, right?.from]).toEqual(['orders', 'payments'])
    expect(joined.document.edges.map(({ side }) => side)).toEqual(['left', 'right'])
    expect(joined.files['join.ts']).toContain('export function join(left: Event, right: Event)')
    expect(incompleteness(joined.document).filter(({ nodeId }) => nodeId === id)).toEqual([])
    expect(connectRefusal(joined.document, 'orders', id)).toMatch(/already/)
    const third = { ...joined.document, nodes: [...joined.document.nodes, aSource('more')] }
    expect(connectRefusal(third, 'more', id)).toMatch(/has both/)
  })

  it('of a stream with a table puts the table on the right, whichever comes first', () => {
    const table = added(two(), 'table')
    const join = added(table.workspace, 'lookup-join', table.id)
    const { document } = connectNodes(join.workspace, 'orders', join.id)
    const { left, right } = joinInputs(document, join.id)
    expect([left?.from, right?.from]).toEqual(['orders', table.id])
  })

  it('keeps a side when its edge begins elsewhere, and lets both change places', () => {
    const { workspace, id } = added(two(), 'stream-join', 'orders')
    let { document } = connectNodes(workspace, 'payments', id)
    document = { ...document, nodes: [...document.nodes, aSource('more')] }
    const left = joinInputs(document, id).left?.id ?? ''
    const moved = reconnect(document, left, 'more', id)
    expect(joinInputs(moved, id).left?.from).toBe('more')
    const swapped = joinInputs(swapSides(document, id), id)
    expect([swapped.left?.from, swapped.right?.from]).toEqual(['payments', 'orders'])
  })

  it('says in its code which side may be null', () => {
    const event = { key: 'string', value: 'Event | null' }
    const head = (how: 'inner' | 'left' | 'outer') => joinCode('f', how, event, event).split('\n')[3]
    expect(head('inner')).toBe('export function f(left: Event, right: Event) {')
    expect(head('left')).toBe('export function f(left: Event, right: Event | null) {')
    expect(head('outer')).toBe('export function f(left: Event | null, right: Event | null) {')
  })

  it('is copied with its code, its sides and a store of its own', () => {
    const made = added(two(), 'stream-join', 'orders')
    const joined = connectNodes(made.workspace, 'payments', made.id)
    const swapped = { ...joined, document: swapSides(joined.document, made.id) }
    const clip = copyNodes(swapped, ['orders', 'payments', made.id])
    expect(Object.keys(clip.files)).toEqual(['join.ts'])
    const { workspace, ids } = pasteClip(swapped, clip, at)
    const copy = ids[2] as string
    expect(joinInputs(workspace.document, copy).left?.from).toBe(ids[1])
    const names = workspace.document.nodes.flatMap((node) => storesOf(workspace.document, node))
    expect(new Set(names.map(({ name }) => name)).size).toBe(2)
    expect(filesOf(workspace)).toEqual(['join.ts'])
  })
})

describe('wires', () => {
  it('are refused where a node has all that it takes', () => {
    const workspace = aWorkspace(aDocument([aSource('a'), aSource('b'), aCount('w')], ['a>w']))
    const suppress = added(workspace, 'suppress', 'w')
    const filter = added(suppress.workspace, 'filter', 'a')
    const { document } = filter.workspace
    expect(connectRefusal(document, 'b', 'w')).toMatch(/counts one stream/)
    expect(connectRefusal(document, 'b', suppress.id)).toMatch(/holds back one table/)
    expect(connectRefusal(document, 'b', filter.id)).toMatch(/merge them first/)
    const merge = added(filter.workspace, 'merge', 'a')
    expect(connectRefusal(merge.workspace.document, 'b', merge.id)).toBeUndefined()
    expect(connect(document, 'b', 'w')).toBe(document)
  })
})
