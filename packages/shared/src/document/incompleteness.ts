import { formOf, isCounting, joinForms, joinInputs, needsDsl } from './nodeForms.js'
import type { DocumentNode, JoinNode, SourceNode, SuppressNode, TopologyDocument } from './TopologyDocument.js'

/** What a drawing still needs before it can run. It may be saved without. */
export interface MissingPart {
  readonly nodeId: string
  readonly node: string
  /** The property to fill in, or 'edges'. */
  readonly field: string
  readonly message: string
}

/** Kafka's rule for topic names; a sink's topic may be empty while it is drawn, so the schema does not hold it. */
const TOPIC = /^[A-Za-z0-9._-]{1,249}$/

type Missing = (field: string, message: string) => void

/** What each node still needs for a run, in document order; nothing when the topology is whole. */
export function incompleteness(document: TopologyDocument): MissingPart[] {
  const parts: MissingPart[] = []
  for (const node of document.nodes) {
    const missing: Missing = (field, message) => parts.push({ nodeId: node.id, node: node.name, field, message })
    switch (node.kind) {
      case 'source':
        checkSource(node, missing)
        continue
      case 'through':
      case 'sink':
        if (node.properties.topic === '') missing('topic', `"${node.name}" has no topic to write to yet: name one.`)
        else if (!TOPIC.test(node.properties.topic) || /^\.\.?$/.test(node.properties.topic)) {
          missing(
            'topic',
            `"${node.properties.topic}" cannot be the name of a topic: use ASCII letters, digits, ".", "_" and "-".`,
          )
        }
        break
      case 'windowed-count':
        if ((node.properties.advanceMs ?? 0) > node.properties.sizeMs)
          missing(
            'advanceMs',
            `The windows of "${node.name}" start further apart than they are long: records would fall between them.`,
          )
        break
      default:
        break
    }
    checkInputs(document, node, missing)
  }
  return parts
}

function checkSource(node: SourceNode, missing: Missing): void {
  const { topics, table } = node.properties
  if (topics.length === 0) missing('topics', `"${node.name}" reads no topic yet: name one.`)
  else if (table !== undefined && topics.length > 1)
    missing('topics', `"${node.name}" is a table, and a table reads one topic; it has ${topics.length}.`)
}

function checkInputs(document: TopologyDocument, node: DocumentNode, missing: Missing): void {
  const inputs = document.edges.filter((edge) => edge.to === node.id)
  if (node.kind === 'join') checkJoin(document, node, missing)
  else if (inputs.length === 0) missing('edges', `Nothing leads into "${node.name}" yet: draw an edge to it.`)
  else if (node.kind === 'merge') {
    if (inputs.length === 1) missing('edges', `"${node.name}" merges streams, and one leads into it: draw another.`)
  } else if (inputs.length > 1) tooMany(document, node, inputs.length, missing)
  else if (node.kind === 'suppress') checkSuppress(document, node, missing)
}

function tooMany(document: TopologyDocument, node: DocumentNode, inputs: number, missing: Missing): void {
  if (isCounting(node)) missing('edges', `"${node.name}" counts one stream, and ${inputs} lead into it.`)
  else if (node.kind === 'suppress')
    missing('edges', `"${node.name}" holds one table back, and ${inputs} lead into it.`)
  // In the DSL only a merge has several inputs.
  else if (needsDsl(document)) {
    missing(
      'edges',
      `Beside tables and operators, "${node.name}" can have one input, and ${inputs} lead into it: put a merge in front of it.`,
    )
  }
}

function checkSuppress(document: TopologyDocument, node: SuppressNode, missing: Missing): void {
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

function checkJoin(document: TopologyDocument, node: JoinNode, missing: Missing): void {
  const inputs = joinInputs(document, node.id)
  const more = document.edges.filter((edge) => edge.to === node.id).length - 2
  if (more > 0) {
    missing('edges', `"${node.name}" joins two inputs, and ${more + 2} lead into it.`)
    return
  }
  if (more === -2) {
    missing('edges', `Nothing leads into "${node.name}" yet: draw an edge to each of its two sides.`)
    checkHow(node, missing)
    return
  }
  const wanted = joinForms(node)
  for (const side of ['left', 'right'] as const) {
    const from = inputs[side]?.from
    const input = document.nodes.find(({ id }) => id === from)
    if (input === undefined)
      missing('edges', `Nothing leads into the ${side} side of "${node.name}" yet: draw an edge to it.`)
    else if (wanted[side] === 'table') checkTableSide(document, node, side, input, missing)
  }
  checkHow(node, missing)
}

function checkHow(node: JoinNode, missing: Missing): void {
  if (node.properties.how === 'outer' && node.properties.of === 'stream-table')
    missing(
      'how',
      `"${node.name}" looks records up in a table: it can leave out what has no match, or keep it, and there is no outer join.`,
    )
}

function checkTableSide(
  document: TopologyDocument,
  node: JoinNode,
  side: 'left' | 'right',
  input: DocumentNode,
  missing: Missing,
): void {
  const form = formOf(document, input)
  if (form === 'stream')
    missing(
      'edges',
      `The ${side} side of "${node.name}" is a table, and "${input.name}" gives a stream: read a topic as a table, or swap the sides.`,
    )
  if (form === 'windowed-table')
    missing('edges', `The keys of "${input.name}" have windows, so "${node.name}" cannot find them by key alone.`)
}
