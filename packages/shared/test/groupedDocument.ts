import type { DocumentNode, SourceNode, TopologyDocument } from '../src/document/TopologyDocument.js'
import { documentOf, generator, jsonOf, nodeOf, sink, source, text } from './documents.js'

const long = { kind: 'built-in', name: 'long' } as const
const total = jsonOf('Total')
const fn = (name: string) => ({ module: './grouped', export: name })
const table = (name: string, global?: true): SourceNode =>
  source(name, { table: { storeName: `${name}-store`, ...(global && { global }) } })

/** What splits, groups and looks up by another key, joined in one topology that a person might draw. */
export function groupedDocument(): TopologyDocument {
  const nodes: DocumentNode[] = [
    source('orders', { nulls: 'drop' }),
    source('refunds', { nulls: 'drop' }),
    table('countries', true),
    table('baskets'),
    table('users'),
    nodeOf('branch', 'by-size', {
      branches: [
        { name: 'large', code: fn('isLarge') },
        { name: 'small', code: fn('isSmall') },
      ],
      defaultBranch: 'rest',
    }),
    nodeOf('branch', 'known', { branches: [{ name: 'yes', code: fn('isSmall') }] }),
    nodeOf('transform', 'by-shop', { op: 'map', code: fn('byShop') }),
    nodeOf('transform', 'parts', { op: 'flat-map', code: fn('parts') }),
    nodeOf('transform', 'no-tests', { op: 'filter-not', code: fn('isSmall') }),
    nodeOf('repartition', 'to-shops', { key: text, value: jsonOf('Event'), numberOfLanes: 2 }),
    nodeOf('to-table', 'rows', { storeName: 'rows-store', key: text, value: jsonOf('Event') }),
    nodeOf('join', 'with-row', { of: 'table-table', how: 'inner', code: fn('enrich') }),
    nodeOf('reduce', 'newest', { storeName: 'newest-store', code: fn('newer') }),
    nodeOf('aggregate', 'totals', {
      storeName: 'totals-store',
      initializer: fn('nothing'),
      code: fn('add'),
      aggregateSerde: total,
    }),
    nodeOf('aggregate', 'visits', {
      storeName: 'visits-store',
      initializer: fn('nothing'),
      code: fn('addSeen'),
      merger: fn('together'),
      aggregateSerde: total,
      windows: { kind: 'session', gapMs: 60_000, graceMs: 0 },
      retentionMs: 3_600_000,
    }),
    nodeOf('reduce', 'last-of-minute', {
      storeName: 'minute-store',
      code: fn('newerSeen'),
      windows: { kind: 'time', sizeMs: 60_000, graceMs: 5_000 },
      emit: 'window-close',
    }),
    nodeOf('windowed-count', 'per-minute', {
      sizeMs: 60_000,
      graceMs: 5_000,
      storeName: 'per-minute-store',
      emit: 'window-close',
    }),
    nodeOf('cogroup', 'balance', {
      storeName: 'balance-store',
      initializer: fn('nothing'),
      aggregateSerde: total,
    }),
    nodeOf('cogroup', 'daily', {
      storeName: 'daily-store',
      key: text,
      initializer: fn('nothing'),
      merger: fn('together'),
      aggregateSerde: total,
      windows: { kind: 'time', sizeMs: 86_400_000, graceMs: 0 },
    }),
    nodeOf('join', 'with-user', { of: 'foreign-key', how: 'left', selector: fn('userOf'), code: fn('enrich') }),
    nodeOf('join', 'with-country', {
      of: 'stream-global',
      how: 'inner',
      selector: fn('countryOf'),
      code: fn('enrich'),
    }),
    sink('totals-out', { key: text, value: total }),
    sink('newest-out'),
    sink('visits-out', { key: text, value: total }),
    sink('minutes-out', { key: text }),
    sink('counts-out', { key: text, value: long }),
    sink('balance-out', { key: text, value: total }),
    sink('daily-out', { key: text, value: total }),
    sink('users-out', { key: text, value: jsonOf('Event') }),
    sink('rows-out', { key: text, value: jsonOf('Event') }),
    sink('countries-out', { key: text, value: jsonOf('Event') }),
  ]
  const drawn = documentOf(
    nodes,
    [
      'orders > by-size > by-shop > to-shops > totals > totals-out',
      'by-size > newest > newest-out',
      'by-size > parts > visits > visits-out',
      'orders > known > last-of-minute > minutes-out',
      'orders > no-tests > per-minute > counts-out',
      'orders > balance > balance-out',
      'refunds > balance',
      'orders > daily > daily-out',
      'refunds > daily',
      'baskets > with-user > users-out',
      'users > with-user',
      'orders > with-country > countries-out',
      'countries > with-country',
      'by-shop > rows > with-row > rows-out',
      'users > with-row',
    ],
    { generators: ['orders', 'refunds', 'baskets', 'users', 'countries'].map((topic) => generator(topic)) },
  )
  const edges = drawn.edges.map((edge) => {
    if (edge.to === 'balance' || edge.to === 'daily') {
      return { ...edge, aggregator: fn(edge.from === 'orders' ? 'add' : 'subtract') }
    }
    const branch = { 'by-size-newest': 'rest', 'by-size-parts': 'small', 'by-size-by-shop': 'large' }[edge.id]
    return branch === undefined ? edge : { ...edge, branch }
  })
  return { ...drawn, edges }
}

/** The code that `groupedDocument` names, with a model for it. */
export const GROUPED_FILES = {
  'model.ts': `export interface Event { readonly n: string }
export interface Total { readonly n: number }
`,
  'grouped.ts': `import type { Event, Total } from './model.js'
export const isLarge = (_key: string, event: Event) => event.n.length > 5
export const isSmall = (_key: string, event: Event) => event.n.length > 2
export const byShop = (key: string, event: Event): [string, Event] => [\`\${event.n}-\${key}\`, event]
export const parts = (key: string, event: Event) => [[key, event], [event.n, event]] as const
export const newer = (_before: Event, event: Event) => event
export const newerSeen = (before: Event, event: Event | null) => event ?? before
export const nothing = (): Total => ({ n: 0 })
export const add = (_key: string, event: Event | null, total: Total): Total => ({ n: total.n + (event?.n.length ?? 0) })
export const addSeen = (_key: string, event: Event | null, total: Total): Total => add(_key, event, total)
export const subtract = (_key: string, event: Event, total: Total): Total => ({ n: total.n - event.n.length })
export const together = (_key: string, one: Total, other: Total): Total => ({ n: one.n + other.n })
export const userOf = (basket: Event) => basket.n
export const countryOf = (_key: string, order: Event) => order.n
export const enrich = (event: Event, found: Event | null): Event => found ?? event
`,
}
