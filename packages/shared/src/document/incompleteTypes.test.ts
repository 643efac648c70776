import { describe, expect, it } from 'vitest'
import { documentOf, generator, jsonOf, nodeOf, processor, sink, source } from '../../test/documents.js'
import { generateSources } from '../codegen/generateProject.js'
import { incompleteness, unbuildable } from './incompleteness.js'
import type { DocumentNode, SerdeRef, TopologyDocument } from './TopologyDocument.js'

const BAD = 'not a type!'
const bad = jsonOf(BAD)
const serde = (of: SerdeRef) => ({ form: 'serde', serde: of }) as const
const code = { module: './work', export: 'add' }

const after = (node: DocumentNode, more: Partial<TopologyDocument> = {}) =>
  documentOf([source('in'), node], [`in > ${node.id}`], more)
const store = (sides: { key: SerdeRef; value: SerdeRef }) =>
  ({ id: 's', name: 'kept', kind: 'key-value', ...sides }) as const
const cogroup = nodeOf('cogroup', 'all', { storeName: 'st', initializer: code })
const into = (value: SerdeRef) => ({ edges: [{ id: 'e', from: 'in', to: 'all', aggregator: code, value }] })
const good = jsonOf('Event')

const DOCUMENTS: readonly (readonly [where: string, field: string, TopologyDocument])[] = [
  ['the key of "in"', 'keyType', documentOf([source('in', { keyType: BAD })], [])],
  ['the value of "in"', 'valueType', documentOf([source('in', { valueType: BAD, value: { form: 'default' } })], [])],
  ['the value of "in"', 'valueType', documentOf([source('in', { valueType: BAD, value: serde(bad) })], [])],
  ['the key of "in"', 'key', documentOf([source('in', { key: serde(bad) })], [])],
  [
    'the value of "in"',
    'value',
    documentOf([source('in', { value: { form: 'deserializer', deserializer: bad } })], []),
  ],
  ['the key of "out"', 'key', after(sink('out', { key: bad }))],
  ['the value of "out"', 'value', after(sink('out', { value: bad }))],
  ['the value of "again"', 'value', after(nodeOf('through', 'again', { topic: 't', value: bad }))],
  ['the key of "moved"', 'key', after(nodeOf('repartition', 'moved', { key: bad }))],
  ['the value of "rows"', 'value', after(nodeOf('to-table', 'rows', { storeName: 'st', value: bad }))],
  ['the key of "all"', 'key', after(nodeOf('count', 'all', { storeName: 'st', key: bad }))],
  [
    'the aggregates of "all"',
    'aggregateSerde',
    after(nodeOf('aggregate', 'all', { storeName: 'st', initializer: code, code, aggregateSerde: bad })),
  ],
  ['the values that go into "all"', 'edges', after(cogroup, into(bad))],
  ...(['key', 'leftValue', 'rightValue'] as const).map(
    (field) =>
      [
        `the ${{ key: 'key', leftValue: 'left value', rightValue: 'right value' }[field]} of "both"`,
        field,
        documentOf(
          [
            source('in'),
            source('other'),
            nodeOf('join', 'both', { of: 'stream-stream', how: 'inner', code, [field]: bad }),
          ],
          ['in > both', 'other > both'],
        ),
      ] as const,
  ),
  ...(['key', 'value'] as const).map(
    (side) =>
      [
        `the ${side} of "kept", a store of "step"`,
        'stores',
        after(processor('step', { stores: ['s'] }), { stores: [store({ key: good, value: good, [side]: bad })] }),
      ] as const,
  ),
]

describe('a type that is none', () => {
  it.each(DOCUMENTS)('is said of %s (%s), once, and the rest is still built', async (whose, field, document) => {
    const why = 'Not a TypeScript type: "a" cannot come after "not".'
    const said = incompleteness(document).map((part) => [part.field, part.message])
    expect(said).toEqual([[field, `The type of ${whose}, "${BAD}", cannot be written. ${why}`]])
    expect(incompleteness(document)[0]?.node).toBe(/"([^"]*)"$/.exec(whose)?.[1])
    expect(unbuildable(document)).toEqual([])
    const texts = (await generateSources(document)).map(({ text }) => text).join('\n')
    expect(texts).not.toContain(BAD)
    expect(texts).not.toContain('Left out')
  })

  it('is not said of types that are some, nor of a store that another processor uses', () => {
    const document = documentOf(
      [source('in'), processor('one', { stores: ['s'] }), processor('two')],
      ['in > one', 'in > two'],
      { stores: [store({ key: good, value: bad })] },
    )
    expect(incompleteness(document).map(({ node }) => node)).toEqual(['one'])
    expect(incompleteness(after(cogroup, into(good)))).toEqual([])
    expect(incompleteness(after(sink('out', { value: jsonOf('Map<string, Event>') })))).toEqual([])
  })

  it('in a store that nobody uses and in test traffic is written as unknown', async () => {
    const more = { stores: [store({ key: bad, value: good })], generators: [generator('in', { value: bad })] }
    const files = await generateSources(documentOf([source('in')], [], more))
    const textOf = (path: string) => files.find((file) => file.path === path)?.text
    expect(textOf('src/stores.ts')).toContain("keyValue('kept', json<unknown>(), json<Event>())")
    expect(textOf('src/traffic.ts')).toContain('value: json<unknown>()')
  })
})
