import { describe, expect, it } from 'vitest'
import { aCount, aDocument, aProcessor, aSink, aSource, aWorkspace, edgesOf } from '../fixtures.js'
import { addNode, moveNodes, removeNodes, renameNode, setNote, setProperties } from './nodes.js'

const store = {
  id: 's',
  name: 's',
  kind: 'key-value' as const,
  key: { kind: 'built-in' as const, name: 'string' as const },
  value: { kind: 'json' as const, type: 'X' },
}

describe('addNode', () => {
  it('gives ids and names that are free', () => {
    const first = addNode(aWorkspace(aDocument([])), 'source', { x: 1.4, y: 2.6 })
    const second = addNode(first.workspace, 'source', { x: 0, y: 0 })
    expect([first.id, second.id]).toEqual(['source', 'source-2'])
    expect(second.workspace.document.nodes.map((node) => node.name)).toEqual(['source', 'source-2'])
    expect(first.workspace.document.nodes[0]?.position).toEqual({ x: 1, y: 3 })
  })

  it('writes a file for a processor, of the types that reach it', () => {
    const { workspace, id } = addNode(aWorkspace(aDocument([aSource('in')])), 'timer-processor', { x: 0, y: 0 }, 'in')
    const node = workspace.document.nodes.find((one) => one.id === id)
    expect(node).toMatchObject({
      properties: { code: { module: './timers', export: 'Timers' }, timers: ['event-time'] },
    })
    expect(workspace.files['timers.ts']).toContain('implements Processor<string, Event, string, Event>')
    expect(workspace.files['timers.ts']).toContain("import type { Event } from './model.js'")
    expect(workspace.files['timers.ts']).toContain('onTimer(')
    expect(edgesOf(workspace.document)).toEqual(['in>timers'])
  })

  it('writes a processor without timers where none are asked for', () => {
    const { workspace } = addNode(aWorkspace(aDocument([])), 'processor', { x: 0, y: 0 })
    expect(workspace.files['processor.ts']).not.toContain('onTimer')
    expect(workspace.document.nodes[0]).toMatchObject({ properties: { timers: [] } })
  })

  it('never takes the name of a file that is there or that the generator writes', () => {
    const taken = aWorkspace(aDocument([]), { 'processor.ts': 'mine' })
    const { workspace } = addNode(taken, 'processor', { x: 0, y: 0 })
    expect(workspace.files['processor.ts']).toBe('mine')
    expect(workspace.files['processor-2.ts']).toBeDefined()
  })

  it('gives a count a store of its own', () => {
    const { workspace } = addNode(
      aWorkspace({ ...aDocument([]), stores: [{ ...store, name: 'count-store' }] }),
      'windowed-count',
      { x: 0, y: 0 },
    )
    expect(workspace.document.nodes[0]).toMatchObject({ properties: { storeName: 'count-store-2' } })
  })
})

describe('removeNodes', () => {
  const document = {
    ...aDocument(
      [aSource('in'), aProcessor('a', 0, 0, ['s']), aProcessor('b'), aSink('out')],
      ['in>a', 'a>b', 'b>out'],
    ),
    stores: [store],
    samples: { in: { keys: ['00'] }, a: { keys: ['01'] } },
    suppressions: [
      { rule: 'r', node: 'a', reason: 'x' },
      { rule: 'r', node: 'b', reason: 'y' },
    ],
  }

  it('joins what stood before and after a step', () => {
    expect(edgesOf(removeNodes(document, ['a']))).toEqual(['b>out', 'in>b'])
  })

  it('joins nothing where a whole run is taken out', () => {
    expect(edgesOf(removeNodes(document, ['a', 'b']))).toEqual([])
  })

  it('joins nothing over a node with two ways out', () => {
    const forked = aDocument([aSource('in'), aProcessor('a'), aSink('x'), aSink('y')], ['in>a', 'a>x', 'a>y'])
    expect(edgesOf(removeNodes(forked, ['a']))).toEqual([])
  })

  it('takes along its samples, suppressions and stores', () => {
    const next = removeNodes(document, ['a'])
    expect(next.stores).toEqual([])
    expect(Object.keys(next.samples)).toEqual(['in'])
    expect(next.suppressions.map((one) => one.node)).toEqual(['b'])
  })

  it('leaves a store that another node shares, and one that nobody had', () => {
    const shared = { ...document, nodes: [...document.nodes, aProcessor('c', 0, 0, ['s'])] }
    expect(removeNodes(shared, ['a']).stores).toHaveLength(1)
    const loose = { ...aDocument([aSink('out')]), stores: [store] }
    expect(removeNodes(loose, ['out']).stores).toHaveLength(1)
  })

  it('changes nothing for ids that are not there', () => {
    expect(removeNodes(document, ['nobody'])).toBe(document)
  })
})

describe('edits of one node', () => {
  const document = aDocument([aSource('in'), aCount('n')])

  it('renames, and changes nothing when the name is the same', () => {
    expect(renameNode(document, 'in', 'clicks').nodes[0]?.name).toBe('clicks')
    expect(renameNode(document, 'in', 'in')).toBe(document)
    expect(renameNode(document, 'gone', 'x')).toBe(document)
  })

  it('moves to whole pixels, and changes nothing when the place is the same', () => {
    expect(moveNodes(document, new Map([['n', { x: 10.4, y: -0.6 }]])).nodes[1]?.position).toEqual({ x: 10, y: -1 })
    expect(moveNodes(document, new Map([['n', { x: 0.2, y: 0 }]]))).toBe(document)
    expect(moveNodes(document, new Map())).toBe(document)
  })

  it('sets properties of the kind that is meant, and takes away the undefined ones', () => {
    const bounded = setProperties(document, 'in', 'source', { maxAheadMs: 5 })
    expect(bounded.nodes[0]?.properties).toMatchObject({ maxAheadMs: 5, topics: ['in'] })
    expect(setProperties(bounded, 'in', 'source', { maxAheadMs: undefined }).nodes[0]?.properties).not.toHaveProperty(
      'maxAheadMs',
    )
    expect(setProperties(document, 'n', 'source', { maxAheadMs: 5 })).toBe(document)
  })

  it('keeps a note until it is empty', () => {
    const noted = setNote(document, 'in', 'careful')
    expect(noted.nodes[0]?.note).toBe('careful')
    expect(setNote(noted, 'in', '').nodes[0]).not.toHaveProperty('note')
  })
})
