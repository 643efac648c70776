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

const LINE_WIDTH = 120

/**
 * The text of a `topology.json`: two spaces, one fixed order of fields, a newline at the end, so that an edit
 * changes only its own lines in git. Nodes, edges and stores keep their order: it decides ties in the topology.
 */
export function writeDocument(document: TopologyDocument): string {
  return `${jsonText(ordered(document), '')}\n`
}

/** As a formatter of JSON would lay it out: positions and lists of plain values on one line where they fit. */
function jsonText(value: unknown, indent: string, column = indent.length): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    if (value.every(isPlain) && column + line.length < LINE_WIDTH) return line
    return `[\n${value.map((item) => `${inner}${jsonText(item, inner)}`).join(',\n')}\n${indent}]`
  }
  const fields = Object.entries(value)
  if (fields.length === 0) return '{}'
  if (fields.map(([name]) => name).join() === 'x,y')
    return `{ ${fields.map(([name, field]) => `"${name}": ${JSON.stringify(field)}`).join(', ')} }`
  const lines = fields.map(([name, field]) => {
    const head = `${inner}${JSON.stringify(name)}: `
    return `${head}${jsonText(field, inner, head.length)}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object'
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
