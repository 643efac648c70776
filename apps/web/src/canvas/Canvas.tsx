import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useMemo, useRef, useState } from 'react'
import { AddMenu, type Offer } from '../features/palette/AddMenu.js'
import { useProject, useStores, useView } from '../store/context.js'
import { CanvasActionsProvider } from './canvasActions.js'
import { Furniture } from './Furniture.js'
import { NodeMenu } from './NodeMenu.js'
import { Regions } from './Regions.js'
import { TopologyNode } from './TopologyNode.js'
import { TrackEdge } from './TrackEdge.js'
import { useCanvasPort } from './useCanvasPort.js'
import { useDrops } from './useDrops.js'
import { useFlow } from './useFlow.js'
import { useMoves } from './useMoves.js'
import { useSelecting } from './useSelecting.js'
import { useWiring } from './useWiring.js'
import { useZoomLevel } from './useZoomLevel.js'
import { WirePreview } from './WirePreview.js'
import { WireProvider } from './wire.js'
import './canvas.css'

const NODE_TYPES: NodeTypes = { topology: TopologyNode }
const EDGE_TYPES: EdgeTypes = { track: TrackEdge }
const SNAP: [number, number] = [2, 2]
/** From here on, only what is in view is in the page. */
const MANY_NODES = 300
const PRO = { hideAttribution: true }

/** The one canvas of all modes. */
export function Canvas() {
  return (
    <ReactFlowProvider>
      <Flow />
    </ReactFlowProvider>
  )
}

function Flow() {
  const frame = useRef<HTMLDivElement>(null)
  const { view, findings } = useStores()
  const [offer, setOffer] = useState<Offer | null>(null)
  const moves = useMoves()
  const flow = useFlow(moves.dragged)
  const selecting = useSelecting()
  const wiring = useWiring(setOffer)
  const drops = useDrops()
  const zoomLevel = useZoomLevel()
  const locked = useView((state) => state.overlay !== null)
  const empty = useProject((state) => state.workspace.document.nodes.length === 0)
  const onMove = useCanvasPort(frame, setOffer)
  const actions = useMemo(
    () => ({
      offerKinds: (at: { readonly x: number; readonly y: number }, goal: Offer['goal']) => setOffer({ at, goal }),
      showFinding: (nodeId: string) => {
        const found = findings.getState().analysis?.findings.find((finding) => finding.nodeId === nodeId)
        if (found) view.getState().selectFinding(found.id, nodeId)
        else {
          view.getState().selectNodes([nodeId])
          view.getState().openTab('problems')
        }
      },
    }),
    [view, findings],
  )
  return (
    <CanvasActionsProvider value={actions}>
      <WireProvider value={wiring.wire}>
        <div ref={frame} tabIndex={-1} className={`canvas zoom-${zoomLevel}`} data-empty={empty || undefined}>
          <NodeMenu onOffer={setOffer}>
            <ReactFlow
              aria-label="Topology"
              nodes={flow.nodes}
              edges={flow.edges}
              nodeTypes={NODE_TYPES}
              edgeTypes={EDGE_TYPES}
              connectionLineComponent={WirePreview}
              proOptions={PRO}
              minZoom={0.1}
              maxZoom={2}
              snapToGrid
              snapGrid={SNAP}
              connectionRadius={28}
              disableKeyboardA11y
              deleteKeyCode={null}
              selectionKeyCode="Shift"
              multiSelectionKeyCode={MULTI}
              nodesFocusable
              edgesFocusable
              elementsSelectable={!locked}
              onlyRenderVisibleElements={flow.nodes.length > MANY_NODES}
              zoomOnDoubleClick={false}
              selectNodesOnDrag={false}
              onMove={onMove}
              {...selecting}
              {...moves.handlers}
              {...wiring.handlers}
              {...drops}
              onNodesChange={(changes) => {
                moves.onNodesChange(changes)
                selecting.onNodesChange(changes)
              }}
            >
              <Background
                variant={BackgroundVariant.Dots}
                gap={24}
                size={1.4}
                color="var(--grid-dot)"
                bgColor="var(--ground)"
              />
              <Regions />
            </ReactFlow>
          </NodeMenu>
          {empty && (
            <p className="canvas-empty">
              Nothing drawn yet. Drag a source from the left, or press <kbd>N</kbd>.
            </p>
          )}
          <Furniture />
          <AddMenu offer={offer} onClose={() => setOffer(null)} />
        </div>
      </WireProvider>
    </CanvasActionsProvider>
  )
}

const MULTI = ['Meta', 'Control']
