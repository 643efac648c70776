import { type AggregatingNode, windowsOf } from '../document/nodeForms.js'
import type { CogroupNode, DocumentEdge, NodeWindows, SerdeRef } from '../document/TopologyDocument.js'
import { stringLiteral } from './literals.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** What stands in for the user's functions in an analysis, which runs no records. */
const STUBS = {
  initializer: '() => null',
  aggregator: '(_key, _value, aggregate) => aggregate',
  merger: '(_key, one) => one',
  reducer: '(aggregate) => aggregate',
} as const

/** A grouped stream, cut into windows where the node has some, aggregated into its store: a table. */
export function aggregateCall(node: AggregatingNode, input: string, named: string, writer: TopologyWriter): string {
  const { key, value } = node.properties
  const windows = windowsOf(node)
  const emits = 'emit' in node.properties && node.properties.emit === 'window-close'
  const emit = emits ? `.emitStrategy(${writer.imports.core('EmitStrategy')}.onWindowClose())` : ''
  const settings = `${named}, ${stored(node, writer)}`
  return `${input}.${grouped(key, value, writer)}${windowedBy(windows, writer)}${emit}.${operation(node, settings, writer)}`
}

function operation(node: AggregatingNode, settings: string, writer: TopologyWriter): string {
  switch (node.kind) {
    case 'reduce':
      return `reduce(${functionOf('reducer', node.properties.code, writer)}, ${settings})`
    case 'aggregate':
      return `aggregate(${aggregation(node, functionOf('aggregator', node.properties.code, writer), writer)}, ${settings})`
    default:
      return `count(${settings})`
  }
}

/** Several grouped streams, each with the function by which its records are added, aggregated into one store. */
export function cogroupCall(
  node: CogroupNode,
  inputs: readonly { readonly stream: string; readonly edge: DocumentEdge }[],
  named: string,
  writer: TopologyWriter,
): string {
  const [first, ...others] = inputs.map(({ stream, edge }) => ({
    group: `${stream}.${grouped(node.properties.key, edge.value, writer)}`,
    aggregator: functionOf('aggregator', edge.aggregator, writer),
  }))
  const more = others.map(({ group, aggregator }) => `.cogroup(${group}, ${aggregator})`).join('')
  const together = `${first?.group}.cogroup(${first?.aggregator})${more}${windowedBy(windowsOf(node), writer)}`
  return `${together}.aggregate(${aggregation(node, undefined, writer)}, ${named}, ${stored(node, writer)})`
}

/** The functions of an aggregation in their order; only sessions take a merger. */
function aggregation(
  node: Extract<AggregatingNode, { kind: 'aggregate' }> | CogroupNode,
  aggregator: string | undefined,
  writer: TopologyWriter,
): string {
  const { initializer, merger, windows } = node.properties
  return [
    functionOf('initializer', initializer, writer),
    ...(aggregator === undefined ? [] : [aggregator]),
    ...(windows?.kind === 'session' ? [functionOf('merger', merger, writer)] : []),
  ].join(', ')
}

function functionOf(
  role: keyof typeof STUBS,
  code: Parameters<TopologyWriter['code']>[0] | undefined,
  writer: TopologyWriter,
): string {
  return writer.purpose === 'analysis' || code === undefined ? STUBS[role] : writer.code(code)
}

function grouped(key: SerdeRef | undefined, value: SerdeRef | undefined, writer: TopologyWriter): string {
  if (key === undefined && value === undefined) return 'groupByKey()'
  const serdes = `${writer.optionalSerde(key)}, ${writer.optionalSerde(value)}`
  return `groupByKey(${writer.imports.core('Grouped')}.with(${serdes}))`
}

/** The store of an aggregation, how its values are written where they are of a type of their own, and for how long it keeps them. */
function stored(node: AggregatingNode | CogroupNode, writer: TopologyWriter): string {
  const { properties } = node
  const retentionMs = 'retentionMs' in properties ? properties.retentionMs : undefined
  const serde = 'aggregateSerde' in properties ? properties.aggregateSerde : undefined
  const value = serde === undefined ? '' : `.withValueSerde(${writer.serde(serde)})`
  const retention = retentionMs === undefined ? '' : `.withRetention(${writer.duration(retentionMs)})`
  return `${writer.imports.core('Materialized')}.as(${stringLiteral(properties.storeName)})${value}${retention}`
}

function windowedBy(windows: NodeWindows | undefined, writer: TopologyWriter): string {
  return windows === undefined ? '' : `.windowedBy(${madeWindows(windows, writer)})`
}

function madeWindows(windows: NodeWindows, writer: TopologyWriter): string {
  const { imports } = writer
  /** `ofXAndGrace(a, b)`, or `ofXWithNoGrace(a)` where there is none. */
  const made = (of: string, lengthMs: number) =>
    windows.graceMs === 0
      ? `${of}WithNoGrace(${writer.duration(lengthMs)})`
      : `${of}AndGrace(${writer.duration(lengthMs)}, ${writer.duration(windows.graceMs)})`
  switch (windows.kind) {
    case 'time': {
      const { sizeMs, advanceMs } = windows
      const advance = advanceMs === undefined ? '' : `.advanceBy(${writer.duration(advanceMs)})`
      return `${imports.core('TimeWindows')}.${made('ofSize', sizeMs)}${advance}`
    }
    case 'session':
      return `${imports.core('SessionWindows')}.${made('ofInactivityGap', windows.gapMs)}`
    case 'sliding':
      return `${imports.core('SlidingWindows')}.${made('ofTimeDifference', windows.differenceMs)}`
  }
}
