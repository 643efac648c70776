import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useMemo } from 'react'
import { insertNode } from '../model/commands/insert.js'
import { edgeAt } from '../model/hitEdge.js'
import { NODE_HEIGHT, NODE_WIDTH } from '../model/layout.js'
import { canBeFed, canFeed, kindFacts, longLabel, NODE_KINDS, type PaletteKind } from '../model/nodeKinds.js'
import { useStores } from '../store/context.js'

/** The type under which the palette hands a kind to the canvas. */
export const KIND_TYPE = 'application/x-lanescope-kind'

/** The kind that is dropped; undefined when it is something else. */
export function draggedKind(event: DragEvent): PaletteKind | undefined {
  return NODE_KINDS.find((facts) => facts.kind === event.dataTransfer.getData(KIND_TYPE))?.kind
}

/** Lets a kind be dropped where the event is. */
export function allowKind(event: DragEvent): void {
  if (!event.dataTransfer.types.includes(KIND_TYPE)) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

/** Dropping a kind from the palette: on an edge it goes into it, anywhere else it stands where it was dropped. */
export function useDrops() {
  const { project, view } = useStores()
  const { screenToFlowPosition } = useReactFlow()
  return useMemo(
    () => ({
      onDragOver: allowKind,
      onDrop: (event: DragEvent) => {
        const kind = draggedKind(event)
        if (!kind) return
        event.preventDefault()
        const point = screenToFlowPosition({ x: event.clientX, y: event.clientY })
        const { workspace } = project.getState()
        const edge = canFeed(kind) && canBeFed(kind) ? edgeAt(workspace.document, point) : undefined
        const position = { x: point.x - NODE_WIDTH / 2, y: point.y - NODE_HEIGHT / 2 }
        const added = insertNode(workspace, kind, edge === undefined ? { to: 'free', position } : { to: 'edge', edge })
        project.getState().edit(`Add ${longLabel(kindFacts(kind)).toLowerCase()}`, () => added.workspace)
        view.getState().selectNodes([added.id])
      },
    }),
    [project, view, screenToFlowPosition],
  )
}
