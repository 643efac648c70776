import { formOf, joinForms, joinInputs } from './nodeForms.js'
import type { Missing } from './problems.js'
import type { DocumentNode, JoinNode, TopologyDocument } from './TopologyDocument.js'

/** Both sides, each of the form that the join takes, and a function that finds a key where it goes by one. */
export function checkJoin(document: TopologyDocument, node: JoinNode, missing: Missing): void {
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
    else checkSide(document, { node, side, wanted: wanted[side], input }, missing)
  }
  checkHow(node, missing)
}

function checkHow({ name, properties: { of, how, selector } }: JoinNode, missing: Missing): void {
  if (how === 'outer' && (of === 'stream-table' || of === 'stream-global'))
    missing(
      'how',
      `"${name}" looks records up in a table: it can leave out what has no match, or keep it, and there is no outer join.`,
    )
  if (how === 'outer' && of === 'foreign-key')
    missing(
      'how',
      `"${name}" joins by a foreign key, which has no outer join: keep only pairs, or all of the left side.`,
    )
  if (selector !== undefined) return
  if (of === 'foreign-key')
    missing('selector', `"${name}" does not say where the foreign key of a row is: name a foreign-key extractor.`)
  if (of === 'stream-global')
    missing('selector', `"${name}" does not say which key of the global table a record looks up: name a key selector.`)
}

interface JoinSide {
  readonly node: JoinNode
  readonly side: 'left' | 'right'
  readonly wanted: 'stream' | 'table' | 'global-table'
  readonly input: DocumentNode
}

function checkSide(document: TopologyDocument, { node, side, wanted, input }: JoinSide, missing: Missing): void {
  const form = formOf(document, input)
  const where = `The ${side} side of "${node.name}"`
  if (form === 'global-table') {
    if (wanted !== 'global-table')
      missing(
        'edges',
        `${where} is a ${wanted}, and "${input.name}" is a global table: join a stream with it, by a global table join.`,
      )
  } else if (wanted === 'global-table')
    missing(
      'edges',
      `${where} is a global table, and "${input.name}" is none: read a topic as a global table, or swap the sides.`,
    )
  else if (wanted === 'table' && form === 'stream')
    missing(
      'edges',
      `${where} is a table, and "${input.name}" gives a stream: read a topic as a table, or swap the sides.`,
    )
  else if (wanted === 'table' && form === 'windowed-table')
    missing('edges', `The keys of "${input.name}" have windows, so "${node.name}" cannot find them by key alone.`)
}
