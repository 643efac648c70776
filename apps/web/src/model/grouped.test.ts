import { branchOf, checkDocument, type DocumentNode, incompleteness, joinInputs } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { edgeFacts } from '../canvas/flowModel.js'
import { metaOf } from '../canvas/nodeMeta.js'
import { copyNodes, pasteClip } from './clipboard.js'
import {
  addBranch,
  branchNameProblem,
  moveBranch,
  removeBranch,
  renameBranch,
  setDefaultBranch,
} from './commands/branches.js'
import { connectNodes, editWithStarters } from './commands/connectNodes.js'
import { editEdge, reconnect, splice } from './commands/edges.js'
import { addNode, removeNodes, setProperties } from './commands/nodes.js'
import { renameFile } from './commands/renameFile.js'
import { connectRefusal } from './connectRules.js'
import { aDocument, aSink, aSource, aWorkspace } from './fixtures.js'
import { typesOf } from './flowTypes.js'
import { modulesOf, type PaletteKind, toneOf } from './nodeKinds.js'
import { leastMs, nodeById, storesOf } from './queries.js'
import { searchNodes } from './search.js'
import type { Workspace } from './Workspace.js'

const at = { x: 0, y: 0 }
const start = () => aWorkspace(aDocument([aSource('orders'), aSource('refunds'), aSink('out'), aSink('rest')]))
const added = (workspace: Workspace, kind: PaletteKind, parent?: string) => addNode(workspace, kind, at, parent)
const nodeOf = (workspace: Workspace, id: string) => nodeById(workspace.document, id) as DocumentNode
const fileOf = (workspace: Workspace, name: string) => workspace.files[`${name}.ts`] ?? ''
const branches = (workspace: Workspace) => {
  const node = nodeOf(workspace, 'branch')
  return node.kind === 'branch' ? node.properties.branches.map(({ name }) => name) : []
}
const takenBy = (workspace: Workspace) =>
  Object.fromEntries(workspace.document.edges.map(({ to, branch }) => [to, branch]).filter(([, branch]) => branch))

describe('a branch node', () => {
  const split = () => added(start(), 'branch', 'orders').workspace

  it('comes with a branch, a default and a function typed by what reaches it', () => {
    const workspace = split()
    expect(nodeOf(workspace, 'branch').properties).toEqual({
      branches: [{ name: 'matches', code: { module: './branch', export: 'matches' } }],
      defaultBranch: 'rest',
    })
    expect(fileOf(workspace, 'branch')).toContain(
      'export function matches(_key: string | null, value: Event | null) {\n  return value != null\n}',
    )
    expect(metaOf(nodeOf(workspace, 'branch'))).toBe('branch · 2')
  })

  it('gives its edges one branch after the other, and says on each which', () => {
    let workspace = connectNodes(connectNodes(split(), 'branch', 'out'), 'branch', 'rest')
    expect(takenBy(workspace)).toEqual({ out: 'matches', rest: 'rest' })
    workspace = added(workspace, 'peek', 'branch').workspace
    expect(takenBy(workspace).peek).toBe('rest')
    const facts = edgeFacts({
      document: workspace.document,
      analysis: null,
      finding: undefined,
      proof: undefined,
      found: null,
    })
    expect(facts.map(({ branch }) => branch)).toEqual([undefined, 'matches', 'rest', 'rest'])
    expect(checkDocument(JSON.parse(JSON.stringify(workspace.document))).ok).toBe(true)
    expect(incompleteness(workspace.document)).toEqual([])
  })

  it('gets a branch more with a function beside the others, in a file that is written in, too', () => {
    const more = (workspace: Workspace) =>
      editWithStarters(workspace, 'branch', (document) => addBranch(document, 'branch'))
    const untouched = more(split())
    expect(branches(untouched)).toEqual(['matches', 'branch-2'])
    expect(fileOf(untouched, 'branch').match(/export function \w+/g)).toEqual([
      'export function matches',
      'export function branch2',
    ])
    const mine = 'export const matches = () => true\n'
    const touched = more({ ...split(), files: { 'branch.ts': mine } })
    expect(fileOf(touched, 'branch')).toBe(
      `import type { Event } from './model.js'\n\n${mine}\n/** Whether a record goes into the branch branch-2. */\n` +
        'export function branch2(_key: string | null, value: Event | null) {\n  return value != null\n}\n',
    )
    const imported = `import type { Event } from './model.js'\n${mine}`
    expect(fileOf(more({ ...split(), files: { 'branch.ts': imported } }), 'branch').match(/import/g)).toHaveLength(1)
  })

  it('leaves a file alone when a function is called otherwise', () => {
    const mine = { ...split(), files: { 'branch.ts': 'mine' } }
    const node = nodeOf(mine, 'branch')
    if (node.kind !== 'branch') throw new Error('no branch')
    const renamed = node.properties.branches.map((one) => ({ ...one, code: { ...one.code, export: 'isLarge' } }))
    const edited = editWithStarters(mine, 'branch', (document) =>
      setProperties(document, 'branch', 'branch', { branches: renamed }),
    )
    expect(fileOf(edited, 'branch')).toBe('mine')
  })

  it('takes its edges along when a branch is renamed, removed or moved', () => {
    let workspace = connectNodes(connectNodes(split(), 'branch', 'out'), 'branch', 'rest')
    const edit = (change: (document: Workspace['document']) => Workspace['document']) => {
      workspace = { ...workspace, document: change(workspace.document) }
    }
    edit((document) => renameBranch(document, 'branch', 0, 'large'))
    expect(takenBy(workspace)).toEqual({ out: 'large', rest: 'rest' })
    edit((document) => setDefaultBranch(document, 'branch', 'others'))
    expect(takenBy(workspace)).toEqual({ out: 'large', rest: 'others' })
    edit((document) => addBranch(document, 'branch'))
    edit((document) => moveBranch(document, 'branch', 1, 0))
    expect(branches(workspace)).toEqual(['branch-2', 'large'])
    edit((document) => removeBranch(document, 'branch', 1))
    expect(takenBy(workspace)).toEqual({ out: 'others', rest: 'others' })
    edit((document) => setDefaultBranch(document, 'branch', undefined))
    expect(takenBy(workspace)).toEqual({ out: 'branch-2', rest: 'branch-2' })
    edit((document) => removeBranch(document, 'branch', 0))
    expect(takenBy(workspace)).toEqual({})
    expect(checkDocument(JSON.parse(JSON.stringify(workspace.document))).ok).toBe(true)
  })

  it('gives the edges of a branch that is removed to the next one', () => {
    let { document } = connectNodes(split(), 'branch', 'out')
    document = addBranch(addBranch(document, 'branch'), 'branch')
    expect(removeBranch(document, 'branch', 0).edges.at(-1)?.branch).toBe('branch-2')
  })

  it('has each branch called by a name of its own', () => {
    const node = nodeOf(split(), 'branch')
    if (node.kind !== 'branch') throw new Error('no branch')
    expect(branchNameProblem(node, 0, 'matches')).toBeUndefined()
    expect(branchNameProblem(node, 0, 'rest')).toBe('Another branch is called rest.')
    expect(branchNameProblem(node, 1, 'matches')).toBe('Another branch is called matches.')
    expect(branchNameProblem(node, 1, 'a b')).toMatch(/cannot be in a name/)
  })

  it('keeps the branch of an edge that ends elsewhere, is put something into, or loses what it led to', () => {
    const drawn = connectNodes(connectNodes(split(), 'branch', 'out'), 'branch', 'rest')
    const edge = drawn.document.edges.find(({ to }) => to === 'rest')?.id ?? ''
    const peek = added(drawn, 'peek')
    expect(
      takenBy({ ...peek.workspace, document: reconnect(peek.workspace.document, edge, 'branch', 'peek') }),
    ).toEqual({
      out: 'matches',
      peek: 'rest',
    })
    const spliced = splice(peek.workspace.document, edge, 'peek')
    if (!('document' in spliced)) throw new Error('refused')
    expect(takenBy({ ...drawn, document: spliced.document })).toEqual({ out: 'matches', peek: 'rest' })
    expect(takenBy({ ...drawn, document: removeNodes(spliced.document, ['peek']) })).toEqual({
      out: 'matches',
      rest: 'rest',
    })
  })
})

describe('a reduce and an aggregate', () => {
  it('come with functions of the types that reach them, and one of what they make', () => {
    const reduced = added(start(), 'reduce', 'orders').workspace
    expect(fileOf(reduced, 'reduce')).toContain(
      'export function reducer(_aggregate: Event, value: Event) {\n  return value\n}',
    )
    const { workspace } = added(start(), 'aggregate', 'orders')
    expect(fileOf(workspace, 'aggregate')).toContain('export function initializer(): number {\n  return 0\n}')
    expect(fileOf(workspace, 'aggregate')).toContain(
      'export function aggregator(_key: string, _value: Event, aggregate: number): number {\n  return aggregate + 1\n}',
    )
    expect(fileOf(workspace, 'aggregate')).not.toContain('merger')
    expect(typesOf(workspace.document, 'aggregate')).toEqual({ key: 'string', value: 'number' })
    expect(typesOf(reduced.document, 'reduce')).toEqual({ key: 'string', value: 'Event' })
  })

  it('pass what they do not know the type of', () => {
    const map = added(start(), 'map-values', 'orders')
    const { workspace } = added(map.workspace, 'reduce', map.id)
    expect(fileOf(workspace, 'reduce')).toContain(
      'export function reducer<V>(_aggregate: V, value: V) {\n  return value\n}',
    )
  })

  it('take nulls in windows, where the topic may have them, and a merger for sessions', () => {
    const windows = { kind: 'session', gapMs: 60_000, graceMs: 1_000 } as const
    const merger = { module: './aggregate', export: 'merger' }
    const { workspace } = added(start(), 'aggregate', 'orders')
    const total = editWithStarters(workspace, 'aggregate', (document) =>
      setProperties(document, 'aggregate', 'aggregate', {
        windows,
        merger,
        aggregateSerde: { kind: 'json', type: 'Total' },
      }),
    )
    const text = fileOf(total, 'aggregate')
    expect(text).toContain("import type { Event, Total } from './model.js'")
    expect(text).toContain('export function initializer(): Total {\n  return {} as Total\n}')
    expect(text).toContain('export function aggregator(_key: string, _value: Event | null, aggregate: Total): Total {')
    expect(text).toContain(
      'export function merger(_key: string, _one: Total, other: Total): Total {\n  return other\n}',
    )
    expect(metaOf(nodeOf(total, 'aggregate'))).toBe('aggregate, 1 min')
    expect(toneOf(nodeOf(total, 'aggregate'))).toBe('segment')
    expect(toneOf(nodeOf(workspace, 'aggregate'))).toBeUndefined()
    expect(storesOf(total.document, nodeOf(total, 'aggregate'))).toMatchObject([
      { kind: 'window', retentionMs: 61_000 },
    ])
    const { workspace: reduce } = added(start(), 'reduce', 'orders')
    const inWindows = editWithStarters(reduce, 'reduce', (document) =>
      setProperties(document, 'reduce', 'reduce', { windows, emit: 'window-close' }),
    )
    expect(fileOf(inWindows, 'reduce')).toContain(
      'export function reducer(aggregate: Event, value: Event | null) {\n  return value ?? aggregate\n}',
    )
    expect(metaOf(nodeOf(inWindows, 'reduce'))).toBe('on close, 1 min')
  })

  it('keep windows as long as these need', () => {
    expect(leastMs({ kind: 'time', sizeMs: 10, graceMs: 1 })).toBe(11)
    expect(leastMs({ kind: 'session', gapMs: 10, graceMs: 1 })).toBe(11)
    expect(leastMs({ kind: 'sliding', differenceMs: 10, graceMs: 1 })).toBe(21)
  })
})

describe('a cogroup', () => {
  const two = () => connectNodes(added(start(), 'cogroup', 'orders').workspace, 'refunds', 'cogroup')

  it('gets a function for each stream, in its own file', () => {
    const workspace = two()
    expect(workspace.document.edges.map(({ aggregator }) => aggregator)).toEqual([
      { module: './cogroup', export: 'addOrders' },
      { module: './cogroup', export: 'addRefunds' },
    ])
    expect(fileOf(workspace, 'cogroup').match(/export function \w+/g)).toEqual([
      'export function initializer',
      'export function addOrders',
      'export function addRefunds',
    ])
    expect(incompleteness(workspace.document).filter(({ nodeId }) => nodeId === 'cogroup')).toEqual([])
    expect(connectRefusal(workspace.document, 'orders', 'cogroup')).toMatch(/already/)
  })

  it('adds values that are there, with windows or without', () => {
    const inWindows = editWithStarters(two(), 'cogroup', (document) =>
      setProperties(document, 'cogroup', 'cogroup', { windows: { kind: 'time', sizeMs: 5, graceMs: 0 } }),
    )
    expect(fileOf(inWindows, 'cogroup')).toContain('addOrders(_key: string, _value: Event, aggregate: number): number')
    expect(fileOf(inWindows, 'cogroup')).toContain('What the first record of a key and window is added to.')
  })

  it('keeps what is written in its file when a stream comes to it', () => {
    const one = added(start(), 'cogroup', 'orders').workspace
    const mine = { ...one, files: { ...one.files, 'cogroup.ts': 'mine' } }
    expect(fileOf(connectNodes(mine, 'refunds', 'cogroup'), 'cogroup')).toMatch(
      /^import [\s\S]*\nmine\n[\s\S]*addRefunds/,
    )
  })

  it('is copied with the functions on its edges, which no other stream’s takes the name of', () => {
    const workspace = two()
    const clip = copyNodes(workspace, ['orders', 'refunds', 'cogroup'])
    expect(Object.keys(clip.files)).toEqual(['cogroup.ts'])
    const pasted = pasteClip(workspace, clip, at).workspace.document.edges.slice(2)
    expect(pasted.map(({ aggregator }) => aggregator?.export)).toEqual(['addOrders', 'addRefunds'])
    const renamed = editEdge(workspace.document, workspace.document.edges[0]?.id ?? '', {
      aggregator: { module: './cogroup', export: 'addOut' },
    })
    const { edges } = connectNodes({ ...workspace, document: renamed }, added(workspace, 'peek').id, 'cogroup').document
    expect(edges).toHaveLength(2)
  })

  it('is found by the code on its edges, and renamed with its file', () => {
    const workspace = two()
    const elsewhere = editEdge(workspace.document, workspace.document.edges[1]?.id ?? '', {
      aggregator: { module: './refunds', export: 'subtract' },
    })
    const files = { ...workspace.files, 'refunds.ts': 'const secret = 1' }
    const moved = { ...workspace, document: elsewhere, files }
    expect(modulesOf(elsewhere, nodeOf(moved, 'cogroup'))).toEqual(['./cogroup', './refunds'])
    expect(searchNodes(moved, 'secret').map(({ id }) => id)).toEqual(['cogroup'])
    const { document } = renameFile(moved, 'refunds.ts', 'back.ts')
    expect(document.edges[1]?.aggregator?.module).toBe('./back')
  })
})

describe('joins by another key', () => {
  it('by a foreign key: two tables, and a function that finds the key of the right one', () => {
    const left = added(start(), 'table')
    const right = added(left.workspace, 'table')
    const join = added(right.workspace, 'foreign-join', left.id)
    const workspace = connectNodes(join.workspace, right.id, join.id)
    expect(incompleteness(workspace.document).filter(({ nodeId }) => nodeId === join.id)).toEqual([])
    expect(fileOf(workspace, 'foreign-join')).toContain(
      'export function foreignKey(_value: Event): string | null {\n  return null\n}',
    )
    expect(fileOf(workspace, 'foreign-join')).toContain('export function foreignJoin(left: Event, right: Event) {')
    expect(metaOf(nodeOf(workspace, join.id))).toBe('foreign-key join')
  })

  it('with a global table: the table on the right, whichever comes first, and its key by the record’s', () => {
    const global = added(start(), 'global-table')
    const join = added(global.workspace, 'global-join', global.id)
    const workspace = connectNodes(join.workspace, 'orders', join.id)
    const { left, right } = joinInputs(workspace.document, join.id)
    expect([left?.from, right?.from]).toEqual(['orders', global.id])
    expect(fileOf(workspace, 'look-up')).toContain(
      'export function tableKey(key: string | null, _value: Event): string | null {\n  return key\n}',
    )
    expect(metaOf(nodeOf(workspace, global.id))).toBe('no topic yet')
    const facts = edgeFacts({
      document: workspace.document,
      analysis: null,
      finding: undefined,
      proof: undefined,
      found: null,
    })
    expect(facts.map(({ side }) => side)).toEqual([undefined, undefined])
  })

  it('a global table feeds nothing else', () => {
    const global = added(start(), 'global-table')
    expect(connectRefusal(global.workspace.document, global.id, 'out')).toMatch(/only a global table join/)
    const lookUp = added(global.workspace, 'lookup-join')
    expect(connectRefusal(lookUp.workspace.document, global.id, lookUp.id)).toMatch(/only a global table join/)
    const join = added(global.workspace, 'global-join')
    expect(connectRefusal(join.workspace.document, global.id, join.id)).toBeUndefined()
  })

  it('a copy of a global table is one', () => {
    const global = added(start(), 'global-table').workspace
    const { workspace, ids } = pasteClip(global, copyNodes(global, ['global-table']), at)
    expect(nodeOf(workspace, ids[0] ?? '').properties).toMatchObject({
      table: { global: true, storeName: 'global-table-store-2' },
    })
  })
})

describe('functions of keys and values', () => {
  it('say the pairs that they give', () => {
    const map = added(start(), 'map', 'orders')
    expect(fileOf(map.workspace, 'map-both')).toContain(
      'export function mapBoth(key: string | null, value: Event | null): [string | null, Event | null] {\n  return [key, value]\n}',
    )
    const flat = added(start(), 'flat-map', 'orders')
    expect(fileOf(flat.workspace, 'flat-map-both')).toContain(
      ': [string | null, Event | null][] {\n  return [[key, value]]\n}',
    )
    const not = added(start(), 'filter-not', 'orders')
    expect(fileOf(not.workspace, 'filter-not')).toContain('return value == null')
    expect(typesOf(map.workspace.document, map.id)).toEqual({ key: 'unknown', value: 'unknown' })
    expect(typesOf(not.workspace.document, not.id).value).toBe('Event | null')
  })

  it('are told a key that is there behind a repartition, or in a table', () => {
    const behind = (kind: PaletteKind) => {
      const { workspace, id } = added(start(), kind, 'orders')
      return typesOf(workspace.document, id)
    }
    expect(behind('repartition')).toEqual({ key: 'string', value: 'Event | null' })
    expect(behind('to-table')).toEqual({ key: 'string', value: 'Event | null' })
  })
})

describe('wires', () => {
  it('into what takes one stream are refused when it has one', () => {
    const of = (kind: PaletteKind) => {
      const { workspace, id } = added(start(), kind, 'orders')
      return connectRefusal(workspace.document, 'refunds', id)
    }
    expect(of('branch')).toMatch(/merge them first/)
    expect(of('repartition')).toMatch(/merge them first/)
    expect(of('to-table')).toMatch(/merge them first/)
    expect(of('reduce')).toMatch(/merge or cogroup/)
    expect(of('aggregate')).toMatch(/merge or cogroup/)
    expect(of('cogroup')).toBeUndefined()
  })

  it('out of a branch node that says nothing go by the order of its branches', () => {
    const { workspace } = added(start(), 'branch', 'orders')
    const edges = ['out', 'rest'].map((to) => ({ id: to, from: 'branch', to }))
    const document = { ...workspace.document, edges: [...workspace.document.edges, ...edges] }
    const node = nodeOf(workspace, 'branch')
    if (node.kind !== 'branch') throw new Error('no branch')
    expect(edges.map((edge) => branchOf(node, edge, document))).toEqual(['matches', 'rest'])
  })
})
