import { checkCogroup, checkSuppress, checkWindows } from './incompleteAggregates.js'
import { checkJoin } from './incompleteJoins.js'
import { checkTypes } from './incompleteTypes.js'
import { formOf, isAggregating, isCounting, needsDsl } from './nodeForms.js'
import type { Missing } from './problems.js'
import type { DocumentNode, SourceNode, TopologyDocument } from './TopologyDocument.js'

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

/** What each node still needs for a run, in document order; nothing when the topology is whole. */
export function incompleteness(document: TopologyDocument): MissingPart[] {
  return partsOf(document, (node, missing) => {
    checkNode(document, node, missing)
    checkTypes(document, node, missing)
  })
}

/** Those without which a node cannot be built. A type that is none keeps it from running, and no more. */
export function unbuildable(document: TopologyDocument): MissingPart[] {
  return partsOf(document, (node, missing) => checkNode(document, node, missing))
}

function partsOf(document: TopologyDocument, check: (node: DocumentNode, missing: Missing) => void): MissingPart[] {
  return document.nodes.flatMap((node) => {
    const parts: MissingPart[] = []
    check(node, (field, message) => parts.push({ nodeId: node.id, node: node.name, field, message }))
    return parts
  })
}

function checkNode(document: TopologyDocument, node: DocumentNode, missing: Missing): void {
  switch (node.kind) {
    case 'source':
      checkSource(node, missing)
      return
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
    case 'branch':
      if (node.properties.branches.length === 0)
        missing('branches', `"${node.name}" has no branch yet: add one, with the function that picks its records.`)
      break
    default:
      break
  }
  checkWindows(node, missing)
  checkInputs(document, node, missing)
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
  else if (checkGlobal(document, node, missing)) return
  else if (node.kind === 'merge') {
    if (inputs.length === 1) missing('edges', `"${node.name}" merges streams, and one leads into it: draw another.`)
  } else if (node.kind === 'cogroup') checkCogroup(document, node, missing)
  else if (inputs.length > 1) tooMany(document, node, inputs.length, missing)
  else if (node.kind === 'suppress') checkSuppress(document, node, missing)
}

/** A global table gives no records: nothing but a join reads it. */
function checkGlobal(document: TopologyDocument, node: DocumentNode, missing: Missing): boolean {
  const global = document.nodes.find(
    (one) =>
      formOf(document, one) === 'global-table' &&
      document.edges.some((edge) => edge.from === one.id && edge.to === node.id),
  )
  if (global === undefined) return false
  missing(
    'edges',
    `"${global.name}" is a global table, in which only a join of a stream looks records up: "${node.name}" cannot read it. Read the topic as a table, or join a stream with it.`,
  )
  return true
}

function tooMany(document: TopologyDocument, node: DocumentNode, inputs: number, missing: Missing): void {
  if (isCounting(node)) missing('edges', `"${node.name}" counts one stream, and ${inputs} lead into it.`)
  else if (isAggregating(node))
    missing('edges', `"${node.name}" aggregates one stream, and ${inputs} lead into it: merge or cogroup them.`)
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
