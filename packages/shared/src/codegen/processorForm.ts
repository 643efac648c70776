import type { ProcessorNode, SinkNode, SourceNode } from '../document/TopologyDocument.js'
import type { BuildableNode } from './buildable.js'
import { stringLiteral } from './literals.js'
import type { StoreNames } from './storesModule.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** One statement of `build()`, and the node that it makes. */
export interface NodeStatement {
  readonly nodeId: string
  readonly text: string
}

/** The topology in the Processor API: one call a node, wired by name. For what needs no operator of the DSL. */
export function processorForm(
  nodes: readonly BuildableNode[],
  stores: StoreNames,
  writer: TopologyWriter,
): NodeStatement[] {
  return nodes.map(({ node, parents }) => {
    const names = parents.map((parent) => stringLiteral(parent.name))
    return { nodeId: node.id, text: statement(node, names, stores, writer) }
  })
}

function statement(
  node: BuildableNode['node'],
  parents: readonly string[],
  stores: StoreNames,
  writer: TopologyWriter,
): string {
  const name = stringLiteral(node.name)
  switch (node.kind) {
    case 'source':
      return `topology.addSource(${[name, ...reading(node, writer), ...node.properties.topics.map(stringLiteral)].join(', ')})`
    case 'processor':
      return `topology.addProcessor(${[name, supplier(node, stores, writer), ...parents].join(', ')})`
    case 'sink':
      return `topology.addSink(${[name, stringLiteral(node.properties.topic), ...writing(node, writer), ...parents].join(', ')})`
    default:
      throw new TypeError(`"${node.name}" is an operator of the DSL and has no form in the Processor API.`)
  }
}

/** Two deserializers where that says it all, else one `Consumed`. */
function reading(source: SourceNode, writer: TopologyWriter): string[] {
  const { key, value, nulls } = source.properties
  if (key.form === 'deserializer' && nulls !== 'drop' && writer.sourceSettings(source) === '') {
    return [writer.side(key), writer.side(value)]
  }
  return [writer.consumed(source)]
}

function writing(sink: SinkNode, writer: TopologyWriter): string[] {
  const { key, value } = sink.properties
  if (key === undefined && value === undefined) return []
  return [`${writer.imports.core('Produced')}.with(${writer.optionalSerde(key)}, ${writer.optionalSerde(value)})`]
}

/**
 * What makes the user's processor. For analysis its class is left out: a module that does not parse, or throws
 * when it is loaded, must not take the canvas down. What it declares stays.
 */
export function supplier(node: ProcessorNode, stores: StoreNames, writer: TopologyWriter): string {
  const { code, timers, stores: ids, sameKey, sync } = node.properties
  const made = writer.purpose === 'analysis' ? '({ process() {} })' : `new ${writer.code(code)}()`
  const fields = [`get: () => ${made}`]
  if (timers.length > 0) fields.push(`timers: [${timers.map(stringLiteral).join(', ')}]`)
  if (ids.length > 0) fields.push(`stores: [${ids.map((id) => stores.use(id, writer.imports)).join(', ')}]`)
  if (sameKey) fields.push('sameKey: true')
  if (sync) fields.push('sync: true')
  return `{ ${fields.join(', ')} }`
}
