import { formOf, type TopologyDocument } from '@lanescope/shared'
import { NODE_WIDTH, placeBeside } from '../layout.js'
import { canBeFed, canFeed, type KindFacts, NODE_KINDS, type PaletteKind, paletteKindOf } from '../nodeKinds.js'
import { downstreamOf, nodeById } from '../queries.js'
import { type Workspace, withDocument } from '../Workspace.js'
import { connectNodes, retypeStarter } from './connectNodes.js'
import { splice } from './edges.js'
import { addNode, moveNodes, type Position } from './nodes.js'

/** Where a new node goes. */
export type AddGoal =
  | { readonly to: 'free'; readonly position?: Position }
  | { readonly to: 'after' | 'before'; readonly node: string; readonly position?: Position }
  | { readonly to: 'edge'; readonly edge: string }

/** Room that a node in the middle of an edge needs, its chips on both sides among it. */
const ROOM = NODE_WIDTH + 2 * 72

/** Kinds that fit a goal. A global table and its joins fit each other alone. */
export function kindsFor(goal: AddGoal, document: TopologyDocument): readonly KindFacts[] {
  const node = goal.to === 'after' || goal.to === 'before' ? nodeById(document, goal.node) : undefined
  return NODE_KINDS.filter(({ kind }) => {
    if (goal.to === 'free') return true
    if (goal.to === 'after')
      return canBeFed(kind) && (kind === 'global-join' || !node || formOf(document, node) !== 'global-table')
    if (goal.to === 'before')
      return canFeed(kind) && (kind !== 'global-table' || !node || paletteKindOf(node) === 'global-join')
    return canBeFed(kind) && canFeed(kind)
  })
}

/** Adds a node and joins it as the goal says, in one edit. */
export function insertNode(
  workspace: Workspace,
  kind: PaletteKind,
  goal: AddGoal,
): { readonly workspace: Workspace; readonly id: string } {
  const { document } = workspace
  switch (goal.to) {
    case 'free':
      return addNode(workspace, kind, goal.position ?? placeBeside(document, undefined))
    case 'after':
      return addNode(workspace, kind, goal.position ?? placeBeside(document, goal.node), goal.node)
    case 'before': {
      const added = addNode(workspace, kind, goal.position ?? placeBeside(document, undefined))
      return { ...added, workspace: connectNodes(added.workspace, added.id, goal.node) }
    }
    case 'edge':
      return insertIntoEdge(workspace, kind, goal.edge)
  }
}

function insertIntoEdge(workspace: Workspace, kind: PaletteKind, edgeId: string) {
  const edge = workspace.document.edges.find((one) => one.id === edgeId)
  const from = edge && nodeById(workspace.document, edge.from)
  const to = edge && nodeById(workspace.document, edge.to)
  if (!edge || !from || !to) return addNode(workspace, kind, placeBeside(workspace.document, undefined))
  const gap = to.position.x - from.position.x - NODE_WIDTH
  const short = gap > 0 ? Math.max(0, ROOM - gap) : 0
  const x = from.position.x + NODE_WIDTH + (gap + short - NODE_WIDTH) / 2
  const added = addNode(workspace, kind, { x, y: to.position.y }, undefined)
  return {
    id: added.id,
    workspace: spliceInto(added.workspace, added.id, (document) => {
      const beyond = new Set([to.id, ...downstreamOf(document, to.id)])
      const moved = document.nodes.filter((node) => beyond.has(node.id) && node.position.x >= to.position.x)
      const places = new Map(moved.map((node) => [node.id, { x: node.position.x + short, y: node.position.y }]))
      const spliced = splice(moveNodes(document, places), edgeId, added.id)
      return 'document' in spliced ? spliced.document : document
    }),
  }
}

/** The change of the document, with the code of the node that came in between typed by what now reaches it. */
function spliceInto(
  workspace: Workspace,
  id: string,
  change: (document: TopologyDocument) => TopologyDocument,
): Workspace {
  return retypeStarter(withDocument(workspace, change), workspace.document, id)
}
