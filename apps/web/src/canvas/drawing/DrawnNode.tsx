import type { Severity } from '@lanescope/core'
import { formatDuration } from '../../model/duration.js'
import { NODE_HEIGHT, NODE_WIDTH, STORE_HEIGHT } from '../../model/layout.js'
import { kindFacts } from '../../model/nodeKinds.js'
import { Glyph } from '../../ui/Glyph.js'
import type { NodeFacts } from '../flowModel.js'
import type { Palette } from './palette.js'
import { fitted, widthOf } from './textRoom.js'

const ROUND = 23
const SQUARE = 4
const MOST_CELLS = 24

/** A node of the picture: silhouette by role, name and meta, lanes at the foot, stores below, the worst finding's shape. */
export function DrawnNode(props: { readonly facts: NodeFacts; readonly palette: Palette }) {
  const { facts, palette } = props
  const { node, kind } = facts
  const role = node.kind === 'source' || node.kind === 'sink' ? node.kind : 'step'
  const { glyph, tone } = kindFacts(kind)
  const left = role === 'source' ? 14 : 7
  const room = NODE_WIDTH - left - 22
  return (
    <g transform={`translate(${node.position.x} ${node.position.y})`}>
      {facts.stores.map((store, index) => {
        const kept = store.retentionMs === undefined ? '' : ` · ${formatDuration(store.retentionMs)}`
        const words = fitted(`${store.name}${kept}`, 170, 10.5)
        return (
          <g key={store.id} transform={`translate(8 ${NODE_HEIGHT + index * STORE_HEIGHT})`}>
            <rect
              x={0.5}
              y={-0.5}
              width={28 + widthOf(words, 10.5)}
              height={STORE_HEIGHT}
              rx={3}
              fill={palette.surface}
              stroke={palette['line-strong']}
            />
            <g transform="translate(5 2.5)" color={store.kind === 'window' ? palette.segment : palette['ink-3']}>
              <DrawnGlyph name="store" size={12} />
            </g>
            <text x={21} y={12} fontSize={10.5} fill={palette['ink-2']}>
              {words}
            </text>
          </g>
        )
      })}
      <path
        d={silhouette(role)}
        fill={palette.raised}
        stroke={facts.leftOut ? palette['danger-line'] : palette['line-strong']}
        {...(facts.leftOut ? { strokeDasharray: '4 3' } : {})}
      />
      <g
        transform={`translate(${left} 7)`}
        color={tone === 'timer' ? palette.timer : tone === 'segment' ? palette.segment : palette['ink-3']}
      >
        <DrawnGlyph name={glyph} size={14} />
      </g>
      <text x={left + 19} y={18.5} fontSize={12} fontWeight={500} fill={palette.ink}>
        {fitted(node.name, room, 12)}
      </text>
      <text x={left + 19} y={31.5} fontSize={10.5} fill={palette['ink-3']}>
        {fitted(facts.meta, room, 10.5)}
      </text>
      {role === 'step' && <Lanes count={facts.laneCount} fill={palette['line-strong']} />}
      {role !== 'source' && <rect x={-2.5} y={17.5} width={5} height={11} rx={1} fill={palette.rail} />}
      {role !== 'sink' && <rect x={NODE_WIDTH - 2.5} y={17.5} width={5} height={11} rx={1} fill={palette.rail} />}
      {facts.severity && <Mark severity={facts.severity} palette={palette} />}
    </g>
  )
}

function silhouette(role: 'source' | 'step' | 'sink'): string {
  const [l, r] = [role === 'source' ? ROUND : SQUARE, role === 'sink' ? ROUND : SQUARE]
  const [w, h] = [NODE_WIDTH, NODE_HEIGHT]
  const right = `H${w - r}A${r} ${r} 0 0 1 ${w} ${r}V${h - r}A${r} ${r} 0 0 1 ${w - r} ${h}`
  return `M${l} 0${right}H${l}A${l} ${l} 0 0 1 0 ${h - l}V${l}A${l} ${l} 0 0 1 ${l} 0Z`
}

/** A drawing has no style sheet: what a glyph needs is said here. */
function DrawnGlyph(props: { readonly name: Parameters<typeof Glyph>[0]['name']; readonly size: number }) {
  return (
    <g fill="none" stroke="currentColor" strokeWidth={1.3} strokeLinecap="round" strokeLinejoin="round">
      <Glyph {...props} />
    </g>
  )
}

function Lanes({ count, fill }: { readonly count: number; readonly fill: string }) {
  const cells = Math.min(count, MOST_CELLS)
  const step = (NODE_WIDTH - 16 + 2) / Math.max(1, cells)
  const at = Array.from({ length: cells }, (_, index) => 8 + index * step)
  return (
    <g fill={fill}>
      {at.map((x) => (
        <rect key={x} x={x} y={NODE_HEIGHT - 7} width={Math.max(0.5, step - 2)} height={3} />
      ))}
    </g>
  )
}

/** A shape for each severity, as everywhere. */
function Mark({ severity, palette }: { readonly severity: Severity; readonly palette: Palette }) {
  const sign = { fill: 'none', stroke: palette['on-mark'], strokeWidth: 1.6, strokeLinecap: 'round' } as const
  return (
    <g transform={`translate(${NODE_WIDTH - 10} -8)`}>
      {severity === 'error' && (
        <>
          <path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" fill={palette.danger} />
          <path d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.800" {...sign} />
        </>
      )}
      {severity === 'warn' && (
        <>
          <path d="M8 1.500 15 14.500H1z" fill={palette.caution} />
          <path d="M8 6v4M8 12.200v.2" {...sign} />
        </>
      )}
      {severity === 'hint' && (
        <>
          <circle cx={8} cy={8} r={6} fill={palette.raised} stroke={palette['ink-3']} />
          <path d="M8 7.400v3.800M8 5v.1" {...sign} stroke={palette['ink-3']} />
        </>
      )}
    </g>
  )
}
