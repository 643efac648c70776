import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsOf } from '../../test/diagnosticsOf.js'
import { generateProject } from '../codegen/generateProject.js'
import { incompleteness } from '../document/incompleteness.js'
import { parseDocument } from '../document/parseDocument.js'
import { writeDocument } from '../document/writeDocument.js'
import { importDescription } from './importDescription.js'
import { parseDescription } from './parseDescription.js'

const folder = mkdtempSync(join(tmpdir(), 'imported-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A global table, a re-keyed count over a repartition topic, a join with a table, a merge, and a processor with a name. */
const WHOLE = `Topologies:
   Sub-topology: 0 for global store (will not generate tasks)
    Source: KSTREAM-SOURCE-0000000000 (topics: [rates])
      --> KTABLE-SOURCE-0000000001
    Processor: KTABLE-SOURCE-0000000001 (stores: [rates-store])
      --> none
      <-- KSTREAM-SOURCE-0000000000
  Sub-topology: 1
    Source: KSTREAM-SOURCE-0000000002 (topics: [orders])
      --> KSTREAM-KEY-SELECT-0000000006, KSTREAM-JOIN-0000000012
    Source: KSTREAM-SOURCE-0000000003 (topics: [users])
      --> KTABLE-SOURCE-0000000004
    Processor: KSTREAM-KEY-SELECT-0000000006 (stores: [])
      --> KSTREAM-FILTER-0000000010
      <-- KSTREAM-SOURCE-0000000002
    Processor: KSTREAM-FILTER-0000000010 (stores: [])
      --> KSTREAM-SINK-0000000009
      <-- KSTREAM-KEY-SELECT-0000000006
    Processor: KSTREAM-JOIN-0000000012 (stores: [users-store])
      --> enrich
      <-- KSTREAM-SOURCE-0000000002
    Processor: KTABLE-SOURCE-0000000004 (stores: [users-store])
      --> none
      <-- KSTREAM-SOURCE-0000000003
    Processor: enrich (stores: [seen])
      --> KSTREAM-SINK-0000000013
      <-- KSTREAM-JOIN-0000000012
    Sink: KSTREAM-SINK-0000000009 (topic: KSTREAM-AGGREGATE-STATE-STORE-0000000007-repartition)
      <-- KSTREAM-FILTER-0000000010
    Sink: KSTREAM-SINK-0000000013 (topic: enriched)
      <-- enrich
  Sub-topology: 2
    Source: KSTREAM-SOURCE-0000000011 (topics: [KSTREAM-AGGREGATE-STATE-STORE-0000000007-repartition])
      --> KSTREAM-AGGREGATE-0000000008
    Processor: KSTREAM-AGGREGATE-0000000008 (stores: [KSTREAM-AGGREGATE-STATE-STORE-0000000007])
      --> KTABLE-TOSTREAM-0000000014
      <-- KSTREAM-SOURCE-0000000011
    Processor: KTABLE-TOSTREAM-0000000014 (stores: [])
      --> KSTREAM-SINK-0000000015
      <-- KSTREAM-AGGREGATE-0000000008
    Sink: KSTREAM-SINK-0000000015 (topic: counts)
      <-- KTABLE-TOSTREAM-0000000014

`

function imported(text: string) {
  const result = importDescription(text, 'imported')
  if (!result.ok) throw new Error(`line ${result.line}: ${result.message}`)
  const { nodes, edges } = result.document
  const name = (id: string) => nodes.find((node) => node.id === id)?.name
  return {
    ...result,
    kinds: Object.fromEntries(nodes.map((node) => [node.name, node.kind])),
    edges: edges.map(({ from, to, side }) => `${name(from)}>${name(to)}${side === undefined ? '' : ` ${side}`}`).sort(),
    node: (called: string) => nodes.find((node) => node.name === called),
  }
}

describe('[B5] a TopologyDescription becomes a drawing', () => {
  it('with tables, repartitions and joins in place of the plumbing that they are described as', () => {
    const { kinds, edges } = imported(WHOLE)
    expect(kinds).toEqual({
      rates: 'source',
      orders: 'source',
      users: 'source',
      'key-select-6': 'transform',
      'join-12': 'join',
      enrich: 'processor',
      enriched: 'sink',
      'repartition-7': 'repartition',
      'aggregate-8': 'processor',
      counts: 'sink',
    })
    expect(edges).toEqual([
      'aggregate-8>counts',
      'enrich>enriched',
      'join-12>enrich',
      'key-select-6>repartition-7',
      'orders>join-12 left',
      'orders>key-select-6',
      'repartition-7>aggregate-8',
      'users>join-12 right',
    ])
  })

  it('with its topics, stores and global tables', () => {
    const { node, document } = imported(WHOLE)
    expect(node('rates')?.properties).toMatchObject({
      topics: ['rates'],
      table: { storeName: 'rates-store', global: true },
    })
    expect(node('users')?.properties).toMatchObject({ topics: ['users'], table: { storeName: 'users-store' } })
    expect(node('counts')?.properties).toEqual({ topic: 'counts' })
    expect(document.stores.map((store) => store.name)).toEqual(['seen', 'KSTREAM-AGGREGATE-STATE-STORE-0000000007'])
    expect(node('enrich')?.properties).toMatchObject({ stores: ['seen'] })
  })

  it('with placeholders that say so for what it does not tell', () => {
    const { node, files, placeholders } = imported(WHOLE)
    expect(placeholders).toBe(4)
    expect(node('aggregate-8')?.note).toMatch(/^A placeholder: .* called KSTREAM-AGGREGATE-0000000008\.$/)
    expect(node('orders')?.note).toBeUndefined()
    expect(files['imported.ts']).toContain(
      '/** Stands in for KSTREAM-AGGREGATE-0000000008. */\nexport class Aggregate8',
    )
    expect(files['imported.ts']).toContain('export function keySelect6(key: unknown, _value: unknown): unknown {')
  })

  it('that is whole, valid, and builds and compiles as it is', async () => {
    const { document, files } = imported(WHOLE)
    expect(incompleteness(document)).toEqual([])
    expect(parseDocument(writeDocument(document))).toMatchObject({ ok: true })
    const project = await generateProject(document, { vendor: [] })
    const own = Object.entries(files).map(([path, text]) => ({ path: `src/${path}`, text }))
    for (const { path, text } of [...project, ...own, { path: 'src/model.ts', text: 'export {}\n' }]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    expect(diagnosticsOf(folder)).toEqual([])
  })
})

/** Of a stream joined with itself, one leads into what merges its two sides. */
const MERGE = 'Processor: KSTREAM-MERGE-0000000002 (stores: [])'
const chain = (...lines: string[]) => ['Topologies:', '   Sub-topology: 0', ...lines].join('\n')

describe('a description', () => {
  it('is read with other indents and line ends, and with what a logger put in front of it', () => {
    const plain = WHOLE.split('\n').map((line) => line.trim())
    const logged = ['2026-01-01 12:00:00 INFO App - Topologies:', ...plain.slice(1)].join('\r\n')
    expect(parseDescription(logged)).toEqual(parseDescription(WHOLE))
    expect(parseDescription(`\ufeff\n\n${WHOLE.slice('Topologies:\n'.length)}`)).toEqual(parseDescription(WHOLE))
  })

  it('names a filter of the application, which stands in front of its sink, and not the one behind it', () => {
    const text = (filter: string) =>
      chain(
        'Source: a (topics: [a])',
        `--> ${filter}`,
        `Processor: ${filter} (stores: [])`,
        '--> KSTREAM-SINK-0000000005',
        'Sink: KSTREAM-SINK-0000000005 (topic: x-repartition)',
        'Sub-topology: 1',
        'Source: b (topics: [x-repartition])',
        '--> none',
      )
    expect(imported(text('KSTREAM-FILTER-0000000004')).kinds).toEqual({
      ...{ a: 'source', 'filter-4': 'transform', 'to-x': 'repartition' },
    })
    expect(imported(text('KSTREAM-FILTER-0000000006')).kinds).toEqual({ a: 'source', 'to-x': 'repartition' })
    expect(imported(text('x-repartition-filter')).kinds).toEqual({ a: 'source', 'to-x': 'repartition' })
  })

  it('with several inputs gets a merge where the drawing is of streams, and none where it is of processors alone', () => {
    const both = (operator: string) =>
      chain(
        ...['Source: a (topics: [a])', `--> ${operator}`, 'Source: b (topics: [b])', `--> ${operator}`],
        ...[`Processor: ${operator} (stores: [])`, '--> none', '<-- a, b'],
      )
    expect(imported(both('p')).edges).toEqual(['a>p', 'b>p'])
    expect(imported(both('KSTREAM-PEEK-0000000002')).edges).toEqual([
      ...['a>peek-2-inputs', 'b>peek-2-inputs', 'peek-2-inputs>peek-2'],
    ])
    expect(imported(both('KSTREAM-MERGE-0000000002')).kinds).toMatchObject({ 'merge-2': 'merge' })
    const one = chain('Source: a (topics: [a])', '--> KSTREAM-MERGE-0000000002', MERGE, '--> none', '<-- a')
    expect(imported(one).kinds).toEqual({ a: 'source', 'merge-2': 'processor' })
  })

  it('keeps a pattern and an extractor as a note, and asks for the topic', () => {
    const { node, document } = imported(
      chain('Source: s (topics: in-.*)', '--> k', 'Sink: k (extractor class: org.Route@1f)', '<-- s'),
    )
    expect(node('s')).toMatchObject({ properties: { topics: [] }, note: expect.stringContaining('in-.*') })
    expect(node('k')).toMatchObject({ properties: { topic: '' }, note: expect.stringContaining('org.Route@1f') })
    expect(incompleteness(document).map(({ field }) => field)).toEqual(['topics', 'topic'])
  })

  it('reads a topic that is written as well with a source of its own, if the topic is the application’s', () => {
    const text = chain('Source: a (topics: [x])', '--> k', 'Sink: k (topic: y)', 'Source: c (topics: [y])', '--> none')
    expect(imported(text).kinds).toEqual({ a: 'source', k: 'sink', c: 'source' })
  })

  it.each([
    ['', 1, 'no text'],
    ['\n\n  hello', 3, 'begins with "Topologies:", and this line is "hello"'],
    ['Topologies:\n', 1, 'no node'],
    ['Topologies:\nSource: a (topics: [x])', 2, 'stands in no sub-topology'],
    [chain('Source: a (topics: [x])', '--> b'), 3, '"a" leads to "b"'],
    [chain('Source: a (topics: [x])', '--> none', 'Sink: a (topic: y)'), 5, 'a node "a" already'],
    [chain('--> b'), 3, 'belong to no node'],
    [chain('Source: a b (topics: [x])'), 3, 'cannot be called "a b"'],
    [chain('Source: a (stores: [x])'), 3, 'A source has topics, and "a" has stores'],
    [chain('Source: a (topics: [x])', '--> none', 'Exception in thread'), 5, '"Exception in thread"'],
  ])('that is wrong is refused with its line: %j', (text, line, says) => {
    expect(importDescription(text, 'n')).toEqual({ ok: false, line, message: expect.stringContaining(says) })
  })
})
