import { describe, expect, it } from 'vitest'
import { emptyDocument } from './emptyDocument.js'
import { incompleteness } from './incompleteness.js'
import { type Migration, migrate } from './migrate.js'
import { serdeExpression, serdeLabel } from './serdeText.js'
import type { DocumentNode, SinkNode, SourceNode, TopologyDocument } from './TopologyDocument.js'
import { writeDocument } from './writeDocument.js'

const position = { x: 1, y: 2.5 }
const source: SourceNode = {
  id: 'in',
  name: 'events',
  kind: 'source',
  position,
  properties: {
    topics: ['t'],
    keyType: 'string',
    valueType: 'E',
    key: { form: 'default' },
    value: { form: 'default' },
  },
}
const sink: SinkNode = { id: 'out', name: 'results', kind: 'sink', position, properties: { topic: 'r' } }
const joined = { id: 'e', from: 'in', to: 'out' }

function missingIn(nodes: DocumentNode[], edges = [joined]) {
  return incompleteness({ ...emptyDocument('x'), nodes, edges }).map(({ node, field }) => `${node}.${field}`)
}

describe('writeDocument', () => {
  const document: TopologyDocument = { ...emptyDocument('x'), nodes: [source, sink], edges: [joined] }

  it('ends with a newline and puts a position on one line', () => {
    const text = writeDocument(document)
    expect(text.endsWith('}\n')).toBe(true)
    expect(text).toContain('\n      "position": { "x": 1, "y": 2.5 }\n')
  })

  it('writes the same text whatever the order of the fields', () => {
    const shuffled = Object.fromEntries(Object.entries(document).reverse()) as TopologyDocument
    expect(writeDocument(shuffled)).toBe(writeDocument(document))
    expect(Object.keys(JSON.parse(writeDocument(document)))).toEqual(Object.keys(emptyDocument('x')))
  })

  it('changes only the lines of what was edited', () => {
    const before = writeDocument(document).split('\n')
    const after = writeDocument({ ...document, nodes: [source, { ...sink, position: { x: 9, y: 9 } }] }).split('\n')
    expect(after.filter((line, at) => line !== before[at])).toEqual(['      "position": { "x": 9, "y": 9 }'])
  })

  it('puts a list of plain values on one line up to 120 columns, and else one value a line', () => {
    const withTopics = (topic: string) => ({
      ...document,
      nodes: [{ ...source, properties: { ...source.properties, topics: [topic, 'b'] } }],
    })
    const line = '        "topics": ["", "b"],'
    const fitting = 'x'.repeat(120 - line.length)
    expect(writeDocument(withTopics(fitting))).toContain(`        "topics": ["${fitting}", "b"],\n`)
    expect(writeDocument(withTopics(`${fitting}x`))).toContain(
      `        "topics": [\n          "${fitting}x",\n          "b"\n        ],\n`,
    )
  })

  it("keeps the order of a template's fields, which are the user's own", () => {
    const template = { user: 'u', action: 'click', kind: 'x', b: { z: 1, a: 2 } }
    const text = writeDocument({
      ...document,
      generators: [
        {
          id: 'g',
          topic: 't',
          partitions: 1,
          key: { kind: 'built-in', name: 'string' },
          value: { kind: 'json', type: 'E' },
          phases: [{ forMs: 0, ratePerSecond: 1, keys: ['a'] }],
          template,
        },
      ],
    })
    expect(JSON.stringify(JSON.parse(text).generators[0].template)).toBe(JSON.stringify(template))
  })
})

describe('incompleteness', () => {
  it('has nothing to say about a whole topology', () => {
    expect(missingIn([source, sink])).toEqual([])
  })

  it('names a source without topics, a sink without a topic and a node that nothing leads into', () => {
    const bare = { ...source, properties: { ...source.properties, topics: [] } }
    expect(missingIn([bare, { ...sink, properties: { topic: '' } }], [])).toEqual([
      'events.topics',
      'results.topic',
      'results.edges',
    ])
  })

  it.each(['a topic', '..', 'é', 'x'.repeat(250)])('refuses %j as the name of a topic', (topic) => {
    expect(missingIn([source, { ...sink, properties: { topic } }])).toEqual(['results.topic'])
  })

  it('accepts a topic name of 249 characters', () => {
    expect(missingIn([source, { ...sink, properties: { topic: 'x'.repeat(249) } }])).toEqual([])
  })

  it('lets a windowed count, and what stands beside one, have one input', () => {
    const count: DocumentNode = {
      id: 'w',
      name: 'w',
      kind: 'windowed-count',
      position,
      properties: { sizeMs: 1, graceMs: 0, storeName: 's' },
    }
    const other = { ...source, id: 'in2', name: 'more' }
    const edges = [joined, { id: 'e2', from: 'in2', to: 'out' }]
    expect(missingIn([source, other, sink], edges)).toEqual([])
    const twice = [...edges, { id: 'e3', from: 'in', to: 'w' }, { id: 'e4', from: 'in2', to: 'w' }]
    expect(missingIn([source, other, sink, count], twice)).toEqual(['results.edges', 'w.edges'])
  })
})

describe('migrate', () => {
  const steps = new Map<number, Migration>([
    [1, (document) => ({ ...document, added: 'in 2' })],
    [2, (document) => ({ ...document, also: 'in 3' })],
  ])

  it('goes through every version in between', () => {
    expect(migrate({ formatVersion: 1 }, steps, 3)).toEqual({
      ok: true,
      document: { formatVersion: 3, added: 'in 2', also: 'in 3' },
    })
  })

  it('leaves the newest as it is, and refuses one newer', () => {
    const document = { formatVersion: 3 }
    expect(migrate(document, steps, 3)).toEqual({ ok: true, document })
    expect(migrate({ formatVersion: 4 }, steps, 3)).toMatchObject({ ok: false })
  })

  it('says so when a step is missing', () => {
    expect(migrate({ formatVersion: 1 }, new Map(), 2)).toEqual({
      ok: false,
      message: 'Format 1 can no longer be read.',
    })
  })
})

describe('serdes as text', () => {
  it.each([
    [{ kind: 'built-in', name: 'string' }, 'string', 'string'],
    [{ kind: 'built-in', name: 'void' }, 'void', 'voidSerde'],
    [{ kind: 'json', type: 'Map<string, Event>' }, 'json', 'json<Map<string, Event>>()'],
    [{ kind: 'custom', code: { module: './keys', export: 'userKey' } }, 'userKey', 'userKey'],
  ] as const)('%j has the label %s and the expression %s', (ref, label, expression) => {
    expect([serdeLabel(ref), serdeExpression(ref)]).toEqual([label, expression])
  })

  it('uses the local name of an export that had to be renamed', () => {
    const ref = { kind: 'custom', code: { module: './keys', export: 'string' } } as const
    expect(serdeExpression(ref, (code) => `${code.export}OfKeys`)).toBe('stringOfKeys')
  })
})
