import { describe, expect, it } from 'vitest'
import { aDocument, aSink, aSource, aWorkspace, edgesOf } from '../fixtures.js'
import { NODE_KINDS } from '../nodeKinds.js'
import { type AddGoal, insertNode, kindsFor } from './insert.js'

const workspace = aWorkspace(aDocument([aSource('in', 0, 0), aSink('out', 200, 0)], ['in>out']))

describe('kindsFor', () => {
  it('offers what fits the place', () => {
    const kinds = (goal: AddGoal) => kindsFor(goal, workspace.document).map((one) => one.kind)
    const all = NODE_KINDS.map(({ kind }) => kind)
    expect(kinds({ to: 'free' })).toEqual(all)
    const sources = ['source', 'table', 'global-table']
    expect(kinds({ to: 'after', node: 'in' })).toEqual(all.filter((kind) => !sources.includes(kind)))
    expect(kinds({ to: 'before', node: 'out' })).toEqual(
      all.filter((kind) => kind !== 'sink' && kind !== 'global-table'),
    )
    const within = all.filter((kind) => ![...sources, 'sink'].includes(kind))
    expect(kinds({ to: 'edge', edge: 'in-out' })).toEqual(within)
  })

  it('offers a global table and its joins to each other alone', () => {
    const global = insertNode(workspace, 'global-table', { to: 'free' })
    const join = insertNode(global.workspace, 'global-join', { to: 'free' })
    const { document } = join.workspace
    const kinds = (goal: AddGoal) => kindsFor(goal, document).map((one) => one.kind)
    expect(kinds({ to: 'after', node: global.id })).toEqual(['global-join'])
    expect(kinds({ to: 'before', node: join.id })).toContain('global-table')
    expect(kinds({ to: 'before', node: 'out' })).not.toContain('global-table')
  })
})

describe('insertNode', () => {
  it('follows a node', () => {
    expect(edgesOf(insertNode(workspace, 'processor', { to: 'after', node: 'in' }).workspace.document)).toEqual([
      'in>out',
      'in>processor',
    ])
  })

  it('goes before a node', () => {
    expect(edgesOf(insertNode(workspace, 'source', { to: 'before', node: 'out' }).workspace.document)).toEqual([
      'in>out',
      'source>out',
    ])
  })

  it('goes into an edge and moves what follows out of its way', () => {
    const { workspace: next, id } = insertNode(workspace, 'processor', { to: 'edge', edge: 'in-out' })
    expect(edgesOf(next.document)).toEqual(['in>processor', 'processor>out'])
    const x = Object.fromEntries(next.document.nodes.map((node) => [node.id, node.position.x]))
    expect(x[id]).toBeGreaterThan(120)
    expect((x.out ?? 0) - (x[id] ?? 0)).toBeGreaterThan(120)
  })

  it('moves nothing where there is room', () => {
    const roomy = aWorkspace(aDocument([aSource('in', 0, 0), aSink('out', 600, 0)], ['in>out']))
    const { workspace: next } = insertNode(roomy, 'processor', { to: 'edge', edge: 'in-out' })
    expect(next.document.nodes.find((node) => node.id === 'out')?.position.x).toBe(600)
  })

  it('stands where it is put', () => {
    const { workspace: next, id } = insertNode(workspace, 'sink', { to: 'free', position: { x: 7, y: 9 } })
    expect(next.document.nodes.find((node) => node.id === id)?.position).toEqual({ x: 7, y: 9 })
    expect(edgesOf(next.document)).toEqual(['in>out'])
  })
})
