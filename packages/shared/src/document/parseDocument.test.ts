import { describe, expect, it } from 'vitest'
import { checkStructure, findCycle } from './checkStructure.js'
import { emptyDocument } from './emptyDocument.js'
import { parseDocument } from './parseDocument.js'
import type { DocumentEdge, DocumentNode, TopologyDocument } from './TopologyDocument.js'
import { writeDocument } from './writeDocument.js'

const position = { x: 0, y: 0 }

function source(id: string, name = id): DocumentNode {
  const properties = {
    topics: ['in'],
    keyType: 'string',
    valueType: 'Event',
    key: { form: 'default' as const },
    value: { form: 'default' as const },
  }
  return { id, name, kind: 'source', position, properties }
}

function processor(id: string, stores: string[] = []): DocumentNode {
  const properties = { code: { module: `./${id}`, export: 'Step' }, timers: [], stores }
  return { id, name: id, kind: 'processor', position, properties }
}

function sink(id: string): DocumentNode {
  return { id, name: id, kind: 'sink', position, properties: { topic: 'out' } }
}

function edge(from: string, to: string): DocumentEdge {
  return { id: `${from}-${to}`, from, to }
}

function documentOf(nodes: DocumentNode[], edges: DocumentEdge[], more: Partial<TopologyDocument> = {}) {
  return { ...emptyDocument('test'), nodes, edges, ...more }
}

function problemsOf(json: unknown) {
  const parsed = parseDocument(typeof json === 'string' ? json : JSON.stringify(json))
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`)
}

describe('parseDocument', () => {
  it('reads what writeDocument writes', () => {
    const document = documentOf([source('a'), processor('b'), sink('c')], [edge('a', 'b'), edge('b', 'c')])
    expect(parseDocument(writeDocument(document))).toEqual({ ok: true, document })
  })

  it('reads an empty drawing, a source without topics and a sink without a topic', () => {
    expect(problemsOf(emptyDocument('new'))).toEqual([])
    const unfinished = documentOf([source('a'), sink('b')], [])
    const [first, second] = unfinished.nodes
    if (first?.kind === 'source') first.properties.topics = []
    if (second?.kind === 'sink') second.properties.topic = ''
    expect(problemsOf(unfinished)).toEqual([])
  })

  it('reads a file that starts with a byte order mark', () => {
    expect(problemsOf(`\ufeff${JSON.stringify(emptyDocument('new'))}`)).toEqual([])
  })

  it('names line and column where the text is not JSON', () => {
    expect(problemsOf('{\n  "formatVersion": 1,\n  "name": oops\n}')).toEqual([
      'line 3, column 11: This is not JSON: "o" is not expected here.',
    ])
  })

  it.each([[[]], [null], [3], ['"text"']])('refuses %j: a document is an object', (json) => {
    expect(problemsOf(json)).toEqual([': A topology document is a JSON object.'])
  })

  it('refuses a document of a newer version, and says both versions', () => {
    const [problem, ...more] = problemsOf({ ...emptyDocument('x'), formatVersion: 2, novelty: true })
    expect(problem).toContain('written by a newer version of Lanescope (format 2; this one reads 1)')
    expect(more).toEqual([])
  })

  it.each([0, 1.5, '1', null])('refuses the version %j', (formatVersion) => {
    expect(problemsOf({ ...emptyDocument('x'), formatVersion })).toEqual([
      `formatVersion: formatVersion is ${JSON.stringify(formatVersion)}; it is a whole number from 1 on.`,
    ])
  })

  it('refuses a document without a version', () => {
    const { formatVersion: _, ...rest } = emptyDocument('x')
    expect(problemsOf(rest)[0]).toContain('formatVersion is missing')
  })

  it('names an unknown kind of node, and the known ones', () => {
    const document = documentOf([{ ...source('a'), kind: 'teleporter' } as never], [])
    expect(problemsOf(document)).toEqual([
      'nodes[0].kind: "teleporter" is no known kind of node; known are source, processor, transform, merge, branch, repartition, to-table, count, windowed-count, session-count, sliding-count, reduce, aggregate, cogroup, suppress, join, through, sink.',
    ])
  })

  it('names an unknown field, also one deep inside', () => {
    const node = processor('b')
    Object.assign(node.properties, { colour: 'red' })
    expect(problemsOf({ ...documentOf([node], []), extra: 1 })).toEqual([
      'nodes[0].properties.colour: "colour" is not a field that exists here.',
      'extra: "extra" is not a field that exists here.',
    ])
  })

  it('names a missing field', () => {
    const node = source('a') as unknown as { properties: { keyType?: string }; kind?: string }
    delete node.properties.keyType
    const { edges: _, ...rest } = documentOf([node as never], [])
    expect(problemsOf(rest)).toEqual([
      'nodes[0].properties.keyType: The field "keyType" is missing.',
      'edges: The field "edges" is missing.',
    ])
    delete node.kind
    expect(problemsOf(documentOf([node as never], []))).toEqual(['nodes[0].kind: The field "kind" is missing.'])
  })

  it('quotes a value of the wrong type or out of bounds', () => {
    const node = source('a')
    Object.assign(node.properties, { maxAheadMs: -1, numberOfLanes: 'many' })
    const [ahead, lanes] = problemsOf(documentOf([node], []))
    expect(ahead).toMatch(/^nodes\[0\]\.properties\.maxAheadMs: -1: .*0/)
    expect(lanes).toBe('nodes[0].properties.numberOfLanes: "many" is not a number.')
  })

  it('refuses a name that Kafka would refuse', () => {
    expect(problemsOf(documentOf([source('a', 'no spaces')], []))[0]).toMatch(
      /^nodes\[0\]\.name: "no spaces": a name is/,
    )
    expect(problemsOf(documentOf([source('a', '..')], []))[0]).toContain('a name is not "." or ".."')
  })

  it('refuses a module outside src', () => {
    const node = processor('b')
    if (node.kind === 'processor') node.properties.code.module = '../secret'
    expect(problemsOf(documentOf([node], []))[0]).toMatch(/^nodes\[0\]\.properties\.code\.module/)
  })
})

describe('the structure of a document', () => {
  it('refuses duplicate ids and names, each at the second place', () => {
    const document = documentOf([source('a'), sink('a'), { ...sink('c'), name: 'a' }], [])
    expect(problemsOf(document)).toEqual([
      'nodes[1].id: The id "a" is taken: nodes[0] has it too. Give one of them another.',
      'nodes[1].name: The node name "a" is taken: nodes[0] has it too. Give one of them another.',
      'nodes[2].name: The node name "a" is taken: nodes[0] has it too. Give one of them another.',
    ])
  })

  it('refuses an edge from or to nothing', () => {
    expect(problemsOf(documentOf([sink('c')], [edge('a', 'c'), edge('b', 'x')]))).toEqual([
      'edges[0].from: The edge "a-c" starts at "a", and there is no such node.',
      'edges[1].from: The edge "b-x" starts at "b", and there is no such node.',
      'edges[1].to: The edge "b-x" ends at "x", and there is no such node.',
    ])
  })

  it('refuses an edge into a source and out of a sink', () => {
    const [into, out, ...more] = problemsOf(documentOf([source('a'), sink('c')], [edge('c', 'a')]))
    expect(into).toContain('edges[0].to: The edge "c-a" leads into the source "a"')
    expect(out).toContain('edges[0].from: The edge "c-a" leads out of the sink "c"')
    expect(more).toEqual([])
  })

  it('refuses a second edge between the same nodes', () => {
    const document = documentOf([source('a'), sink('c')], [edge('a', 'c'), { ...edge('a', 'c'), id: 'again' }])
    expect(problemsOf(document)).toEqual([
      'edges[1]: The edge "again" joins the same two nodes as edges[0]. Remove one.',
    ])
  })

  it('names the nodes of a cycle in its order, and not those that lead into it', () => {
    const nodes = [source('a'), processor('b'), processor('c'), processor('d')]
    const document = documentOf(nodes, [edge('a', 'b'), edge('b', 'c'), edge('c', 'd'), edge('d', 'b')])
    expect(problemsOf(document)).toEqual([
      'edges: Records would run in a circle: "b" → "c" → "d" → "b". Remove one of these edges.',
    ])
  })

  it('names a node that leads to itself', () => {
    expect(problemsOf(documentOf([processor('b')], [edge('b', 'b')]))).toEqual([
      'edges: Records would run in a circle: "b" → "b". Remove one of these edges.',
    ])
  })

  it('takes two ways to one node for no cycle', () => {
    const nodes = [source('a'), processor('b'), processor('c'), sink('d')]
    expect(problemsOf(documentOf(nodes, [edge('a', 'b'), edge('a', 'c'), edge('b', 'd'), edge('c', 'd')]))).toEqual([])
  })

  it('looks for cycles in a chain of 20,000 nodes', () => {
    const nodes = Array.from({ length: 20_000 }, (_, i) => processor(`n${i}`))
    const edges = nodes.slice(1).map((_, i) => edge(`n${i}`, `n${i + 1}`))
    expect(checkStructure(documentOf(nodes, edges))).toEqual([])
    const cycle = findCycle({ nodes, edges: [...edges, edge('n19999', 'n1')] })
    expect(cycle).toHaveLength(19_999)
  })

  it('refuses a store that does not exist, and a store name used twice', () => {
    const count: DocumentNode = {
      id: 'w',
      name: 'w',
      kind: 'windowed-count',
      position,
      properties: { sizeMs: 1, graceMs: 0, storeName: 'open' },
    }
    const text = { kind: 'built-in' as const, name: 'string' as const }
    const stores = [{ id: 's', name: 'open', kind: 'key-value' as const, key: text, value: text }]
    expect(problemsOf(documentOf([processor('b', ['s', 'gone']), count], [], { stores }))).toEqual([
      'nodes[1].properties.storeName: The store name "open" is taken: stores[0].name has it too. Give one of them another.',
      'nodes[0].properties.stores[1]: The processor "b" uses the store "gone", and there is no such store.',
    ])
  })

  it('refuses code in a module that is generated, wherever it is named', () => {
    const node = processor('b')
    if (node.kind === 'processor') node.properties.code.module = './stores'
    const reader = source('a')
    const code = { module: './topology', export: 'key' }
    if (reader.kind === 'source') reader.properties.key = { form: 'serde', serde: { kind: 'custom', code } }
    expect(problemsOf(documentOf([node, reader], []))).toEqual([
      'nodes[0].properties.code.module: The module "./stores" is generated and would be overwritten. Give your code a file of another name.',
      'nodes[1].properties.key.serde.code.module: The module "./topology" is generated and would be overwritten. Give your code a file of another name.',
    ])
    if (node.kind === 'processor') node.properties.code.module = './stores-of-mine'
    expect(problemsOf(documentOf([node], []))).toEqual([])
  })

  it('reports all problems at once', () => {
    const document = documentOf([source('a'), sink('a')], [edge('a', 'x')])
    expect(problemsOf(document)).toHaveLength(3)
  })
})
