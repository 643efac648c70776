import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { memo } from 'react'
import { useNodeLive } from '../live/overlay.js'
import { kindFacts, longLabel, toneOf } from '../model/nodeKinds.js'
import { useView } from '../store/context.js'
import { Glyph } from '../ui/Glyph.js'
import { SeverityMark } from '../ui/SeverityMark.js'
import { useCanvasActions } from './canvasActions.js'
import type { NodeFacts } from './flowModel.js'
import { LaneStrip } from './LaneStrip.js'
import { NodeNotes } from './NodeNotes.js'
import { RenameField } from './RenameField.js'
import { StoreTags } from './StoreTags.js'
import { useWireVerdict } from './wire.js'
import './node.css'

export type TopologyFlowNode = Node<{ readonly facts: NodeFacts }, 'topology'>

/** A node: silhouette by role, name and meta, lane strip at the foot, stores below, the finding's mark at the corner. */
export const TopologyNode = memo(function TopologyNode(props: NodeProps<TopologyFlowNode>) {
  const { facts } = props.data
  const { node, kind } = facts
  const actions = useCanvasActions()
  const renaming = useView((state) => state.renaming === node.id)
  const live = useView((state) => state.mode === 'live')
  const seen = useNodeLive(node.name)
  const now = live ? seen : undefined
  const wire = useWireVerdict(node.id)
  const refusal = typeof wire === 'object' ? wire.refusal : undefined
  const role = node.kind === 'source' || node.kind === 'sink' ? node.kind : 'step'
  const classes = ['tn', role]
  const tone = toneOf(node)
  if (tone !== undefined) classes.push(tone === 'timer' ? 'timed' : 'windowed')
  if (props.selected) classes.push('selected')
  if (facts.away) classes.push('away')
  if (facts.leftOut) classes.push(facts.waits === undefined ? 'left-out' : 'left-out waits')
  if (wire === 'valid') classes.push('wire-valid')
  if (refusal !== undefined) classes.push('wire-refused')
  if (now?.pressure) classes.push(now.pressure)
  if (now?.drops) classes.push(now.drops.most ? 'drops most' : 'drops')
  if (now?.stale !== undefined) classes.push('stale')
  if (now?.error !== undefined) classes.push('failed')
  const kindLabel = longLabel(kindFacts(kind))
  const severity = now?.error !== undefined ? 'error' : facts.severity
  return (
    <div className={classes.join(' ')} title={refusal ?? facts.waits}>
      {now && <span className="tn-busy" style={{ width: `${Math.round(Math.min(1, now.busy) * 100)}%` }} />}
      <NodeNotes facts={facts} beside={now?.beside} error={now?.error} drops={now?.drops} live={live} />
      <StoreTags stores={facts.stores} />
      <div className="tn-face">
        <div className="tn-name">
          <Glyph name={kindFacts(kind).glyph} size={14} />
          {renaming ? <RenameField node={node} /> : <span className="tn-label">{node.name}</span>}
        </div>
        <div className="tn-meta">{now?.stale ?? now?.meta ?? facts.meta}</div>
      </div>
      {role === 'step' && (
        <LaneStrip laneCount={facts.laneCount} proof={live ? undefined : facts.proof} busy={now?.lanes} />
      )}
      {node.kind !== 'source' && (
        <Handle type="target" position={Position.Left} className="tn-port" aria-label={`Into ${node.name}`} />
      )}
      {facts.sideEntry && (
        <Handle
          type="target"
          id={facts.sideEntry}
          position={facts.sideEntry === 'top' ? Position.Top : Position.Bottom}
          className={`tn-port side ${facts.sideEntry}`}
          aria-label={`Right side of ${node.name}`}
        />
      )}
      {node.kind !== 'sink' && (
        <Handle type="source" position={Position.Right} className="tn-port" aria-label={`Out of ${node.name}`} />
      )}
      {node.kind !== 'sink' && (
        <button
          type="button"
          className="tn-add nodrag nopan"
          tabIndex={props.selected ? 0 : -1}
          aria-label={`Add a node after ${node.name}`}
          title={`Add after this ${kindLabel.toLowerCase()}`}
          onClick={(event) => {
            event.stopPropagation()
            const box = event.currentTarget.getBoundingClientRect()
            actions.offerKinds({ x: box.right + 4, y: box.top }, { to: 'after', node: node.id })
          }}
        >
          <Glyph name="plus" size={10} />
        </button>
      )}
      {severity && (
        <button
          type="button"
          className="tn-mark nodrag nopan"
          aria-label={`Show what is wrong with ${node.name}`}
          onClick={(event) => {
            event.stopPropagation()
            actions.showFinding(node.id)
          }}
        >
          <SeverityMark severity={severity} size={17} />
        </button>
      )}
      {node.note && (
        <span className="tn-note" title={node.note}>
          <Glyph name="note" size={11} />
        </span>
      )}
    </div>
  )
})
