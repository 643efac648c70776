import type { Fix } from '@lanescope/core'
import * as core from '@lanescope/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { documentOf, nodeOf, OPERATOR_FILES, operatorsDocument, sink, source, text } from '../../test/documents.js'
import { GROUPED_FILES, groupedDocument } from '../../test/groupedDocument.js'
import { applyFix } from '../codegen/applyFix.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { providePackages } from '../loader/index.js'
import { Analyser } from './index.js'

const packages = new Map<string, object>([['@lanescope/core', core]])
beforeAll(() => providePackages(globalThis, packages))

const analyse = (document: TopologyDocument, files: { readonly [path: string]: string } = OPERATOR_FILES) =>
  new Analyser({
    packages,
    createUrl: (code) => `data:text/javascript,${encodeURIComponent(code)}`,
    revokeUrl: () => undefined,
    importUrl: (url) => import(/* @vite-ignore */ url),
    now: () => 0,
  }).analyse({ document, files, config: { 'application.id': 'test' } })

describe('an analysis of operators', () => {
  it('gives every node and every edge what was compiled of them', async () => {
    const document = operatorsDocument()
    const { view, problems, leftOut } = await analyse(document)
    expect(problems).toEqual([])
    expect(leftOut).toEqual([])
    expect(view.nodes.map(({ nodeId }) => nodeId)).toEqual(document.nodes.map(({ id }) => id))
    expect(view.edges.map(({ edgeId }) => edgeId)).toEqual(document.edges.map(({ id }) => id))
    expect(view.edges.filter(({ looksUp }) => looksUp).map(({ edgeId }) => edgeId)).toEqual(['users-with-user'])
    const compiled = (id: string) => view.nodes.find(({ nodeId }) => nodeId === id)?.compiledNames
    expect(compiled('paid')).toEqual([
      'paid-this-windowed',
      'paid-other-windowed',
      'paid-this-join',
      'paid-outer-other-join',
      'paid-merge',
    ])
    expect(compiled('users')).toEqual(['users-source', 'users'])
    expect(compiled('limited')?.slice(0, 3)).toEqual(['limited-join-this', 'limited-join-other', 'limited'])
  })

  it('draws the boundary of a new key on the edge into what needs it', async () => {
    const { view } = await analyse(operatorsDocument())
    const boundaries = view.edges.filter(({ boundary }) => boundary).map(({ edgeId }) => edgeId)
    expect(boundaries).toEqual(['by-shop-per-shop', 'by-shop-with-user'])
    const chip = (id: string) => view.edges.find(({ edgeId }) => edgeId === id)?.keyChip
    expect(chip('by-shop-per-shop')).toMatchObject({ status: 'declared', label: 'string', by: 'Grouped' })
    // Declared by its sink, with its window: the chip is the inner serde's.
    expect(chip('recent-recent-out')).toMatchObject({ label: 'string', windowed: true })
    expect(chip('final-only-visits-out')).toMatchObject({ label: 'string', windowed: true })
    const { keyChip } = view.nodes.find(({ nodeId }) => nodeId === 'recent-out') ?? {}
    expect(keyChip?.label).toBe('windowed(string,300000)')
    const titles = view.subTopologies.map(({ title }) => title)
    expect(titles).toContain('by the key that by-shop gives')
    expect(titles).toContainEqual(expect.stringMatching(/^by the raw key bytes of users, limits$/))
    // Told apart by its id: what the chip names is only the key inside.
    expect(chip('visits-final-only')).toMatchObject({
      label: 'string',
      windowed: true,
      windowedId: 'sessionWindowed(string)',
    })
  })

  it('gives what splits, groups and looks up by another key its nodes and edges, too', async () => {
    const document = groupedDocument()
    const { view, problems, leftOut } = await analyse(document, GROUPED_FILES)
    expect(problems).toEqual([])
    expect(leftOut).toEqual([])
    expect(view.nodes.map(({ nodeId }) => nodeId)).toEqual(document.nodes.map(({ id }) => id))
    expect(view.edges.map(({ edgeId }) => edgeId)).toEqual(document.edges.map(({ id }) => id))
    expect(view.edges.filter(({ looksUp }) => looksUp)).toMatchObject([
      { edgeId: 'countries-with-country', keyChip: { label: 'string' }, valueChip: { label: 'json' } },
    ])
    expect(view.edges.filter(({ boundary }) => boundary).map(({ edgeId }) => edgeId)).toEqual([
      'to-shops-totals',
      'parts-visits',
      'baskets-with-user',
      'users-with-user',
      'by-shop-rows',
    ])
    // Each node stands in one sub-topology: where what comes out of it is.
    const placed = view.subTopologies.flatMap(({ nodeIds }) => nodeIds)
    expect(placed.toSorted()).toEqual(document.nodes.map(({ id }) => id).toSorted())
    const of = (id: string) => view.subTopologies.find(({ nodeIds }) => nodeIds.includes(id))
    expect(of('with-user')).toBe(of('users-out'))
    expect(of('countries')).toMatchObject({ global: true, title: 'all of countries', nodeIds: ['countries'] })
    expect(of('users')?.global).toBeUndefined()
    const compiled = (id: string) =>
      view.nodes
        .find(({ nodeId }) => nodeId === id)
        ?.compiledNames.filter((name) => !name.startsWith('KTABLE-'))
        .toSorted()
    expect(compiled('by-size')).toEqual(['by-size', 'by-size-large', 'by-size-rest', 'by-size-small'])
    expect(compiled('balance')).toEqual(['balance-cogroup-agg-0', 'balance-cogroup-agg-1', 'balance-cogroup-merge'])
    expect(compiled('to-shops')).toEqual(['to-shops-repartition-filter'])
    expect(compiled('countries')).toEqual(['countries', 'countries-source'])
    expect(compiled('with-user')).toEqual([
      'with-user-foreign-join-subscription',
      'with-user-result',
      'with-user-subscription-join-foreign',
      'with-user-subscription-receive',
      'with-user-subscription-registration-processor',
      'with-user-subscription-response-resolver',
    ])
  })

  it('gives a looked-up edge the serdes that the rows are kept with', async () => {
    const long = { kind: 'built-in', name: 'long' } as const
    const table = source('t', { table: { storeName: 't-store' } })
    const join = nodeOf('join', 'j', {
      of: 'stream-table',
      how: 'inner',
      code: { module: './functions', export: 'pay' },
    })
    const count = nodeOf('count', 'c', { storeName: 'c-store' })
    const document = documentOf(
      [source('a'), table, count, join, sink('x', { value: long })],
      ['a > j > x', 't > c > j'],
    )
    const edge = (await analyse(document)).view.edges.find(({ edgeId }) => edgeId === 'c-j')
    expect(edge).toMatchObject({
      looksUp: true,
      boundary: false,
      keyChip: { label: 'string' },
      valueChip: { label: 'long' },
    })
  })

  it('names what an aggregation cannot write, with a fix that mends it', async () => {
    const bytes = { form: 'serde', serde: text } as const
    const code = { module: './grouped', export: 'f' }
    const rekey = nodeOf('transform', 'by-shop', { op: 'select-key', code })
    const sum = nodeOf('aggregate', 'sum', { storeName: 'sums', initializer: code, code })
    let document = documentOf(
      [source('orders', { key: bytes, value: bytes }), rekey, nodeOf('repartition', 'to-shops', {}), sum],
      ['orders > by-shop > to-shops > sum'],
    )
    const missing = async () =>
      (await analyse(document, { 'grouped.ts': 'export const f = () => 0' })).findings.filter(
        ({ rule }) => rule === 'missing-serde',
      )
    expect((await missing()).map(({ nodeId, title }) => [nodeId, title])).toEqual([
      ['sum', 'No serde can write the key at the boundary to-shops-repartition-filter → sum'],
      ['sum', 'No serde can write the keys of the store sums'],
      ['sum', 'No serde can write the values of the store sums'],
    ])
    for (let [next] = await missing(); next !== undefined; [next] = await missing()) {
      const before = document
      document = applyFix(document, next.fixes[0] as Fix)
      expect(document).not.toEqual(before)
    }
    expect(document.nodes.at(-1)?.properties).toMatchObject({
      key: text,
      aggregateSerde: { kind: 'json', type: 'unknown' },
    })
  })

  it('leaves a count that nothing follows a table, for its store to be read', async () => {
    const count = nodeOf('session-count', 'visits', { gapMs: 1000, graceMs: 1000, storeName: 'visits-store' })
    const { findings, view } = await analyse(documentOf([source('a'), count], ['a > visits']))
    expect(view.nodes.find(({ nodeId }) => nodeId === 'visits')?.compiledNames).toEqual(['visits'])
    expect(findings.filter(({ rule }) => rule === 'dangling-sink')).toEqual([])
  })

  it('does without the code of functions, and names what is missing', async () => {
    const { problems, leftOut } = await analyse(operatorsDocument(), {})
    expect(leftOut).toEqual([])
    expect(new Set(problems.map(({ nodeId }) => nodeId))).toEqual(
      new Set(['large', 'by-shop', 'seen', 'paid', 'with-user', 'limited']),
    )
  })

  it('takes the two ends of a topic that is gone through for one node, with nothing between', async () => {
    const through = nodeOf('through', 'by-shop-topic', { topic: 'by-shop', key: text })
    const count = nodeOf('count', 'per-shop', { storeName: 'per-shop-store' })
    const document = documentOf(
      [source('orders'), through, count, sink('totals', { key: text })],
      ['orders > by-shop-topic > per-shop > totals'],
    )
    const { view, problems } = await analyse(document)
    expect(problems).toEqual([])
    const compiled = (id: string) => view.nodes.find(({ nodeId }) => nodeId === id)?.compiledNames
    expect(compiled('by-shop-topic')?.toSorted()).toEqual(['by-shop-topic', 'by-shop-topic-sink'])
    expect(view.edges.map(({ edgeId }) => edgeId)).toEqual(document.edges.map(({ id }) => id))
    expect(view.edges.some(({ boundary }) => boundary)).toBe(false)
  })

  it('reads the sample keys of a table with its own deserializer', async () => {
    const table = source('t', {
      table: { storeName: 't-store' },
      key: { form: 'serde', serde: { kind: 'built-in', name: 'long' } },
    })
    const document = documentOf([table, sink('x', { key: text })], ['t > x'], { samples: { t: { keys: ['6b30'] } } })
    const { problems } = await analyse(document)
    expect(problems.map(({ nodeId, field }) => [nodeId, field])).toEqual([['t', 'samples']])
  })

  it('keeps a mistake of one operator to its node', async () => {
    const bad = nodeOf('session-count', 'visits', {
      gapMs: 1000,
      graceMs: 1000,
      storeName: 'visits-store',
      retentionMs: 1,
    })
    const document = documentOf([source('a'), bad, sink('x'), sink('y')], ['a > visits > x', 'a > y'])
    const { problems, view } = await analyse(document)
    expect(problems.map(({ nodeId, severity }) => [nodeId, severity])).toEqual([['visits', 'error']])
    expect(view.nodes.map(({ nodeId }) => nodeId)).toEqual(['a', 'y'])
  })
})
