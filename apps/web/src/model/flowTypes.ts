import {
  type AggregateNode,
  type CogroupNode,
  type DocumentNode,
  isAggregating,
  isCounting,
  joinInputs,
  type TopologyDocument,
  windowsOf,
} from '@lanescope/shared'
import { typeOfSerde } from './commands/retyped.js'
import { nodeById } from './queries.js'

/** TypeScript types of what comes out of a node, as far as the drawing says them; `unknown` behind code of the user's. */
export interface FlowTypes {
  readonly key: string
  readonly value: string
}

const UNKNOWN: FlowTypes = { key: 'unknown', value: 'unknown' }

export function typesOf(document: TopologyDocument, id: string): FlowTypes {
  const node = nodeById(document, id)
  return node === undefined ? UNKNOWN : typesOfNode(document, node)
}

function typesOfNode(document: TopologyDocument, node: DocumentNode): FlowTypes {
  if (node.kind === 'source') {
    const { keyType, valueType, nulls, table } = node.properties
    if (table !== undefined) return { key: keyType, value: orNull(valueType) }
    return nulls === 'drop' ? { key: keyType, value: valueType } : { key: orNull(keyType), value: orNull(valueType) }
  }
  const input = typesInto(document, node)
  if (isAggregating(node) || node.kind === 'cogroup') {
    const key = windowsOf(node) === undefined ? nonNull(input.key) : 'unknown'
    if (node.kind === 'reduce') return { key, value: nonNull(input.value) }
    return { key, value: isCounting(node) ? 'number' : aggregateType(node) }
  }
  switch (node.kind) {
    case 'transform': {
      const { op } = node.properties
      if (op === 'map' || op === 'flat-map') return UNKNOWN
      if (op === 'select-key') return { ...input, key: 'unknown' }
      return op === 'map-values' || op === 'flat-map-values' ? { ...input, value: 'unknown' } : input
    }
    case 'to-table':
    case 'repartition':
      return { ...input, key: nonNull(input.key) }
    case 'merge':
    case 'branch':
    case 'through':
    case 'suppress':
      return input
    case 'join':
      return { key: nonNull(input.key), value: 'unknown' }
    default:
      return UNKNOWN
  }
}

/** The type that an aggregation makes, as far as its serde says it. */
export function aggregateType({ properties: { aggregateSerde } }: AggregateNode | CogroupNode): string {
  return (aggregateSerde && typeOfSerde(aggregateSerde)) ?? 'unknown'
}

/** What leads into a node; of a join, its left side. */
export function typesInto(document: TopologyDocument, node: DocumentNode): FlowTypes {
  const from =
    node.kind === 'join'
      ? joinInputs(document, node.id).left?.from
      : document.edges.find((edge) => edge.to === node.id)?.from
  return from === undefined ? UNKNOWN : typesOf(document, from)
}

/** A type without the null that a topic may hold. */
export function nonNull(type: string): string {
  return type.replace(/\s*\|\s*null$/, '')
}

function orNull(type: string): string {
  return /\b(null|unknown|any)\b/.test(type) ? type : `${type} | null`
}
