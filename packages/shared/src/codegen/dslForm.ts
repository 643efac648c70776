import { branchOf } from '../document/branches.js'
import { formOf, isAggregating, joinForms, keyWindowOf } from '../document/nodeForms.js'
import { writingName } from '../document/partNames.js'
import type {
  DocumentEdge,
  DocumentNode,
  RepartitionNode,
  SerdeRef,
  SinkNode,
  SourceNode,
  SuppressNode,
  ThroughNode,
  TopologyDocument,
  ToTableNode,
} from '../document/TopologyDocument.js'
import { aggregateCall, cogroupCall } from './aggregateCall.js'
import { branchCall, branchStream } from './branchCall.js'
import type { BuildableNode } from './buildable.js'
import { joinCall } from './joinCall.js'
import { camelCase, stringLiteral } from './literals.js'
import { type NodeStatement, supplier } from './processorForm.js'
import type { StoreNames } from './storesModule.js'
import type { TopologyWriter } from './TopologyWriter.js'
import { transformCall } from './transformCall.js'
import { windowedSerde } from './windowedSerde.js'

/** What a node's statement gives, by its local name, as the calls behind it need it. */
export interface MadeNode {
  readonly stream: string
  /** The table itself; the same as `stream` where there is none. */
  readonly table: string
}

/** The topology in the DSL: one stream or table a node. Every node is given the name that it has in the document. */
export function dslForm(
  document: TopologyDocument,
  nodes: readonly BuildableNode[],
  stores: StoreNames,
  writer: TopologyWriter,
): NodeStatement[] {
  const made = new Map<string, MadeNode>()
  return nodes.map(({ node, parents, edges }) => {
    const inputs = edges.map((edge, at) => inputOf(document, parents[at], edge, made, writer))
    if (node.kind === 'sink') {
      const call = `to(${written(document, node, node.name, parents, writer)})`
      return { nodeId: node.id, text: `${inputs[0]?.stream}.${call}` }
    }
    const local = writer.imports.claim(camelCase(node.name, 'stream'), `stream ${node.id}`)
    const call = callOf({ document, node, parents, edges, inputs }, stores, writer)
    const form = formOf(document, node)
    const isTable = form !== 'stream'
    // A table that nobody takes as one is a stream at once; a global one never is.
    const keepsTable = form === 'global-table' || (isTable && isTakenAsTable(nodes, node))
    made.set(node.id, { stream: keepsTable ? `${local}.toStream()` : local, table: local })
    return { nodeId: node.id, text: `const ${local} = ${call}${isTable && !keepsTable ? '.toStream()' : ''}` }
  })
}

/** What leads in by an edge: a node's stream or table, or one branch of it. */
function inputOf(
  document: TopologyDocument,
  parent: DocumentNode | undefined,
  edge: DocumentEdge,
  made: ReadonlyMap<string, MadeNode>,
  writer: TopologyWriter,
): MadeNode {
  const input = made.get(edge.from) as MadeNode
  if (parent?.kind !== 'branch') return input
  const stream = branchStream(parent, input.stream, branchOf(parent, edge, document), writer)
  return { stream, table: stream }
}

function isTakenAsTable(nodes: readonly BuildableNode[], of: DocumentNode): boolean {
  const takers = nodes.filter(({ parents }) => parents.some(({ id }) => id === of.id))
  // What nothing follows stays what it is: made a stream, it would have a node more, which nobody takes.
  return (
    takers.length === 0 ||
    takers.some(({ node, parents }) => {
      if (node.kind === 'suppress') return true
      if (node.kind !== 'join') return false
      const [left, right] = parents
      const forms = joinForms(node)
      return (left?.id === of.id && forms.left !== 'stream') || (right?.id === of.id && forms.right !== 'stream')
    })
  )
}

interface Call extends BuildableNode {
  readonly document: TopologyDocument
  /** What leads in by each edge. */
  readonly inputs: readonly MadeNode[]
}

function callOf(call: Call, stores: StoreNames, writer: TopologyWriter): string {
  const { node, inputs, edges } = call
  if (node.kind === 'source') return sourceCall(node, writer)
  const first = inputs[0]
  if (first === undefined) throw new TypeError(`"${node.name}" has nothing to read.`)
  const { imports } = writer
  const named = () => `${imports.core('Named')}.as(${stringLiteral(node.name)})`
  if (isAggregating(node)) return aggregateCall(node, first.stream, named(), writer)
  switch (node.kind) {
    case 'processor':
      return `${first.stream}.process(${supplier(node, stores, writer)}, ${named()})`
    case 'transform':
      return transformCall(node, first.stream, named(), writer)
    case 'merge':
      return mergeCall(inputs, named())
    case 'branch':
      return branchCall(node, first.stream, named(), writer)
    case 'repartition':
      return `${first.stream}.repartition(${repartitioned(node, call, writer)})`
    case 'to-table':
      return `${first.stream}.toTable(${named()}, ${kept(node, call, writer)})`
    case 'cogroup': {
      const streams = edges.map((edge, at) => ({ edge, stream: inputs[at]?.stream ?? '' }))
      return cogroupCall(node, streams, named(), writer)
    }
    case 'suppress':
      return `${first.table}.suppress(${suppressed(node, writer)})`
    case 'join':
      return joinCall(node, inputs as readonly [MadeNode, MadeNode], writer)
    case 'through':
      return throughCall(node, call, writer)
    default:
      throw new TypeError(`"${node.name}" writes to a topic, and nothing goes on.`)
  }
}

function sourceCall(node: SourceNode, writer: TopologyWriter): string {
  const { topics, key, value, keyType, valueType, nulls, table } = node.properties
  const names = topics.map(stringLiteral)
  const needsTypes = key.form === 'default' || value.form === 'default'
  const orNull = nulls === 'drop' ? '' : ' | null'
  // Where a side goes by the default serde, nothing else tells the compiler its type.
  const types = needsTypes ? writer.typeArguments(`${keyType}${orNull}`, `${valueType}${orNull}`) : ''
  const what = names.length === 1 ? names[0] : `[${names.join(', ')}]`
  const consumed = `${writer.consumed(node)}.withName(${stringLiteral(node.name)})`
  if (table === undefined) return `builder.stream${types}(${what}, ${consumed})`
  const kept = `${writer.imports.core('Materialized')}.as(${stringLiteral(table.storeName)})`
  return `builder.${table.global ? 'globalTable' : 'table'}${types}(${what}, ${consumed}, ${kept})`
}

/** Two at a time; the last call has the node's name. */
function mergeCall(inputs: readonly MadeNode[], named: string): string {
  const [first, ...others] = inputs.map(({ stream }) => stream)
  return others.reduce<string>(
    (merged, other, at) => `${merged}.merge(${other}${at === others.length - 1 ? `, ${named}` : ''})`,
    first as string,
  )
}

function suppressed(node: SuppressNode, writer: TopologyWriter): string {
  const { properties } = node
  const buffer = `${writer.imports.core('BufferConfig')}.unbounded()`
  const until =
    properties.until === 'window-closes'
      ? `untilWindowCloses(${buffer})`
      : `untilTimeLimit(${writer.duration(properties.waitMs)}, ${buffer})`
  return `${writer.imports.core('Suppressed')}.${until}.withName(${stringLiteral(node.name)})`
}

function throughCall(node: ThroughNode, { document, parents, inputs }: Call, writer: TopologyWriter): string {
  const to = written(document, node, writingName(node), parents, writer)
  return `${inputs[0]?.stream}.through(${to}, ${writer.imports.core('Consumed')}.as(${stringLiteral(node.name)}))`
}

function repartitioned(
  { name, properties }: RepartitionNode,
  { document, parents }: Call,
  writer: TopologyWriter,
): string {
  const { key, value, numberOfLanes } = properties
  const made = writer.imports.core('Repartitioned')
  const lanes = numberOfLanes === undefined ? '' : `.withNumberOfLanes(${numberOfLanes})`
  if (key === undefined && value === undefined) return `${made}.as(${stringLiteral(name)})${lanes}`
  const serdes = `${keySerde(document, key, parents, writer)}, ${writer.optionalSerde(value)}`
  return `${made}.with(${serdes}).withName(${stringLiteral(name)})${lanes}`
}

/** The store of a table, and how its rows are written. */
function kept({ properties }: ToTableNode, { document, parents }: Call, writer: TopologyWriter): string {
  const { storeName, key, value } = properties
  const keyed = key === undefined ? '' : `.withKeySerde(${keySerde(document, key, parents, writer)})`
  const valued = value === undefined ? '' : `.withValueSerde(${writer.serde(value)})`
  return `${writer.imports.core('Materialized')}.as(${stringLiteral(storeName)})${keyed}${valued}`
}

/** A topic, and how it is written. */
function written(
  document: TopologyDocument,
  { properties: { key, value, topic } }: SinkNode | ThroughNode,
  nodeName: string,
  parents: readonly DocumentNode[],
  writer: TopologyWriter,
): string {
  const produced = writer.imports.core('Produced')
  const name = stringLiteral(nodeName)
  const declared =
    key === undefined && value === undefined
      ? `${produced}.as(${name})`
      : `${produced}.with(${keySerde(document, key, parents, writer)}, ${writer.optionalSerde(value)}).withName(${name})`
  return `${stringLiteral(topic)}, ${declared}`
}

/** Behind windows a key is written with its window; the document names the serde inside. */
function keySerde(
  document: TopologyDocument,
  key: SerdeRef | undefined,
  parents: readonly DocumentNode[],
  writer: TopologyWriter,
): string {
  const window = parents[0] === undefined ? undefined : keyWindowOf(document, parents[0])
  return key === undefined ? 'undefined' : windowedSerde(key, window, writer)
}
