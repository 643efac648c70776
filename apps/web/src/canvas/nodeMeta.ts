import { branchNames, type DocumentNode, type WindowingNode, windowsOf } from '@lanescope/shared'
import { formatDuration } from '../model/duration.js'
import { kindFacts, longLabel, paletteKindOf } from '../model/nodeKinds.js'

/** What the line under a node's name says. */
export function metaOf(node: DocumentNode): string {
  switch (node.kind) {
    case 'source':
      return topicMeta(node.name, node.properties.topics, kindFacts(paletteKindOf(node)).label.toLowerCase())
    case 'through':
    case 'sink':
      return topicMeta(node.name, node.properties.topic === '' ? [] : [node.properties.topic])
    case 'count':
    case 'windowed-count':
    case 'session-count':
    case 'sliding-count':
    case 'reduce':
    case 'aggregate':
    case 'cogroup':
      return aggregateMeta(node)
    case 'branch':
      return `branch · ${branchNames(node).length}`
    case 'suppress':
      return node.properties.until === 'window-closes'
        ? 'suppress'
        : `suppress, ${formatDuration(node.properties.waitMs)}`
    case 'join': {
      const { of, how } = node.properties
      return how === 'inner' ? INNER_JOINS[of] : `${how} join, ${JOINED[of]}`
    }
    default:
      return longLabel(kindFacts(paletteKindOf(node))).toLowerCase()
  }
}

/** What is made of each key, or the windows that it is made in; and when it is sent on, where that is only at their close. */
function aggregateMeta(node: WindowingNode): string {
  const windows = windowsOf(node)
  if (windows === undefined) return node.kind
  const made = 'emit' in node.properties && node.properties.emit === 'window-close' ? 'on close' : MADE[node.kind]
  switch (windows.kind) {
    case 'time': {
      const { sizeMs, advanceMs } = windows
      return `${made}, ${formatDuration(sizeMs)}${advanceMs === undefined ? '' : ` / ${formatDuration(advanceMs)}`}`
    }
    case 'session':
      return `${made}, ${formatDuration(windows.gapMs)}`
    case 'sliding':
      return `${made}, ${formatDuration(windows.differenceMs)}`
  }
}

const MADE: { readonly [kind in WindowingNode['kind']]: string } = {
  count: 'count',
  'windowed-count': 'count',
  'session-count': 'session',
  'sliding-count': 'sliding',
  reduce: 'reduce',
  aggregate: 'aggregate',
  cogroup: 'cogroup',
}

type JoinOf = Extract<DocumentNode, { kind: 'join' }>['properties']['of']

const INNER_JOINS: { readonly [of in JoinOf]: string } = {
  'stream-stream': 'stream join',
  'stream-table': 'stream–table join',
  'stream-global': 'global table join',
  'table-table': 'table join',
  'foreign-key': 'foreign-key join',
}

const JOINED: { readonly [of in JoinOf]: string } = {
  'stream-stream': 'streams',
  'stream-table': 'table',
  'stream-global': 'global',
  'table-table': 'tables',
  'foreign-key': 'by key',
}

/** Topics by name; one that the node is named for need not be said again. */
function topicMeta(name: string, topics: readonly string[], what = 'topic'): string {
  if (topics.length === 0) return 'no topic yet'
  return topics.length === 1 && topics[0] === name ? what : topics.join(', ')
}
