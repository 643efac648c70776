import type { DocumentNode, SerdeRef, SinkNode, SourceNode, WindowedCountNode } from '../document/TopologyDocument.js'
import type { BuildableNode } from './buildable.js'
import { camelCase, stringLiteral } from './literals.js'
import { type NodeStatement, supplier } from './processorForm.js'
import type { StoreNames } from './storesModule.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** The topology in the DSL: one stream a node. Every node is given the name that it has in the document. */
export function dslForm(nodes: readonly BuildableNode[], stores: StoreNames, writer: TopologyWriter): NodeStatement[] {
  const streams = new Map<string, Stream>()
  return nodes.map(({ node, parents }) => {
    const parent = parents[0] === undefined ? undefined : streams.get(parents[0].id)
    if (node.kind === 'source') {
      return { nodeId: node.id, text: declare(node, streams, writer, sourceStream(node, writer)) }
    }
    if (parent === undefined) throw new TypeError(`"${node.name}" has no stream to read.`)
    if (node.kind === 'sink') return { nodeId: node.id, text: sinkCall(node, parent, writer) }
    const made = node.kind === 'processor' ? processed(node, parent, stores, writer) : counted(node, parent, writer)
    return { nodeId: node.id, text: declare(node, streams, writer, made) }
  })
}

/** A stream by its local name, and the size of its keys' windows, in ms, when it has windowed keys. */
interface Stream {
  readonly local: string
  readonly windowMs: number | undefined
}

function declare(
  node: DocumentNode,
  streams: Map<string, Stream>,
  writer: TopologyWriter,
  made: { readonly text: string; readonly windowMs?: number },
): string {
  const local = writer.imports.claim(camelCase(node.name, 'stream'), `stream ${node.id}`)
  streams.set(node.id, { local, windowMs: made.windowMs })
  return `const ${local} = ${made.text}`
}

function sourceStream(node: SourceNode, writer: TopologyWriter) {
  const { topics, key, value, keyType, valueType, nulls } = node.properties
  const names = topics.map(stringLiteral)
  const needsTypes = key.form === 'default' || value.form === 'default'
  const orNull = nulls === 'drop' ? '' : ' | null'
  // Where a side goes by the default serde, nothing else tells the compiler its type.
  const types = needsTypes ? writer.typeArguments(`${keyType}${orNull}`, `${valueType}${orNull}`) : ''
  const what = names.length === 1 ? names[0] : `[${names.join(', ')}]`
  const consumed = `${writer.consumed(node)}.withName(${stringLiteral(node.name)})`
  return { text: `builder.stream${types}(${what}, ${consumed})` }
}

function processed(
  node: Extract<DocumentNode, { kind: 'processor' }>,
  parent: Stream,
  stores: StoreNames,
  writer: TopologyWriter,
) {
  const name = `${writer.imports.core('Named')}.as(${stringLiteral(node.name)})`
  return { text: `${parent.local}.process(${supplier(node, stores, writer)}, ${name})` }
}

function counted(node: WindowedCountNode, parent: Stream, writer: TopologyWriter) {
  const { sizeMs, graceMs, storeName, retentionMs, key } = node.properties
  const { imports } = writer
  const grouped = key === undefined ? '' : `${imports.core('Grouped')}.with(${writer.serde(key)}, undefined)`
  const windows =
    graceMs === 0
      ? `ofSizeWithNoGrace(${writer.duration(sizeMs)})`
      : `ofSizeAndGrace(${writer.duration(sizeMs)}, ${writer.duration(graceMs)})`
  const retention = retentionMs === undefined ? '' : `.withRetention(${writer.duration(retentionMs)})`
  const store = `${imports.core('Materialized')}.as(${stringLiteral(storeName)})${retention}`
  const name = `${imports.core('Named')}.as(${stringLiteral(node.name)})`
  const text =
    `${parent.local}.groupByKey(${grouped}).windowedBy(${imports.core('TimeWindows')}.${windows})` +
    `.count(${name}, ${store}).toStream()`
  return { text, windowMs: sizeMs }
}

function sinkCall(node: SinkNode, parent: Stream, writer: TopologyWriter): string {
  const { key, value, topic } = node.properties
  const produced = writer.imports.core('Produced')
  const name = stringLiteral(node.name)
  const declared =
    key === undefined && value === undefined
      ? `${produced}.as(${name})`
      : `${produced}.with(${sinkKey(key, parent, writer)}, ${writer.optionalSerde(value)}).withName(${name})`
  return `${parent.local}.to(${stringLiteral(topic)}, ${declared})`
}

/** Behind a windowed count a key is written with its window; the document names the serde inside. */
function sinkKey(key: SerdeRef | undefined, parent: Stream, writer: TopologyWriter): string {
  if (key === undefined || parent.windowMs === undefined) return writer.optionalSerde(key)
  return `${writer.imports.core('windowed')}(${writer.serde(key)}, ${writer.duration(parent.windowMs)})`
}
