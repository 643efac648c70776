import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { memo, useState } from 'react'
import { useEdgeLive } from '../live/overlay.js'
import { spacedHex } from '../model/byteProof.js'
import { chipWidth } from '../model/chipText.js'
import type { Position } from '../model/commands/nodes.js'
import { chipPlace, trackIntoSide, trackPath, trackPoints } from '../model/track.js'
import { useView } from '../store/context.js'
import { Glyph } from '../ui/Glyph.js'
import { useCanvasActions } from './canvasActions.js'
import type { EdgeFacts } from './flowModel.js'
import { SerdeChip } from './SerdeChip.js'
import './edge.css'

export type TrackFlowEdge = Edge<{ readonly facts: EdgeFacts }, 'track'>

/** Edge width by rate, as the square root, between a hairline and a node's half. */
function widthOf(ratePerSecond: number): number {
  return Math.min(10, Math.max(1.5, Math.sqrt(ratePerSecond) / 4.6))
}

/** Which way an edge points where it comes in, in degrees. */
const TURNS = { left: 0, top: 90, bottom: -90 } as const
/** How far in front of a port a track bends that comes as its second. */
const LATE = 40

function pointsOf(facts: EdgeFacts, from: Position, to: Position): readonly Position[] {
  if (facts.entry !== 'left') return trackIntoSide(from, to)
  return trackPoints(from, to, facts.bendsLate ? to.x - LATE : undefined)
}

/** Where on a vertical run a chip stands; one with the name of a branch is further on, where the tracks of a split are apart. */
const MIDDLE = 0.5
const FURTHER = 0.68
/** Where a boundary's two bars stand, before the target. */
const GATE = 23
/** On both sides of a chip, for the arrow and for the button that adds after the source; a chip without stands above. */
const BESIDE_CHIP = 20
/** The room that the name of a branch takes, where no chip is known yet. */
const WORDS = 60

/** An edge: straight runs and 45° switches, the key's serde as a chip, two bars where the key changes lanes. */
export const TrackEdge = memo(function TrackEdge(props: EdgeProps<TrackFlowEdge>) {
  const { facts } = props.data ?? { facts: undefined }
  const [near, setNear] = useState(false)
  const live = useView((state) => state.mode === 'live')
  const seen = useEdgeLive(facts?.from ?? '', facts?.to ?? '')
  if (!facts) return null
  const now = live ? seen : undefined
  const points = pointsOf(facts, { x: props.sourceX, y: props.sourceY }, { x: props.targetX, y: props.targetY })
  const path = trackPath(points)
  const broken = facts.chip?.status === 'unresolved'
  const classes = ['track']
  if (facts.onPath && !live) classes.push('on-path')
  if (facts.away) classes.push('away')
  if (broken) classes.push('broken')
  if (facts.looksUp) classes.push('looks-up')
  if (props.selected) classes.push('selected')
  if (now) classes.push('live')
  const width = now ? widthOf(now.ratePerSecond) : undefined
  return (
    <g className={classes.join(' ')} onPointerEnter={() => setNear(true)} onPointerLeave={() => setNear(false)}>
      <BaseEdge
        id={props.id}
        path={path}
        interactionWidth={18}
        {...(width === undefined ? {} : { style: { strokeWidth: width } })}
      />
      {now && now.ratePerSecond > 0 && width !== undefined && (
        <path className="track-moving" d={path} strokeWidth={Math.max(1, width * 0.34)} />
      )}
      {!facts.boundary && (
        <path
          className="track-arrow"
          d="M-9 -3.5L-4.5 0L-9 3.5"
          transform={`translate(${props.targetX} ${props.targetY}) rotate(${TURNS[facts.entry]})`}
        />
      )}
      {facts.boundary && (
        <g
          className="track-gate"
          transform={`translate(${props.targetX} ${props.targetY}) rotate(${TURNS[facts.entry]}) translate(${-GATE} 0)`}
        >
          <path className="gap" d="M-2.5 -9V9M2.5 -9V9" />
          <path d="M-2.5 -9V9M2.5 -9V9" />
        </g>
      )}
      <EdgeLabel
        facts={facts}
        points={points}
        rate={now?.text}
        live={live}
        near={near || (props.selected ?? false)}
        onNear={setNear}
      />
    </g>
  )
})

function EdgeLabel(props: {
  readonly facts: EdgeFacts
  readonly points: ReturnType<typeof trackPoints>
  readonly rate: string | undefined
  readonly live: boolean
  readonly near: boolean
  readonly onNear: (near: boolean) => void
}) {
  const { facts, points, rate, live, near, onNear } = props
  const actions = useCanvasActions()
  const words = [facts.branch, facts.side].filter((word) => word !== undefined).join(' · ')
  const place = chipPlace(points, facts.branch === undefined ? MIDDLE : FURTHER)
  const first = points[0] ?? place
  const last = points.at(-1) ?? place
  const room = Math.abs(last.x - first.x) - (facts.boundary ? GATE * 2 : 0)
  const needs = facts.chip === undefined ? WORDS : chipWidth(facts.chip)
  const short = !live && !place.vertical && room < needs + BESIDE_CHIP * 2
  return (
    <EdgeLabelRenderer>
      <div
        className={`edge-label nopan${short ? ' above' : ''}`}
        style={{ transform: `translate(-50%, -50%) translate(${place.x}px, ${place.y}px)` }}
        onPointerEnter={() => onNear(true)}
        onPointerLeave={() => onNear(false)}
      >
        {live
          ? rate !== undefined && <span className={place.vertical ? 'edge-rate' : 'edge-rate raised'}>{rate}</span>
          : facts.chip && <SerdeChip chip={facts.chip} away={facts.away} />}
        {words !== '' && <span className="edge-side">{words}</span>}
        {live && facts.looksUp && <span className="edge-rate raised">looked up</span>}
        {!live && facts.bytes && <span className="edge-bytes">{spacedHex(facts.bytes.slice(0, 8))}</span>}
        {near && (
          <button
            type="button"
            className="edge-add nodrag"
            aria-label={`Add a node between ${facts.from} and ${facts.to}`}
            onClick={(event) => {
              event.stopPropagation()
              const box = event.currentTarget.getBoundingClientRect()
              actions.offerKinds({ x: box.right + 4, y: box.top }, { to: 'edge', edge: facts.edge.id })
            }}
          >
            <Glyph name="plus" size={10} />
          </button>
        )}
      </div>
    </EdgeLabelRenderer>
  )
}
