import type { Edge, EdgeChange, Node, NodeChange } from '@xyflow/react'
import { type MouseEvent, useMemo } from 'react'
import { useStores } from '../store/context.js'

/** What a click selects. The view store holds the selection; the canvas only reports what was meant. */
export function useSelecting() {
  const { view } = useStores()
  return useMemo(
    () => ({
      onNodesChange: (changes: readonly NodeChange[]) => {
        const picks = changes.filter((change) => change.type === 'select')
        if (picks.length === 0) return
        const now = new Set(view.getState().selection)
        const before = now.size
        for (const pick of picks) {
          if (pick.selected) now.add(pick.id)
          else now.delete(pick.id)
        }
        const next = [...now]
        const same = next.length === before && next.every((id) => view.getState().selection.includes(id))
        if (!same) view.getState().selectNodes(next)
      },
      onEdgesChange: (changes: readonly EdgeChange[]) => {
        const pick = changes.find((change) => change.type === 'select' && change.selected)
        if (pick?.type === 'select') view.getState().set({ edge: pick.id, selection: [], findingId: null, panel: null })
      },
      onNodeClick: (event: MouseEvent, node: Node) => {
        if (event.shiftKey || event.ctrlKey || event.metaKey) return
        view.getState().selectNodes([node.id])
      },
      onEdgeClick: (_event: MouseEvent, edge: Edge) =>
        view.getState().set({ edge: edge.id, selection: [], findingId: null, panel: null }),
      onPaneClick: () => view.getState().set({ selection: [], edge: null, findingId: null, panel: null }),
      onNodeDoubleClick: (_event: MouseEvent, node: Node) => view.getState().set({ renaming: node.id }),
    }),
    [view],
  )
}
