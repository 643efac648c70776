import type { Fix } from '@lanescope/core'
import { isAggregating } from '../document/nodeForms.js'
import { isPartName } from '../document/partNames.js'
import type {
  DocumentNode,
  SerdeRef,
  SideDeclaration,
  SourceNode,
  TopologyDocument,
} from '../document/TopologyDocument.js'
import { builtInSerde } from '../document/TopologyDocument.js'
import { generateTopology } from './generateTopology.js'

/**
 * Makes a finding's fix: the document as it is after it. The document given is left alone.
 * A fix that does not fit the document any more, because its node is gone, changes nothing.
 */
export function applyFix(document: TopologyDocument, fix: Fix): TopologyDocument {
  const name = fix.kind === 'declare-serde' ? fix.node : fix.source
  return {
    ...document,
    nodes: document.nodes.map((node) => (isPartName(node, name) ? fixed(node, fix, document) : node)),
  }
}

function fixed(node: DocumentNode, fix: Fix, document: TopologyDocument): DocumentNode {
  switch (fix.kind) {
    case 'declare-consumed':
      return node.kind === 'source' ? declareConsumed(node, fix.keySerde, fix.valueSerde) : node
    case 'bound-source':
      if (node.kind !== 'source') return node
      return { ...node, properties: { ...node.properties, maxAheadMs: fix.maxAheadMs } }
    case 'declare-serde':
      return declareSerde(node, fix.side, fix.serde, document)
  }
}

function declareConsumed(node: SourceNode, keySerde: string, valueSerde: string): SourceNode {
  const { keyType, valueType } = node.properties
  const key = sideOf(keySerde, keyType, node.properties.key)
  const value = sideOf(valueSerde, valueType, node.properties.value)
  return { ...node, properties: { ...node.properties, key, value } }
}

/** A side that declares the serde of this id; as it was when the document cannot name that serde. */
function sideOf(serdeId: string, type: string, before: SideDeclaration): SideDeclaration {
  const serde = serdeOf(serdeId, type)
  return serde === undefined ? before : { form: 'serde', serde }
}

function declareSerde(
  node: DocumentNode,
  side: 'key' | 'value',
  serdeId: string,
  document: TopologyDocument,
): DocumentNode {
  const source = sourceOf(node, document)
  const type = source?.properties[side === 'key' ? 'keyType' : 'valueType'] ?? 'unknown'
  const serde = serdeOf(serdeId, type)
  if (serde === undefined) return node
  if (node.kind === 'source') {
    return { ...node, properties: { ...node.properties, [side]: { form: 'serde', serde } } }
  }
  if ((node.kind === 'aggregate' || node.kind === 'cogroup') && side === 'value') {
    // The source's type is not the aggregates'.
    const aggregateSerde = serde.kind === 'json' ? { ...serde, type: 'unknown' } : serde
    return { ...node, properties: { ...node.properties, aggregateSerde } } as DocumentNode
  }
  if (node.kind === 'sink' || node.kind === 'through' || node.kind === 'repartition' || node.kind === 'cogroup') {
    return { ...node, properties: { ...node.properties, [side]: serde } } as DocumentNode
  }
  if (isAggregating(node)) return { ...node, properties: { ...node.properties, [side]: serde } } as DocumentNode
  if (node.kind === 'join' && side === 'key') return { ...node, properties: { ...node.properties, key: serde } }
  return node
}

/** How the document names the serde of this id. JSON takes the type that the source names. */
function serdeOf(serdeId: string, type: string): SerdeRef | undefined {
  if (serdeId === 'json') return { kind: 'json', type }
  const builtIn = builtInSerde.safeParse(serdeId)
  return builtIn.success ? { kind: 'built-in', name: builtIn.data } : undefined
}

/** The nearest source above a node. */
function sourceOf(node: DocumentNode, document: TopologyDocument): SourceNode | undefined {
  const seen = new Set<string>()
  const queue = [node.id]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (seen.has(id)) continue
    seen.add(id)
    const found = document.nodes.find((candidate) => candidate.id === id)
    if (found?.kind === 'source') return found
    queue.push(...document.edges.filter((edge) => edge.to === id).map((edge) => edge.from))
  }
  return undefined
}

/** Lines of `topology.ts` that a fix takes away and puts there, without their indent. */
export interface FixPreview {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** What a fix changes in the code: its calls, not its imports. Both empty when it changes nothing. */
export function fixPreview(document: TopologyDocument, fix: Fix): FixPreview {
  const before = callsOf(document)
  const after = callsOf(applyFix(document, fix))
  return {
    removed: before.filter((line) => !after.includes(line)),
    added: after.filter((line) => !before.includes(line)),
  }
}

function callsOf(document: TopologyDocument): string[] {
  const { text } = generateTopology(document)
  return text
    .slice(text.indexOf('export function build('))
    .split('\n')
    .map((line) => line.trim())
}
