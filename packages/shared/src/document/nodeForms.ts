import type { DocumentEdge, DocumentNode, JoinNode, NodeWindows, TopologyDocument } from './TopologyDocument.js'

type Drawing = Pick<TopologyDocument, 'nodes' | 'edges'>

/** What comes out of a node: records, rows of a table, rows by key and window, or a table that streams alone look into. */
export type NodeForm = 'stream' | 'table' | 'windowed-table' | 'global-table'

/** The windows in the keys that come out of a node. */
export type KeyWindow = { readonly kind: 'time'; readonly sizeMs: number } | { readonly kind: 'session' }

/** Nodes that count: each keeps a store of its own, named in its properties. */
export type CountingNode = Extract<
  DocumentNode,
  { kind: 'count' | 'windowed-count' | 'session-count' | 'sliding-count' }
>

/** Nodes that aggregate one grouped stream. */
export type AggregatingNode = CountingNode | Extract<DocumentNode, { kind: 'reduce' | 'aggregate' }>

/** Nodes whose results may have windows in their keys. */
export type WindowingNode = AggregatingNode | Extract<DocumentNode, { kind: 'cogroup' }>

export function isCounting(node: DocumentNode): node is CountingNode {
  return (
    node.kind === 'count' ||
    node.kind === 'windowed-count' ||
    node.kind === 'session-count' ||
    node.kind === 'sliding-count'
  )
}

export function isAggregating(node: DocumentNode): node is AggregatingNode {
  return isCounting(node) || node.kind === 'reduce' || node.kind === 'aggregate'
}

/** The windows that a node cuts its records into; undefined where it cuts none. */
export function windowsOf(node: DocumentNode): NodeWindows | undefined {
  switch (node.kind) {
    case 'windowed-count': {
      const { sizeMs, graceMs, advanceMs } = node.properties
      return { kind: 'time', sizeMs, graceMs, ...(advanceMs !== undefined && { advanceMs }) }
    }
    case 'session-count':
      return { kind: 'session', gapMs: node.properties.gapMs, graceMs: node.properties.graceMs }
    case 'sliding-count':
      return { kind: 'sliding', differenceMs: node.properties.differenceMs, graceMs: node.properties.graceMs }
    case 'reduce':
    case 'aggregate':
    case 'cogroup':
      return node.properties.windows
    default:
      return undefined
  }
}

/** The name of the store that a node keeps by itself; undefined when it keeps none, or `stores` holds it. */
export function ownStoreOf(node: DocumentNode): string | undefined {
  if (isAggregating(node) || node.kind === 'cogroup' || node.kind === 'to-table') return node.properties.storeName
  if (node.kind === 'source') return node.properties.table?.storeName
  return node.kind === 'join' ? node.properties.storeName : undefined
}

/** Whether the engine's DSL is needed for a drawing: sources, processors and sinks alone do without. */
export function needsDsl({ nodes }: Pick<TopologyDocument, 'nodes'>): boolean {
  return nodes.some(
    (node) =>
      (node.kind !== 'source' && node.kind !== 'processor' && node.kind !== 'sink') ||
      (node.kind === 'source' && node.properties.table !== undefined),
  )
}

export function formOf(drawing: Drawing, node: DocumentNode): NodeForm {
  switch (node.kind) {
    case 'source':
      if (node.properties.table === undefined) return 'stream'
      return node.properties.table.global ? 'global-table' : 'table'
    case 'to-table':
      return keyWindowOf(drawing, node) === undefined ? 'table' : 'windowed-table'
    case 'count':
    case 'windowed-count':
    case 'session-count':
    case 'sliding-count':
    case 'reduce':
    case 'aggregate':
    case 'cogroup':
      return windowsOf(node) === undefined ? 'table' : 'windowed-table'
    case 'suppress': {
      const input = firstInput(drawing, node.id)
      // Alone it is drawn as what it is for.
      return input === undefined ? 'windowed-table' : formOf(drawing, input)
    }
    case 'join':
      return joinForms(node).left
    default:
      return 'stream'
  }
}

/** Undefined where keys have no window. A processor gives keys of its own. */
export function keyWindowOf(drawing: Drawing, node: DocumentNode): KeyWindow | undefined {
  const windows = windowsOf(node)
  if (windows !== undefined) return inKey(windows)
  switch (node.kind) {
    case 'transform':
      return givesKeys(node.properties.op) ? undefined : inputWindow(drawing, node.id)
    case 'suppress':
    case 'merge':
    case 'branch':
    case 'repartition':
    case 'to-table':
    case 'through':
      return inputWindow(drawing, node.id)
    default:
      return undefined
  }
}

function inKey(windows: NodeWindows): KeyWindow {
  switch (windows.kind) {
    case 'time':
      return { kind: 'time', sizeMs: windows.sizeMs }
    case 'sliding':
      return { kind: 'time', sizeMs: windows.differenceMs }
    case 'session':
      return { kind: 'session' }
  }
}

/** Whether a function gives keys of its own. */
function givesKeys(op: Extract<DocumentNode, { kind: 'transform' }>['properties']['op']): boolean {
  return op === 'select-key' || op === 'map' || op === 'flat-map'
}

/** The two edges into a join. One that says no side takes the first that is free, the left before the right. */
export function joinInputs(
  { edges }: Pick<TopologyDocument, 'edges'>,
  joinId: string,
): { readonly left: DocumentEdge | undefined; readonly right: DocumentEdge | undefined } {
  const into = edges.filter((edge) => edge.to === joinId)
  const open = into.filter((edge) => edge.side === undefined)
  const left = into.find((edge) => edge.side === 'left') ?? open.shift()
  const right = into.find((edge) => edge.side === 'right') ?? open.shift()
  return { left, right }
}

/** What a join takes on each side; what it gives is as its left side. */
export function joinForms({ properties }: JoinNode): {
  readonly left: 'stream' | 'table'
  readonly right: 'stream' | 'table' | 'global-table'
} {
  switch (properties.of) {
    case 'stream-stream':
      return { left: 'stream', right: 'stream' }
    case 'stream-table':
      return { left: 'stream', right: 'table' }
    case 'stream-global':
      return { left: 'stream', right: 'global-table' }
    case 'table-table':
    case 'foreign-key':
      return { left: 'table', right: 'table' }
  }
}

function inputWindow(drawing: Drawing, id: string): KeyWindow | undefined {
  const input = firstInput(drawing, id)
  return input === undefined ? undefined : keyWindowOf(drawing, input)
}

function firstInput({ nodes, edges }: Drawing, id: string): DocumentNode | undefined {
  const from = edges.find((edge) => edge.to === id)?.from
  return nodes.find((node) => node.id === from)
}
