import type { Fix } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { documentOf, jsonOf, nodeOf, processor, sink, source, text, windowedCount } from '../../test/documents.js'
import { applyFix, fixPreview } from './applyFix.js'

const said = { title: 't', effect: 'e' }
const unquote = { kind: 'custom', code: { module: './keys', export: 'unquote' } } as const
const open = source('events', {
  key: { form: 'deserializer', deserializer: unquote },
  value: { form: 'deserializer', deserializer: jsonOf('Event') },
})
const document = documentOf([open, processor('p'), windowedCount('w'), sink('out')], ['events > p > out', 'events > w'])
const papi = documentOf([open, processor('p'), sink('out')], ['events > p > out'])
const declare: Fix = { kind: 'declare-consumed', source: 'events', keySerde: 'json', valueSerde: 'json', ...said }

function node(fix: Fix, name: string) {
  return applyFix(document, fix).nodes.find((candidate) => candidate.name === name)?.properties
}

describe('applyFix', () => {
  it('declares both sides of a source with the types that it names', () => {
    expect(node(declare, 'events')).toMatchObject({
      key: { form: 'serde', serde: { kind: 'json', type: 'string' } },
      value: { form: 'serde', serde: { kind: 'json', type: 'Event' } },
    })
    expect(node({ ...declare, keySerde: 'string' }, 'events')).toMatchObject({ key: { form: 'serde', serde: text } })
  })

  it('leaves a side alone whose serde the document cannot name', () => {
    expect(node({ ...declare, valueSerde: 'their own' }, 'events')).toMatchObject({
      key: { form: 'serde' },
      value: open.properties.value,
    })
  })

  it('bounds a source', () => {
    expect(node({ kind: 'bound-source', source: 'events', maxAheadMs: 5, ...said }, 'events')).toMatchObject({
      maxAheadMs: 5,
    })
  })

  it('declares a side of a sink, of a source, and the key of a count, with the types of the source above', () => {
    const fix = { kind: 'declare-serde', node: 'out', side: 'value', serde: 'json', ...said } as const
    expect(node(fix, 'out')).toEqual({ topic: 'out', value: jsonOf('Event') })
    expect(node({ ...fix, side: 'key' }, 'out')).toEqual({ topic: 'out', key: jsonOf('string') })
    expect(node({ ...fix, node: 'w', side: 'key' }, 'w')).toMatchObject({ key: jsonOf('string') })
    expect(node({ ...fix, node: 'w' }, 'w')).toMatchObject({ value: jsonOf('Event') })
    expect(node({ ...fix, node: 'events', side: 'key', serde: 'long' }, 'events')).toMatchObject({
      key: { form: 'serde', serde: { kind: 'built-in', name: 'long' } },
    })
  })

  it('declares how an aggregation keeps what it makes, and how a repartition writes its keys', () => {
    const code = { module: './fn', export: 'f' }
    const own = { storeName: 's', initializer: code }
    const nodes = [
      open,
      nodeOf('aggregate', 'sum', { ...own, code }),
      nodeOf('cogroup', 'all', { ...own, storeName: 'all-store' }),
      nodeOf('repartition', 'to-lanes', {}),
      nodeOf('reduce', 'newest', { storeName: 'newest-store', code }),
    ]
    const drawn = documentOf(nodes, ['events > sum', 'events > all', 'events > to-lanes', 'events > newest'])
    const fix = { kind: 'declare-serde', node: 'sum', side: 'value', serde: 'json', ...said } as const
    const after = (more: Partial<typeof fix> | { readonly side: 'key' }, name: string) =>
      applyFix(drawn, { ...fix, node: name, ...more } as Fix).nodes.find((one) => name.startsWith(one.name))?.properties
    // What it makes is of no type that the source names.
    expect(after({}, 'sum')).toMatchObject({ aggregateSerde: jsonOf('unknown') })
    expect(after({ side: 'key' }, 'sum')).toMatchObject({ key: jsonOf('string') })
    expect(after({}, 'all-cogroup-agg-0')).toMatchObject({ aggregateSerde: jsonOf('unknown') })
    expect(after({ side: 'key' }, 'all-cogroup-agg-0')).toMatchObject({ key: jsonOf('string') })
    expect(after({ side: 'key' }, 'to-lanes-repartition-filter')).toEqual({ key: jsonOf('string') })
    expect(after({}, 'newest')).toMatchObject({ value: jsonOf('Event') })
  })

  it('gives windows a grace, by which a retention that was given grows', () => {
    const grace = { kind: 'set-grace', node: 'w', graceMs: 7_200_000, ...said } as const
    expect(node(grace, 'w')).toEqual({ sizeMs: 86_400_000, graceMs: 7_200_000, storeName: 'w-store' })
    const code = { module: './fn', export: 'f' }
    const windows = { kind: 'session', gapMs: 5, graceMs: 0 } as const
    const drawn = documentOf(
      [
        open,
        windowedCount('w', { graceMs: 10, retentionMs: 100 }),
        nodeOf('reduce', 'r', { storeName: 's', code, windows }),
        processor('p'),
      ],
      [],
    )
    const after = (name: string, graceMs: number) =>
      applyFix(drawn, { ...grace, node: name, graceMs }).nodes.find((one) => one.name === name)?.properties
    expect(after('w', 30)).toMatchObject({ graceMs: 30, retentionMs: 120 })
    expect(after('w', 4)).toMatchObject({ graceMs: 4, retentionMs: 100 })
    expect(after('r', 9)).toEqual({ storeName: 's', code, windows: { ...windows, graceMs: 9 } })
    expect(after('p', 9)).toBe(drawn.nodes[3]?.properties)
  })

  it('puts a repartition on the only edge into a node, and makes room for it', () => {
    const at = (x: number) => ({ position: { x, y: 10 } })
    const drawn = documentOf(
      [
        { ...source('a'), ...at(0) },
        { ...source('b'), ...at(0) },
        { ...nodeOf('merge', 'm', {}), ...at(216) },
        { ...processor('p'), ...at(432) },
        { ...sink('out'), ...at(648) },
      ],
      ['a > m > p > out', 'b > m'],
    )
    const fix = { kind: 'insert-repartition', before: 'p', keySerde: 'string', ...said } as const
    const after = applyFix(drawn, fix)
    expect(after.edges.map(({ from, to }) => `${from}>${to}`)).toEqual([
      ...['a>m', 'm>p-repartition', 'p>out', 'b>m', 'p-repartition>p'],
    ])
    expect(after.nodes.at(-1)).toEqual({
      ...{ id: 'p-repartition', kind: 'repartition', name: 'to-p' },
      ...{ position: { x: 432, y: 10 }, properties: { key: text } },
    })
    expect(after.nodes.map(({ position }) => position.x)).toEqual([0, 0, 216, 648, 864, 432])
    expect(new Set(after.edges.map(({ id }) => id)).size).toBe(5)
    const places = (x: number) => {
      const near = { ...drawn, nodes: drawn.nodes.map((one) => (one.id === 'p' ? { ...one, ...at(x) } : one)) }
      return applyFix(near, fix).nodes.find(({ id }) => id === 'p')?.position.x
    }
    expect(places(536)).toBe(536)
    expect(places(535)).toBe(648)
    const { keySerde: _, ...open } = fix
    expect(applyFix(drawn, open).nodes.at(-1)?.properties).toEqual({})
    const again = applyFix(after, fix)
    expect(again.nodes.at(-1)).toMatchObject({ id: 'p-repartition-2', name: 'to-p-2' })
    expect(applyFix(drawn, { ...fix, before: 'm' })).toBe(drawn)
    expect(applyFix(drawn, { ...fix, before: 'a' })).toBe(drawn)
    expect(applyFix(drawn, { ...fix, before: 'gone' })).toBe(drawn)
  })

  it('writes what a node makes to a topic', () => {
    const fix = { kind: 'add-sink', after: 'p', topic: 'p-out', ...said } as const
    const after = applyFix(document, fix)
    expect(after.nodes.at(-1)).toMatchObject({
      id: 'p-out',
      kind: 'sink',
      name: 'p-out',
      properties: { topic: 'p-out' },
    })
    expect(after.edges.at(-1)).toEqual({ id: 'p-p-out', from: 'p', to: 'p-out' })
    expect(applyFix(document, { ...fix, after: 'out' })).toBe(document)
    expect(applyFix(document, { ...fix, after: 'gone' })).toBe(document)
  })

  it('changes that node alone, and never the document that it was given', () => {
    const before = JSON.stringify(document)
    const after = applyFix(document, declare)
    expect(JSON.stringify(document)).toBe(before)
    expect(after.nodes.filter((one, at) => one !== document.nodes[at]).map(({ name }) => name)).toEqual(['events'])
  })

  it('changes nothing when the node is gone or of another kind', () => {
    expect(applyFix(document, { ...declare, source: 'gone' })).toEqual(document)
    expect(applyFix(document, { ...declare, source: 'out' })).toEqual(document)
    expect(applyFix(document, { kind: 'bound-source', source: 'p', maxAheadMs: 1, ...said })).toEqual(document)
    expect(applyFix(document, { kind: 'declare-serde', node: 'p', side: 'key', serde: 'string', ...said })).toEqual(
      document,
    )
  })
})

describe('fixPreview', () => {
  it('shows the call before and after', () => {
    expect(fixPreview(papi, declare)).toEqual({
      removed: ["topology.addSource('events', unquote, json<Event>(), 'events')"],
      added: ["topology.addSource('events', Consumed.with(json<string>(), json<Event>()), 'events')"],
    })
    expect(fixPreview(papi, { kind: 'bound-source', source: 'events', maxAheadMs: 3_600_000, ...said }).added).toEqual([
      "topology.addSource('events', Consumed.deserializers(unquote, json<Event>()).withMaxAhead(hours(1)), 'events')",
    ])
  })

  it('shows nothing for a fix that changes nothing', () => {
    expect(fixPreview(papi, { ...declare, source: 'gone' })).toEqual({ removed: [], added: [] })
  })
})
