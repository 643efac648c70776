import type { DocumentEdge, DocumentNode, JoinNode, TopologyDocument } from './TopologyDocument.js'

type Drawing = Pick<TopologyDocument, 'nodes' | 'edges'>

/** What comes out of a node: records, rows of a table, or rows by key and window. */
export type NodeForm = 'stream' | 'table' | 'windowed-table'

/** The windows in the keys that come out of a node. */
export type KeyWindow = { readonly kind: 'time'; readonly sizeMs: number } | { readonly kind: 'session' }

/** Nodes that count: each keeps a store of its own, named in its properties. */
export type CountingNode = Extract<
  DocumentNode,
  { kind: 'count' | 'windowed-count' | 'session-count' | 'sliding-count' }
>

export function isCounting(node: DocumentNode): node is CountingNode {
  return (
    node.kind === 'count' ||
    node.kind === 'windowed-count' ||
    node.kind === 'session-count' ||
    node.kind === 'sliding-count'
  )
}

/** The name of the store that a node keeps by itself; undefined when it keeps none, or `stores` holds it. */
export function ownStoreOf(node: DocumentNode): string | undefined {
  if (isCounting(node)) return node.properties.storeName
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
      return node.properties.table === undefined ? 'stream' : 'table'
    case 'count':
      return 'table'
    case 'windowed-count':
    case 'session-count':
    case 'sliding-count':
      return 'windowed-table'
    case 'suppress': {
      const input = firstInput(drawing, node.id)
      // Alone it is drawn as what it is for.
      return input === undefined ? 'windowed-table' : formOf(drawing, input)
    }
    case 'join':
      return node.properties.of === 'table-table' ? 'table' : 'stream'
    default:
      return 'stream'
  }
}

/** Undefined where keys have no window. A processor gives keys of its own. */
export function keyWindowOf(drawing: Drawing, node: DocumentNode): KeyWindow | undefined {
  switch (node.kind) {
    case 'windowed-count':
      return { kind: 'time', sizeMs: node.properties.sizeMs }
    case 'sliding-count':
      return { kind: 'time', sizeMs: node.properties.differenceMs }
    case 'session-count':
      return { kind: 'session' }
    case 'transform':
      return node.properties.op === 'select-key' ? undefined : inputWindow(drawing, node.id)
    case 'suppress':
    case 'merge':
    case 'through':
      return inputWindow(drawing, node.id)
    default:
      return undefined
  }
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

/** What a join takes on each side. */
export function joinForms({ properties }: JoinNode): {
  readonly left: 'stream' | 'table'
  readonly right: 'stream' | 'table'
} {
  switch (properties.of) {
    case 'stream-stream':
      return { left: 'stream', right: 'stream' }
    case 'stream-table':
      return { left: 'stream', right: 'table' }
    case 'table-table':
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
