import type { Chip } from '@lanescope/shared'
import { chipText, chipWidth } from '../../model/chipText.js'
import type { Position } from '../../model/commands/nodes.js'
import { NODE_HEIGHT, NODE_WIDTH } from '../../model/layout.js'
import { chipPlace, type Entry, trackIntoSide, trackPath, trackPoints } from '../../model/track.js'
import type { EdgeFacts } from '../flowModel.js'
import type { Palette } from './palette.js'

const PORT = 2.5
const TURNS: { readonly [entry in Entry]: number } = { left: 0, top: 90, bottom: -90 }
/** Where a boundary's two bars stand, before the target. */
const GATE = 23
const LATE = 40
const CHIP = 18
/** What a mark in front of a chip's name takes. */
const MARK = 13
/** A chip that has no room on its run stands above it. */
const BESIDE = 40

/** An edge of the picture, as the canvas draws it at rest. */
export function DrawnEdge(props: {
  readonly facts: EdgeFacts
  readonly from: Position
  readonly to: Position
  readonly palette: Palette
}) {
  const { facts, palette } = props
  const from = { x: props.from.x + NODE_WIDTH + PORT, y: props.from.y + NODE_HEIGHT / 2 }
  const to = entryAt(props.to, facts.entry)
  const points =
    facts.entry === 'left' ? trackPoints(from, to, facts.bendsLate ? to.x - LATE : undefined) : trackIntoSide(from, to)
  const place = chipPlace(points)
  const broken = facts.chip?.status === 'unresolved'
  const stroke = broken ? palette['danger-line'] : palette.rail
  const room = Math.abs(to.x - from.x) - (facts.boundary ? GATE * 2 : 0)
  const above = facts.chip !== undefined && !place.vertical && room < chipWidth(facts.chip) + BESIDE
  return (
    <g fill="none">
      <path
        d={trackPath(points)}
        stroke={stroke}
        strokeWidth={1.75}
        {...(broken || facts.looksUp ? { strokeDasharray: '5 4' } : {})}
      />
      <g transform={`translate(${to.x} ${to.y}) rotate(${TURNS[facts.entry]})`} strokeWidth={1.5}>
        {facts.boundary ? (
          <>
            <path d={`M${-GATE - 2.5} -9V9M${-GATE + 2.5} -9V9`} stroke={palette.ground} strokeWidth={5} />
            <path d={`M${-GATE - 2.5} -9V9M${-GATE + 2.5} -9V9`} stroke={palette['ink-2']} />
          </>
        ) : (
          <path d="M-9 -3.5L-4.5 0L-9 3.5" stroke={stroke} strokeLinecap="round" strokeLinejoin="round" />
        )}
      </g>
      {facts.chip && <DrawnChip chip={facts.chip} x={place.x} y={above ? place.y - 19 : place.y} palette={palette} />}
      {facts.side && (
        <text x={to.x - 8} y={to.y - 6} fontSize={10} textAnchor="end" fill={palette['ink-3']}>
          {facts.side}
        </text>
      )}
    </g>
  )
}

function entryAt({ x, y }: Position, entry: Entry): Position {
  if (entry === 'left') return { x: x - PORT, y: y + NODE_HEIGHT / 2 }
  return { x: x + NODE_WIDTH / 2, y: entry === 'top' ? y - PORT : y + NODE_HEIGHT + PORT }
}

function DrawnChip(props: { readonly chip: Chip; readonly x: number; readonly y: number; readonly palette: Palette }) {
  const { chip, palette } = props
  const width = chipWidth(chip)
  const look = looks(palette)[chip.status]
  const marks = (chip.windowed ? 1 : 0) + (chip.status === 'unresolved' ? 1 : 0)
  const left = props.x - width / 2 + 6
  return (
    <g>
      <rect
        x={props.x - width / 2}
        y={props.y - CHIP / 2}
        width={width}
        height={CHIP}
        rx={2}
        fill={look.fill}
        {...(look.stroke === undefined ? {} : { stroke: look.stroke })}
        {...(chip.status === 'defaulted' ? { strokeDasharray: '3 2' } : {})}
      />
      {chip.status === 'unresolved' && (
        <path d={`M${left + 4} ${props.y - 4}l4 4-4 4-4-4z`} fill="none" stroke={look.text} strokeWidth={1.4} />
      )}
      {chip.windowed && (
        <path
          d={`M${left + (marks - 1) * MARK} ${props.y - 3.5}v7m4 -7v7m4 -7v7m-8 -3.5h8`}
          fill="none"
          stroke={look.text}
          strokeWidth={1.2}
        />
      )}
      <text
        x={props.x + (marks * MARK) / 2}
        y={props.y + 3.6}
        fontSize={10.5}
        fontWeight={500}
        fontFamily="'IBM Plex Mono', Menlo, Consolas, monospace"
        textAnchor="middle"
        fill={look.text}
      >
        {chipText(chip.label)}
      </text>
    </g>
  )
}

type Look = { readonly fill: string; readonly stroke?: string; readonly text: string }

function looks(palette: Palette): { readonly [status in Chip['status']]: Look } {
  return {
    declared: { fill: palette.serde, text: palette['on-serde'] },
    inherited: { fill: palette.ground, stroke: palette['serde-line'], text: palette.serde },
    defaulted: { fill: palette.ground, stroke: palette['caution-line'], text: palette.caution },
    unresolved: { fill: palette.danger, text: palette['on-mark'] },
  }
}
