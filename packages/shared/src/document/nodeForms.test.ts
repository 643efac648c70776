import { describe, expect, it } from 'vitest'
import { documentOf, nodeOf, operatorsDocument, processor, sink, source, windowedCount } from '../../test/documents.js'
import { groupedDocument } from '../../test/groupedDocument.js'
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

  it('that group, split and look up are read as they are written, too, and complete', () => {
    const document = groupedDocument()
    expect(checkDocument(JSON.parse(JSON.stringify(document)))).toEqual({ ok: true, document })
    expect(incompleteness(document)).toEqual([])
    const forms = Object.fromEntries(document.nodes.map((node) => [node.id, formOf(document, node)]))
    expect(forms).toMatchObject({
      countries: 'global-table',
      'by-size': 'stream',
      'to-shops': 'stream',
      rows: 'table',
      newest: 'table',
      totals: 'table',
      visits: 'windowed-table',
      balance: 'table',
      daily: 'windowed-table',
      'with-user': 'table',
      'with-country': 'stream',
    })
    const windowOf = (id: string) =>
      keyWindowOf(document, document.nodes.find((node) => node.id === id) as DocumentNode)
    expect(windowOf('visits')).toEqual({ kind: 'session' })
    expect(windowOf('daily')).toEqual({ kind: 'time', sizeMs: 86_400_000 })
    expect(windowOf('totals')).toBeUndefined()
    expect(windowOf('by-shop')).toBeUndefined()
  })

  it('that split and repartition leave the windows of keys alone', () => {
    const code = { module: './fn', export: 'f' }
    const split = nodeOf('branch', 's', { branches: [{ name: 'a', code }] })
    const sliding = nodeOf('reduce', 'r', {
      storeName: 'r-store',
      code,
      windows: { kind: 'sliding', differenceMs: 5, graceMs: 0 },
    })
    const document = documentOf([source('a'), sliding, split, nodeOf('repartition', 'p', {})], ['a > r > s > p'])
    expect(keyWindowOf(document, document.nodes[3] as DocumentNode)).toEqual({ kind: 'time', sizeMs: 5 })
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

describe('what splits, groups and looks up by another key', () => {
  const code = { module: './fn', export: 'f' }
  const global = (name: string) => source(name, { table: { storeName: `${name}-store`, global: true } })
  const lookUp = (of: 'foreign-key' | 'stream-global', more: Partial<JoinNode['properties']> = {}) =>
    join({ of, selector: code, ...more })

  it('a branch node: one branch, and each of them a name of its own', () => {
    const split = (...names: string[]) =>
      nodeOf('branch', 's', { branches: names.map((name) => ({ name, code })), defaultBranch: 'rest' })
    expect(missing(documentOf([source('a'), split()], ['a > s']))).toEqual(['s.branches'])
    expect(missing(documentOf([source('a'), split('one')], ['a > s']))).toEqual([])
    const paths = (...names: string[]) => checkStructure(documentOf([split(...names)], [])).map(({ path }) => path)
    expect(paths('one', 'two')).toEqual([])
    expect(paths('one', 'two', 'one')).toEqual(['nodes[0].properties.branches[2].name'])
    expect(paths('rest')).toEqual(['nodes[0].properties.defaultBranch'])
  })

  it('an edge takes a branch that is there, and of nothing but a branch node', () => {
    const split = nodeOf('branch', 's', { branches: [{ name: 'one', code }] })
    const withBranch = (from: string, branch: string) =>
      checkStructure({
        ...documentOf([source('a'), split, sink('x')], []),
        edges: [{ id: 'e', from, to: 'x', branch }],
      })
    expect(withBranch('s', 'one')).toEqual([])
    expect(withBranch('s', 'two')).toEqual([
      { path: 'edges[0].branch', message: 'The edge "e" takes the branch "two" of "s", and it has one.' },
    ])
    expect(withBranch('a', 'one')).toMatchObject([{ message: expect.stringContaining('"a" has none to take') }])
  })

  it('a cogroup: a function for each stream, which stands on no other edge', () => {
    const cogroup = nodeOf('cogroup', 'g', { storeName: 'g-store', initializer: code })
    const drawn = documentOf([source('a'), source('b'), cogroup, sink('x')], ['a > g > x', 'b > g'])
    expect(messages(drawn)).toEqual([
      expect.stringContaining('records of "a" are added'),
      expect.stringContaining('records of "b" are added'),
    ])
    const added = drawn.edges.map((edge) => ({ ...edge, aggregator: code }))
    expect(missing({ ...drawn, edges: added.filter(({ to }) => to === 'g') })).toEqual(['x.edges'])
    expect(checkStructure({ ...drawn, edges: added }).map(({ path }) => path)).toEqual(['edges[1].aggregator'])
    const valued = drawn.edges.map((edge) => ({ ...edge, value: { kind: 'built-in', name: 'long' } as const }))
    expect(checkStructure({ ...drawn, edges: valued }).map(({ path }) => path)).toEqual(['edges[1].value'])
  })

  it('code on an edge is no more the generator’s own than any other', () => {
    const cogroup = nodeOf('cogroup', 'g', { storeName: 'g-store', initializer: code })
    const drawn = documentOf([source('a'), cogroup], ['a > g'])
    const edges = drawn.edges.map((edge) => ({ ...edge, aggregator: { module: './topology', export: 'f' } }))
    expect(checkStructure({ ...drawn, edges }).map(({ path }) => path)).toEqual(['edges[0].aggregator.module'])
  })

  it('an aggregate: one stream, a merger for sessions, and windows to emit at the close of', () => {
    const aggregate = (more: object) =>
      nodeOf('aggregate', 'g', { storeName: 'g-store', initializer: code, code, ...more })
    const needs = (more: object) => missing(documentOf([source('a'), aggregate(more)], ['a > g']))
    const session = { kind: 'session', gapMs: 5, graceMs: 0 } as const
    const time = (advanceMs: number) => ({ kind: 'time', sizeMs: 5, graceMs: 0, advanceMs }) as const
    expect(needs({})).toEqual([])
    expect(needs({ emit: 'window-close' })).toEqual(['g.emit'])
    expect(needs({ emit: 'window-close', windows: time(5) })).toEqual([])
    expect(needs({ windows: time(6) })).toEqual(['g.advanceMs'])
    expect(needs({ windows: session })).toEqual(['g.merger'])
    expect(needs({ windows: session, merger: code })).toEqual([])
    expect(messages(documentOf([source('a'), source('b'), aggregate({})], ['a > g', 'b > g']))).toEqual([
      expect.stringContaining('aggregates one stream, and 2 lead into it'),
    ])
  })

  it('a join by foreign key: two tables, what finds the key, and no outer', () => {
    const of = (more: Partial<JoinNode['properties']> = {}) => {
      const { selector, ...properties } = lookUp('foreign-key', more).properties
      const node = nodeOf('join', 'j', 'selector' in more ? properties : { ...properties, selector: code })
      return missing(documentOf([table('t'), table('u'), node], ['t > j', 'u > j']))
    }
    expect(of()).toEqual([])
    expect(of({ selector: code, how: 'left' })).toEqual(['j.selector'])
    expect(of({ how: 'outer' })).toEqual(['j.how'])
    expect(missing(documentOf([source('a'), table('u'), lookUp('foreign-key')], ['a > j', 'u > j']))).toEqual([
      'j.edges',
    ])
  })

  it('a global table: read by a join of a stream alone', () => {
    const needs = (nodes: readonly DocumentNode[], ...chains: string[]) => missing(documentOf(nodes, chains))
    expect(needs([source('a'), global('g'), lookUp('stream-global')], 'a > j', 'g > j')).toEqual([])
    expect(needs([global('g')])).toEqual([])
    expect(needs([global('g'), sink('x')], 'g > x')).toEqual(['x.edges'])
    expect(needs([source('a'), global('g'), nodeOf('merge', 'm', {})], 'a > m', 'g > m')).toEqual(['m.edges'])
    expect(needs([source('a'), global('g'), join()], 'a > j', 'g > j')).toEqual(['j.edges'])
    expect(needs([source('a'), global('g'), join({ of: 'stream-stream' })], 'a > j', 'g > j')).toEqual(['j.edges'])
    expect(needs([source('a'), table('t'), lookUp('stream-global')], 'a > j', 't > j')).toEqual(['j.edges'])
    expect(needs([table('t'), global('g'), lookUp('stream-global')], 't > j', 'g > j')).toEqual([])
    expect(needs([source('a'), global('g'), lookUp('stream-global', { how: 'outer' })], 'a > j', 'g > j')).toEqual([
      'j.how',
    ])
    expect(needs([source('a'), global('g'), join({ of: 'stream-global' })], 'a > j', 'g > j')).toEqual(['j.selector'])
  })
})
