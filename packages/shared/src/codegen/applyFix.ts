import type { Fix } from '@lanescope/core'
import { isAggregating, windowsOf } from '../document/nodeForms.js'
import { isPartName } from '../document/partNames.js'
import type { DocumentNode, SideDeclaration, SourceNode, TopologyDocument } from '../document/TopologyDocument.js'
import { generateTopology } from './generateTopology.js'
import { serdeOf, sourceOf } from './serdeOfId.js'
import { addSink, insertRepartition } from './structuralFixes.js'

/**
 * Makes a finding's fix: the document as it is after it. The document given is left alone.
 * A fix that does not fit the document any more, because its node is gone, changes nothing.
 */
export function applyFix(document: TopologyDocument, fix: Fix): TopologyDocument {
  if (fix.kind === 'insert-repartition') return insertRepartition(document, fix)
  if (fix.kind === 'add-sink') return addSink(document, fix)
  const name = fix.kind === 'declare-serde' || fix.kind === 'set-grace' ? fix.node : fix.source
  return {
    ...document,
    nodes: document.nodes.map((node) => (isPartName(node, name) ? fixed(node, fix, document) : node)),
  }
}

/** A fix that changes a node, and adds none. */
type NodeFix = Exclude<Fix, { kind: 'insert-repartition' | 'add-sink' }>

function fixed(node: DocumentNode, fix: NodeFix, document: TopologyDocument): DocumentNode {
  switch (fix.kind) {
    case 'declare-consumed':
      return node.kind === 'source' ? declareConsumed(node, fix.keySerde, fix.valueSerde) : node
    case 'bound-source':
      if (node.kind !== 'source') return node
      return { ...node, properties: { ...node.properties, maxAheadMs: fix.maxAheadMs } }
    case 'set-grace':
      return setGrace(node, fix.graceMs)
    case 'declare-serde':
      return declareSerde(node, fix.side, fix.serde, document)
  }
}

/** A retention that was given grows with the grace: it would be too small for the same windows. */
function setGrace(node: DocumentNode, graceMs: number): DocumentNode {
  const windows = windowsOf(node)
  if (windows === undefined) return node
  const { properties } = node as Extract<DocumentNode, { properties: { retentionMs?: number | undefined } }>
  const kept = properties.retentionMs
  const retention = kept === undefined ? {} : { retentionMs: kept + Math.max(0, graceMs - windows.graceMs) }
  const grace = 'windows' in properties ? { windows: { ...windows, graceMs } } : { graceMs }
  return { ...node, properties: { ...properties, ...grace, ...retention } } as DocumentNode
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
  if (
    node.kind === 'sink' ||
    node.kind === 'through' ||
    node.kind === 'repartition' ||
    node.kind === 'cogroup' ||
    node.kind === 'to-table'
  ) {
    return { ...node, properties: { ...node.properties, [side]: serde } } as DocumentNode
  }
  if (isAggregating(node)) return { ...node, properties: { ...node.properties, [side]: serde } } as DocumentNode
  if (node.kind === 'join' && side === 'key') return { ...node, properties: { ...node.properties, key: serde } }
  return node
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
