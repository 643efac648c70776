import { emptyDocument } from '../src/document/emptyDocument.js'
import type {
  DocumentGenerator,
  DocumentNode,
  ProcessorNode,
  SerdeRef,
  SinkNode,
  SourceNode,
  TopologyDocument,
  WindowedCountNode,
} from '../src/document/TopologyDocument.js'

// Documents for tests, from few words.

const position = { x: 0, y: 0 }
export const text: SerdeRef = { kind: 'built-in', name: 'string' }

export function jsonOf(type: string): Extract<SerdeRef, { kind: 'json' }> {
  return { kind: 'json', type }
}

export function source(name: string, properties: Partial<SourceNode['properties']> = {}): SourceNode {
  const own = { topics: [name], keyType: 'string', valueType: 'Event' }
  const sides = { key: { form: 'serde', serde: text }, value: { form: 'serde', serde: jsonOf('Event') } } as const
  return { id: name, name, kind: 'source', position, properties: { ...own, ...sides, ...properties } }
}

export function processor(name: string, properties: Partial<ProcessorNode['properties']> = {}): ProcessorNode {
  const own = { code: { module: `./${name}`, export: 'Step' }, timers: [], stores: [] }
  return { id: name, name, kind: 'processor', position, properties: { ...own, ...properties } }
}

export function windowedCount(
  name: string,
  properties: Partial<WindowedCountNode['properties']> = {},
): WindowedCountNode {
  const own = { sizeMs: 86_400_000, graceMs: 3_600_000, storeName: `${name}-store` }
  return { id: name, name, kind: 'windowed-count', position, properties: { ...own, ...properties } }
}

export function sink(name: string, properties: Partial<SinkNode['properties']> = {}): SinkNode {
  return { id: name, name, kind: 'sink', position, properties: { topic: name, ...properties } }
}

export function generator(topic: string, more: Partial<DocumentGenerator> = {}): DocumentGenerator {
  return {
    id: `to-${topic}`,
    topic,
    partitions: 3,
    key: text,
    value: jsonOf('Event'),
    phases: [{ forMs: 0, ratePerSecond: 1, keys: ['a', 'b'] }],
    template: { n: '{n}' },
    ...more,
  }
}

/** A document whose edges are given as `a > b > c`. */
export function documentOf(
  nodes: readonly DocumentNode[],
  chains: readonly string[],
  more: Partial<TopologyDocument> = {},
): TopologyDocument {
  const edges = chains.flatMap((chain) => {
    const ids = chain.split(' > ')
    return ids.slice(1).map((to, at) => ({ id: `${ids[at]}-${to}`, from: ids[at] as string, to }))
  })
  return { ...emptyDocument('test'), nodes: [...nodes], edges, ...more }
}

type OfKind<K extends DocumentNode['kind']> = Extract<DocumentNode, { kind: K }>

/** A node of any kind with these properties. */
export function nodeOf<K extends DocumentNode['kind']>(
  kind: K,
  name: string,
  properties: OfKind<K>['properties'],
): OfKind<K> {
  return { id: name, name, kind, position, properties } as OfKind<K>
}

/** Every operator that a canvas has, joined in one topology that a person might draw. */
export function operatorsDocument(): TopologyDocument {
  const fn = (name: string) => ({ module: './functions', export: name })
  const json = jsonOf('Event')
  const nodes: DocumentNode[] = [
    source('orders'),
    source('payments'),
    source('users', { table: { storeName: 'users-store' } }),
    source('limits', { table: { storeName: 'limits-store' } }),
    nodeOf('transform', 'large', { op: 'filter', code: fn('isLarge') }),
    nodeOf('transform', 'by-shop', { op: 'select-key', code: fn('shopOf') }),
    nodeOf('transform', 'seen', { op: 'peek', code: fn('look') }),
    nodeOf('merge', 'all', {}),
    nodeOf('join', 'paid', {
      of: 'stream-stream',
      how: 'left',
      code: fn('pay'),
      beforeMs: 60_000,
      afterMs: 300_000,
      graceMs: 5_000,
      storeName: 'paid-store',
    }),
    nodeOf('join', 'with-user', { of: 'stream-table', how: 'left', code: fn('enrich'), key: text, leftValue: json }),
    nodeOf('join', 'limited', { of: 'table-table', how: 'inner', code: fn('limit') }),
    nodeOf('count', 'per-shop', { storeName: 'per-shop-store', key: text, value: json }),
    nodeOf('windowed-count', 'hopping', { sizeMs: 60_000, advanceMs: 10_000, graceMs: 0, storeName: 'hopping-store' }),
    nodeOf('session-count', 'visits', { gapMs: 1_800_000, graceMs: 60_000, storeName: 'visits-store' }),
    nodeOf('sliding-count', 'recent', { differenceMs: 300_000, graceMs: 60_000, storeName: 'recent-store' }),
    nodeOf('suppress', 'final-only', { until: 'window-closes' }),
    nodeOf('suppress', 'calm', { until: 'time-limit', waitMs: 10_000 }),
    sink('visits-out', { key: text, value: { kind: 'built-in', name: 'long' } }),
    sink('recent-out', { key: text, value: { kind: 'built-in', name: 'long' } }),
    sink('shops-out', { key: text, value: { kind: 'built-in', name: 'long' } }),
    sink('paid-out', { key: text, value: json }),
    sink('users-out', { key: text, value: json }),
  ]
  return documentOf(
    nodes,
    [
      'orders > large > by-shop > per-shop > calm > shops-out',
      'orders > paid > paid-out',
      'payments > paid',
      'by-shop > with-user > users-out',
      'users > with-user',
      'users > limited',
      'limits > limited',
      'orders > all',
      'payments > all > seen > visits > final-only > visits-out',
      'seen > recent > recent-out',
      'all > hopping',
    ],
    { generators: [generator('orders'), generator('payments'), generator('users')] },
  )
}

/** The code that `operatorsDocument` names, with a model for it. */
export const OPERATOR_FILES = {
  'model.ts': 'export interface Event { readonly n: string }\n',
  'functions.ts': `import type { Event } from './model.js'
export const isLarge = (_key: string | null, event: Event | null) => event !== null && event.n !== ''
export const shopOf = (key: string | null, event: Event | null) => \`\${event?.n ?? ''}-\${key ?? ''}\`
export const look = () => {}
export const pay = (order: Event, payment: Event | null): Event => payment ?? order
export const enrich = (order: Event, user: Event | null): Event => user ?? order
export const limit = (user: Event, limit: Event): Event => ({ n: user.n + limit.n })
`,
}
