import { useMemo, useRef } from 'react'
import { NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { searchNodes } from '../model/search.js'
import { useFindings, useProject, useView } from '../store/context.js'
import { useShownFinding, useShownProof } from '../store/shown.js'
import { type EdgeFacts, edgeFacts, type NodeFacts, nodeFacts, reuse } from './flowModel.js'
import type { TopologyFlowNode } from './TopologyNode.js'
import type { TrackFlowEdge } from './TrackEdge.js'

const SIZE = { width: NODE_WIDTH, height: NODE_HEIGHT }
const PORT = { width: 5, height: 11, y: (NODE_HEIGHT - 11) / 2 }
/** Where the ports are, told instead of measured: an edge is right before its node was ever drawn. */
const IN = { ...PORT, x: -2.5, type: 'target' as const, position: 'left' as never }
const OUT = { ...PORT, x: NODE_WIDTH - 2.5, type: 'source' as const, position: 'right' as never }
const SIDE = { width: 11, height: 5, x: (NODE_WIDTH - 11) / 2, type: 'target' as const }
/** The right side of a join with a table may come in from below or above. */
const SIDES = [
  { ...SIDE, id: 'bottom', y: NODE_HEIGHT - 2.5, position: 'bottom' as never },
  { ...SIDE, id: 'top', y: -2.5, position: 'top' as never },
]

/** What the canvas draws, rebuilt as little as the change asks for. `dragged` holds places that are not edits yet. */
export function useFlow(dragged: ReadonlyMap<string, { x: number; y: number }> | null) {
  const workspace = useProject((state) => state.workspace)
  const analysis = useFindings((state) => state.analysis)
  const selection = useView((state) => state.selection)
  const selectedEdge = useView((state) => state.edge)
  const search = useView((state) => state.search)
  const live = useView((state) => state.mode === 'live')
  const shown = useShownFinding()
  const finding = live ? undefined : shown
  const proof = useShownProof(finding)
  const known = useRef<{ nodes: ReadonlyMap<string, NodeFacts>; edges: ReadonlyMap<string, EdgeFacts> }>({
    nodes: new Map(),
    edges: new Map(),
  })

  const facts = useMemo(() => {
    const found = search ? new Set(searchNodes(workspace, search).map((hit) => hit.id)) : null
    const input = { document: workspace.document, analysis, finding, proof, found }
    const nodes = nodeFacts(input).map((one) => reuse(known.current.nodes, one.node.id, one))
    const edges = edgeFacts(input).map((one) => reuse(known.current.edges, one.edge.id, one))
    known.current = {
      nodes: new Map(nodes.map((one) => [one.node.id, one])),
      edges: new Map(edges.map((one) => [one.edge.id, one])),
    }
    return { nodes, edges }
  }, [workspace, analysis, finding, proof, search])

  const nodes = useMemo(
    () =>
      facts.nodes.map((one): TopologyFlowNode => {
        const { node } = one
        const handles = [
          ...(node.kind === 'source' ? [] : [IN]),
          ...(node.kind === 'join' ? SIDES : []),
          ...(node.kind === 'sink' ? [] : [OUT]),
        ]
        return {
          id: node.id,
          type: 'topology',
          position: dragged?.get(node.id) ?? node.position,
          data: { facts: one },
          selected: selection.includes(node.id),
          ...SIZE,
          measured: SIZE,
          handles,
          ariaLabel: node.name,
          domAttributes: { 'aria-roledescription': 'node' },
        }
      }),
    [facts.nodes, selection, dragged],
  )
  const edges = useMemo(
    () =>
      facts.edges.map(
        (one): TrackFlowEdge => ({
          id: one.edge.id,
          source: one.edge.from,
          target: one.edge.to,
          type: 'track',
          ...(one.entry !== 'left' && { targetHandle: one.entry }),
          data: { facts: one },
          selected: selectedEdge === one.edge.id,
          ariaLabel: `Edge from ${one.from} to ${one.to}`,
          ...(one.onPath && { zIndex: 1 }),
        }),
      ),
    [facts.edges, selectedEdge],
  )
  return { nodes, edges }
}
