import { describe, expect, it } from 'vitest'
import { documentOf, nodeOf, operatorsDocument, processor, sink, source, windowedCount } from '../../test/documents.js'
import { checkStructure } from './checkStructure.js'
import { incompleteness } from './incompleteness.js'
import { formOf, joinInputs, keyWindowOf, needsDsl, ownStoreOf } from './nodeForms.js'
import { checkDocument } from './parseDocument.js'
import type { DocumentNode, JoinNode, TopologyDocument } from './TopologyDocument.js'

const join = (properties: Partial<JoinNode['properties']> = {}) =>
  nodeOf('join', 'j', { of: 'stream-table', how: 'inner', code: { module: './fn', export: 'f' }, ...properties })
const table = (name: string) => source(name, { table: { storeName: `${name}-store` } })
const missing = (document: TopologyDocument) => incompleteness(document).map(({ node, field }) => `${node}.${field}`)
const messages = (document: TopologyDocument) => incompleteness(document).map(({ message }) => message)

describe('the operators of a drawing', () => {
  it('are read as they are written, and complete', () => {
    const document = operatorsDocument()
    expect(checkDocument(JSON.parse(JSON.stringify(document)))).toEqual({ ok: true, document })
    expect(incompleteness(document)).toEqual([])
  })

  it('need the DSL, tables among them; sources, processors and sinks alone do not', () => {
    expect(needsDsl(documentOf([source('a'), processor('p'), sink('x')], []))).toBe(false)
    expect(needsDsl(documentOf([source('a'), nodeOf('merge', 'm', {})], []))).toBe(true)
    expect(needsDsl(documentOf([table('a')], []))).toBe(true)
  })

  it('give streams, tables, or tables with windows in their keys', () => {
    const document = operatorsDocument()
    const forms = Object.fromEntries(document.nodes.map((node) => [node.id, formOf(document, node)]))
    expect(forms).toMatchObject({
      orders: 'stream',
      users: 'table',
      'by-shop': 'stream',
      paid: 'stream',
      'with-user': 'stream',
      limited: 'table',
      'per-shop': 'table',
      calm: 'table',
      visits: 'windowed-table',
      'final-only': 'windowed-table',
    })
  })

  it('carry the window of their keys through all that leaves keys alone', () => {
    const peek = nodeOf('transform', 'see', { op: 'peek', code: { module: './fn', export: 'f' } })
    const rekey = nodeOf('transform', 're', { op: 'select-key', code: { module: './fn', export: 'f' } })
    const document = documentOf(
      [source('a'), windowedCount('w'), peek, rekey, processor('p')],
      ['a > w > see > re', 'see > p'],
    )
    const windowOf = (id: string) =>
      keyWindowOf(document, document.nodes.find((node) => node.id === id) as DocumentNode)
    expect(windowOf('w')).toEqual({ kind: 'time', sizeMs: 86_400_000 })
    expect(windowOf('see')).toEqual({ kind: 'time', sizeMs: 86_400_000 })
    expect(windowOf('re')).toBeUndefined()
    expect(windowOf('p')).toBeUndefined()
    const operators = operatorsDocument()
    const final = operators.nodes.find(({ id }) => id === 'final-only') as DocumentNode
    expect(keyWindowOf(operators, final)).toEqual({ kind: 'session' })
  })

  it('keep stores of their own, whose names are taken once', () => {
    const two = documentOf(
      [table('a'), windowedCount('w', { storeName: 'a-store' }), join({ storeName: 'a-store' })],
      [],
    )
    expect(two.nodes.map(ownStoreOf)).toEqual(['a-store', 'a-store', 'a-store'])
    expect(checkStructure(two).map(({ path }) => path)).toEqual([
      'nodes[1].properties.storeName',
      'nodes[2].properties.storeName',
    ])
  })
})

describe('the sides of a join', () => {
  const edges = (...sides: ('left' | 'right' | undefined)[]) =>
    sides.map((side, at) => ({ id: `e${at}`, from: `n${at}`, to: 'j', ...(side && { side }) }))

  it('are what the edges say; others take what is free, the left first', () => {
    const ends = (...sides: ('left' | 'right' | undefined)[]) => {
      const { left, right } = joinInputs({ edges: edges(...sides) }, 'j')
      return [left?.from, right?.from]
    }
    expect(ends(undefined, undefined)).toEqual(['n0', 'n1'])
    expect(ends('right', undefined)).toEqual(['n1', 'n0'])
    expect(ends(undefined, 'left')).toEqual(['n1', 'n0'])
    expect(ends('right')).toEqual([undefined, 'n0'])
    expect(ends()).toEqual([undefined, undefined])
  })

  it('are taken once, and by joins alone', () => {
    const document = documentOf([source('a'), source('b'), join(), sink('x')], [])
    const withEdges = (...list: TopologyDocument['edges']) => checkStructure({ ...document, edges: list })
    expect(
      withEdges({ id: 'e1', from: 'a', to: 'j', side: 'left' }, { id: 'e2', from: 'b', to: 'j', side: 'left' }),
    ).toMatchObject([{ path: 'edges[1].side', message: expect.stringContaining('left side of "j" is taken') }])
    expect(
      withEdges({ id: 'e1', from: 'a', to: 'j', side: 'left' }, { id: 'e2', from: 'b', to: 'j', side: 'right' }),
    ).toEqual([])
    expect(withEdges({ id: 'e1', from: 'a', to: 'x', side: 'left' })).toMatchObject([{ path: 'edges[0].side' }])
  })
})

describe('what operators still need', () => {
  it('a join: both sides, of the form that it takes, and no third', () => {
    const nodes = [source('a'), source('b'), table('t'), windowedCount('w'), join(), sink('x')]
    expect(messages(documentOf([source('a'), join()], ['a > j']))).toEqual([
      'Nothing leads into the right side of "j" yet: draw an edge to it.',
    ])
    expect(messages(documentOf([join()], []))).toEqual([
      'Nothing leads into "j" yet: draw an edge to each of its two sides.',
    ])
    expect(missing(documentOf(nodes, ['a > j > x', 't > j', 'a > w']))).toEqual([])
    expect(messages(documentOf(nodes, ['a > j > x', 'b > j', 'a > w']))).toEqual([
      expect.stringMatching(/right side of "j" is a table, and "b" gives a stream/),
    ])
    expect(messages(documentOf(nodes, ['a > j > x', 'a > w > j']))).toEqual([
      expect.stringMatching(/keys of "w" have windows/),
    ])
    expect(messages(documentOf(nodes, ['a > j > x', 't > j', 'b > j', 'a > w']))).toEqual([
      expect.stringMatching(/joins two inputs, and 3 lead/),
    ])
  })

  it('a join of tables: two tables; a join of streams takes rows of a table as records', () => {
    const tables = join({ of: 'table-table' })
    expect(missing(documentOf([table('t'), table('u'), tables], ['t > j', 'u > j']))).toEqual([])
    expect(missing(documentOf([source('a'), table('u'), tables], ['a > j', 'u > j']))).toEqual(['j.edges'])
    expect(missing(documentOf([source('a'), table('u'), join({ of: 'stream-stream' })], ['a > j', 'u > j']))).toEqual(
      [],
    )
  })

  it('a look-up in a table has no outer join', () => {
    const outer = documentOf([source('a'), table('t'), join({ how: 'outer' })], ['a > j', 't > j'])
    expect(missing(outer)).toEqual(['j.how'])
    expect(missing(documentOf([join({ how: 'outer' })], []))).toEqual(['j.edges', 'j.how'])
  })

  it('a suppress: one table, with windows where it waits for them', () => {
    const final = nodeOf('suppress', 's', { until: 'window-closes' })
    const calm = nodeOf('suppress', 's', { until: 'time-limit', waitMs: 0 })
    const count = nodeOf('count', 'c', { storeName: 'c-store' })
    expect(missing(documentOf([source('a'), windowedCount('w'), final], ['a > w > s']))).toEqual([])
    expect(missing(documentOf([source('a'), count, final], ['a > c > s']))).toEqual(['s.until'])
    expect(missing(documentOf([source('a'), count, calm], ['a > c > s']))).toEqual([])
    expect(missing(documentOf([source('a'), calm], ['a > s']))).toEqual(['s.edges'])
    expect(missing(documentOf([calm], []))).toEqual(['s.edges'])
    expect(missing(documentOf([source('a'), count, windowedCount('w'), calm], ['a > c > s', 'a > w > s']))).toEqual([
      's.edges',
    ])
  })

  it('a merge: two streams at least', () => {
    const merge = nodeOf('merge', 'm', {})
    expect(missing(documentOf([source('a'), merge], ['a > m']))).toEqual(['m.edges'])
    expect(missing(documentOf([source('a'), source('b'), merge], ['a > m', 'b > m']))).toEqual([])
  })

  it('windows that start no further apart than they are long', () => {
    const hopping = (advanceMs: number) =>
      documentOf([source('a'), windowedCount('w', { sizeMs: 1000, advanceMs })], ['a > w'])
    expect(missing(hopping(1000))).toEqual([])
    expect(missing(hopping(1001))).toEqual(['w.advanceMs'])
  })

  it('a table: one topic', () => {
    expect(missing(documentOf([source('a', { topics: ['x', 'y'], table: { storeName: 's' } })], []))).toEqual([
      'a.topics',
    ])
    expect(missing(documentOf([source('a', { topics: ['x', 'y'] })], []))).toEqual([])
  })
})
