import type { Node, NodeChange } from '@xyflow/react'
import { useCallback, useMemo, useState } from 'react'
import { splice } from '../model/commands/edges.js'
import { moveNodes, type Position } from '../model/commands/nodes.js'
import { edgeAt } from '../model/hitEdge.js'
import { NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { edgesInto, edgesOutOf } from '../model/queries.js'
import { type Workspace, withDocument } from '../model/Workspace.js'
import { useStores } from '../store/context.js'

/** Dragging nodes: places stay here until the drop, which is one edit. A loose node dropped on an edge goes into it. */
export function useMoves() {
  const { project, notice } = useStores()
  const [dragged, setDragged] = useState<ReadonlyMap<string, Position> | null>(null)

  const onNodesChange = useCallback((changes: readonly NodeChange[]) => {
    const moves = changes.filter((change) => change.type === 'position')
    if (!moves.some((move) => move.dragging && move.position)) return
    setDragged((before) => {
      const next = new Map(before)
      for (const move of moves) if (move.position) next.set(move.id, move.position)
      return next
    })
  }, [])

  const handlers = useMemo(() => {
    const drop = (nodes: readonly Node[]) => {
      const places = new Map(nodes.map((node) => [node.id, node.position]))
      setDragged(null)
      const { workspace } = project.getState()
      const moved = withDocument(workspace, (document) => moveNodes(document, places))
      const spliced = nodes.length === 1 && nodes[0] ? spliceLoose(moved, nodes[0].id) : undefined
      if (spliced && 'refusal' in spliced) notice.getState().say(spliced.refusal, 'caution')
      const next = spliced && 'workspace' in spliced ? spliced.workspace : moved
      project.getState().edit(next === moved ? 'Move' : 'Put into the edge', () => next)
    }
    return {
      onNodeDragStop: (_event: unknown, node: Node, nodes: Node[]) => drop(nodes.length > 0 ? nodes : [node]),
      onSelectionDragStop: (_event: unknown, nodes: Node[]) => drop(nodes),
    }
  }, [project, notice])

  return { dragged, onNodesChange, handlers }
}

/** A node without edges that was dropped on one. */
function spliceLoose(workspace: Workspace, id: string): { workspace: Workspace } | { refusal: string } | undefined {
  const { document } = workspace
  if (edgesInto(document, id).length > 0 || edgesOutOf(document, id).length > 0) return undefined
  const node = document.nodes.find((one) => one.id === id)
  if (!node) return undefined
  const centre = { x: node.position.x + NODE_WIDTH / 2, y: node.position.y + NODE_HEIGHT / 2 }
  const edge = edgeAt(document, centre, NODE_HEIGHT / 2)
  if (edge === undefined) return undefined
  const done = splice(document, edge, id)
  return 'refusal' in done ? done : { workspace: { ...workspace, document: done.document } }
}
