import type { TopologyDocument } from './TopologyDocument.js'

/** Fields in the order in which a person reads them; others follow by name. */
const FIRST = [
  'formatVersion',
  'id',
  'kind',
  'name',
  'form',
  'topic',
  'topics',
  'module',
  'export',
  'from',
  'to',
  'properties',
  'note',
  'position',
  'nodes',
  'edges',
  'stores',
  'types',
  'samples',
  'generators',
  'suppressions',
]

/**
 * The text of a `topology.json`: two spaces, one fixed order of fields, a newline at the end, so that an edit
 * changes only its own lines in git. Nodes, edges and stores keep their order: it decides ties in the topology.
 */
export function writeDocument(document: TopologyDocument): string {
  return `${positionsOnOneLine(JSON.stringify(ordered(document), null, 2))}\n`
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  entries.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  // A template is the user's own JSON: its fields stay in the user's order.
  return Object.fromEntries(entries.map(([name, field]) => [name, name === 'template' ? field : ordered(field)]))
}

function rank(field: string): number {
  const at = FIRST.indexOf(field)
  return at === -1 ? FIRST.length : at
}

/** A position is one thing, so it stands on one line. */
function positionsOnOneLine(text: string): string {
  return text.replace(/"position": \{\s+"x": (\S+),\s+"y": (\S+)\s+\}/g, '"position": { "x": $1, "y": $2 }')
}
