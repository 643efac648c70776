import { MiniMap, type ReactFlowState, useStore } from '@xyflow/react'
import { useServices } from '../app/services.js'
import { useCommands } from '../features/commands/useCommands.js'
import { isBelowMinimap } from '../model/minimap.js'
import { useView } from '../store/context.js'
import { Glyph } from '../ui/Glyph.js'

const percent = (state: ReactFlowState) => Math.round(state.transform[2] * 100)
/** Below that it would cover a part of what it shows. */
const large = (state: ReactFlowState) => state.height > 420 && state.width > 960
/** A minimap of few nodes shows nothing that the canvas does not. */
const fewest = (state: ReactFlowState) => state.nodes.length >= 6

/** Whether a node lies below the minimap. */
const covers = ({ nodes, transform, height }: ReactFlowState) =>
  isBelowMinimap(
    nodes.map(({ position }) => position),
    transform,
    height,
  )

/** Minimap and zoom, in the lower left corner. */
export function Furniture() {
  const zoom = useStore(percent)
  const roomy = useStore(large)
  const many = useStore(fewest)
  const inTheWay = useStore(covers)
  const design = useView((state) => state.mode === 'design')
  const { canvas } = useServices()
  const commands = useCommands()
  return (
    <div className="furniture">
      {roomy && many && design && (
        <MiniMap
          className={inTheWay ? 'minimap gives-way' : 'minimap'}
          ariaLabel="Minimap"
          pannable
          zoomable
          nodeBorderRadius={4}
          nodeStrokeWidth={0}
          nodeColor={(node) => (node.selected ? 'var(--ink)' : 'var(--ink-3)')}
          maskColor="transparent"
          maskStrokeColor="var(--ink-3)"
          maskStrokeWidth={1}
          offsetScale={50}
          bgColor="transparent"
        />
      )}
      <div className="zoom" role="toolbar" aria-label="Zoom">
        <button
          type="button"
          className="icon-button"
          aria-label="Zoom out"
          onClick={() => canvas.current?.zoomBy(1 / 1.25)}
        >
          <Glyph name="minus" />
        </button>
        <button
          type="button"
          className="zoom-figure mono"
          aria-label={`Zoom ${zoom} %, set to 100 %`}
          onClick={() => canvas.current?.zoomTo(1)}
        >
          {zoom} %
        </button>
        <button type="button" className="icon-button" aria-label="Zoom in" onClick={() => canvas.current?.zoomBy(1.25)}>
          <Glyph name="plus" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Fit"
          title="Fit the whole graph (1)"
          onClick={() => commands.run('fit')}
        >
          <Glyph name="fit" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Tidy"
          title="Tidy (Shift Alt T)"
          onClick={() => commands.run('tidy')}
        >
          <Glyph name="tidy" />
        </button>
      </div>
    </div>
  )
}
