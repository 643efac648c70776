import { type AggregatingNode, isAggregating } from '../document/nodeForms.js'
import type {
  CodeRef,
  DocumentNode,
  SerdeRef,
  SideDeclaration,
  TopologyDocument,
} from '../document/TopologyDocument.js'

/** A piece of the user's code that the document names, and what uses it. */
export interface CodeUse {
  readonly code: CodeRef
  /** Processors and functions are replaced in an analysis; serdes, deserializers and extractors run. */
  readonly role: 'processor' | 'function' | 'serde' | 'extractor'
  /** Nodes that cannot do without it: the node itself, or all that use the store. */
  readonly nodeIds: readonly string[]
  /** How a message names the place: "the key of events". */
  readonly place: string
}

/** Whether an analysis does without it: a stub stands in for what runs on records alone. */
export function isStubbed({ role }: Pick<CodeUse, 'role'>): boolean {
  return role === 'processor' || role === 'function'
}

/** Every piece of code that nodes and stores of a document use, in document order. Generators run nowhere here. */
export function codeUses(document: TopologyDocument): CodeUse[] {
  const uses: CodeUse[] = []
  const add = (code: CodeRef | undefined, role: CodeUse['role'], nodeIds: readonly string[], place: string) => {
    if (code !== undefined) uses.push({ code, role, nodeIds, place })
  }
  for (const node of document.nodes) {
    const of = (what: string) => `the ${what} of ${node.name}`
    const { kind, properties } = node
    if (kind === 'source') {
      add(sideCode(properties.key), 'serde', [node.id], of('key'))
      add(sideCode(properties.value), 'serde', [node.id], of('value'))
      add(properties.timestampExtractor, 'extractor', [node.id], of('timestamp'))
    } else if (kind === 'processor') add(properties.code, 'processor', [node.id], of('code'))
    else if (kind === 'transform') add(properties.code, 'function', [node.id], of('function'))
    else if (kind === 'join') {
      add(properties.code, 'function', [node.id], of('function'))
      add(serdeCode(properties.key), 'serde', [node.id], of('key'))
      add(serdeCode(properties.leftValue), 'serde', [node.id], of('left value'))
      add(serdeCode(properties.rightValue), 'serde', [node.id], of('right value'))
      add(properties.selector, 'function', [node.id], of('key selector'))
    } else if (kind === 'branch') {
      for (const { name, code } of properties.branches) add(code, 'function', [node.id], of(`branch ${name}`))
    } else if (kind === 'cogroup') {
      add(properties.initializer, 'function', [node.id], of('initializer'))
      add(properties.merger, 'function', [node.id], of('merger'))
      add(serdeCode(properties.key), 'serde', [node.id], of('key'))
      add(serdeCode(properties.aggregateSerde), 'serde', [node.id], of('aggregate'))
      for (const edge of document.edges.filter(({ to }) => to === node.id)) {
        add(edge.aggregator, 'function', [node.id], of('aggregator'))
        add(serdeCode(edge.value), 'serde', [node.id], of('value'))
      }
    } else if (isWriting(node)) {
      add(serdeCode(node.properties.key), 'serde', [node.id], of('key'))
      add(serdeCode(node.properties.value), 'serde', [node.id], of('value'))
      if (kind === 'reduce') add(properties.code, 'function', [node.id], of('reducer'))
      if (kind === 'aggregate') {
        add(properties.code, 'function', [node.id], of('aggregator'))
        add(properties.initializer, 'function', [node.id], of('initializer'))
        add(properties.merger, 'function', [node.id], of('merger'))
        add(serdeCode(properties.aggregateSerde), 'serde', [node.id], of('aggregate'))
      }
    }
  }
  for (const store of document.stores) {
    const users = document.nodes.filter(
      (node) => node.kind === 'processor' && node.properties.stores.includes(store.id),
    )
    const ids = users.map(({ id }) => id)
    add(serdeCode(store.key), 'serde', ids, `the key of the store ${store.name}`)
    add(serdeCode(store.value), 'serde', ids, `the value of the store ${store.name}`)
  }
  return uses
}

/** What says how it writes keys and values. */
function isWriting(
  node: DocumentNode,
): node is AggregatingNode | Extract<DocumentNode, { kind: 'sink' | 'through' | 'repartition' | 'to-table' }> {
  return isAggregating(node) || ['sink', 'through', 'repartition', 'to-table'].includes(node.kind)
}

function serdeCode(serde: SerdeRef | undefined): CodeRef | undefined {
  return serde?.kind === 'custom' ? serde.code : undefined
}

function sideCode(side: SideDeclaration): CodeRef | undefined {
  if (side.form === 'serde') return serdeCode(side.serde)
  return side.form === 'deserializer' && side.deserializer.kind === 'custom' ? side.deserializer.code : undefined
}
