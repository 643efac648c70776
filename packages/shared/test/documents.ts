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
