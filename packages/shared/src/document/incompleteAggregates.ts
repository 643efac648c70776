import { formOf, windowsOf } from './nodeForms.js'
import type { Missing } from './problems.js'
import type { CogroupNode, DocumentNode, SuppressNode, TopologyDocument } from './TopologyDocument.js'

/** What the windows of an aggregation, and what goes with them, still need. */
export function checkWindows(node: DocumentNode, missing: Missing): void {
  const windows = windowsOf(node)
  if (windows?.kind === 'time' && (windows.advanceMs ?? 0) > windows.sizeMs)
    missing(
      'advanceMs',
      `The windows of "${node.name}" start further apart than they are long: records would fall between them.`,
    )
  if (node.kind !== 'reduce' && node.kind !== 'aggregate' && node.kind !== 'cogroup') return
  if (node.kind !== 'cogroup' && windows === undefined && node.properties.emit !== undefined)
    missing(
      'emit',
      `"${node.name}" is to emit when a window closes, and has no windows: give it some, or emit on every update.`,
    )
  if (node.kind !== 'reduce' && windows?.kind === 'session' && node.properties.merger === undefined)
    missing(
      'merger',
      `"${node.name}" aggregates sessions, and does not say what two that become one come to: name a merger.`,
    )
}

/** One function a stream, and streams alone. */
export function checkCogroup(document: TopologyDocument, node: CogroupNode, missing: Missing): void {
  for (const edge of document.edges) {
    if (edge.to !== node.id || edge.aggregator !== undefined) continue
    const from = document.nodes.find(({ id }) => id === edge.from)
    missing('edges', `"${node.name}" does not say how the records of "${from?.name}" are added: name an aggregator.`)
  }
}

/** One table, with windows where it waits for them to close. */
export function checkSuppress(document: TopologyDocument, node: SuppressNode, missing: Missing): void {
  const from = document.edges.find((edge) => edge.to === node.id)?.from
  const input = document.nodes.find(({ id }) => id === from)
  const form = input === undefined ? undefined : formOf(document, input)
  if (form === 'stream')
    missing(
      'edges',
      `"${node.name}" holds back updates of a table, and "${input?.name}" gives a stream: put a count in front of it.`,
    )
  else if (form === 'table' && node.properties.until === 'window-closes')
    missing(
      'until',
      `"${node.name}" waits for windows to close, and the keys of "${input?.name}" have none: wait for a time instead, or count in windows.`,
    )
}
