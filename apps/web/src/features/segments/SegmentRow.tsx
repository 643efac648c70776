import { formatCount } from '../../live/formatNumber.js'
import { formatBound, formatDateTime, formatDuration } from '../../live/formatTime.js'
import type { TimeAxis } from '../../live/timeAxis.js'
import { coordinatesText, fitting, segmentLabel, stateWords } from './segmentLabel.js'
import type { SegmentBox, SegmentStrip } from './segmentStrip.js'

export const ROW_HEIGHT = 104
const BOX_Y = 18
const BOX_HEIGHT = 40
const BASE = BOX_Y + BOX_HEIGHT

export interface SegmentRowProps {
  readonly strip: SegmentStrip
  readonly axis: TimeAxis
  readonly y: number
  readonly selected: number | null
  readonly onSelect: (segment: number | null) => void
}

/** One windowed store on the axis: its segments, what was refused, and how far back reads see. */
export function SegmentRow(props: SegmentRowProps) {
  const { strip, axis, y, selected, onSelect } = props
  return (
    <g transform={`translate(0 ${y})`} className="segment-row">
      <line className="segment-base" x1={0} x2={axis.width} y1={BASE} y2={BASE} />
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no lists of its own. */}
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a group is not interactive. */}
      <g role="list" aria-label={`Segments of ${strip.store}`}>
        {strip.boxes.map((box) => (
          <Box
            key={`${box.segment}-${box.state === 'expired'}`}
            store={strip.store}
            box={box}
            axis={axis}
            observed={strip.observed}
            selected={selected === box.segment}
            onSelect={() => onSelect(selected === box.segment ? null : box.segment)}
          />
        ))}
      </g>
      <RefusedPuts strip={strip} axis={axis} />
      <ReadsSee strip={strip} axis={axis} />
    </g>
  )
}

function Box(props: {
  readonly store: string
  readonly box: SegmentBox
  readonly axis: TimeAxis
  readonly observed: number
  readonly selected: boolean
  readonly onSelect: () => void
}) {
  const { store, box, axis, observed, selected, onSelect } = props
  const x0 = axis.x(box.from)
  const x1 = axis.x(box.to)
  const width = Math.max(3, x1 - x0 - 2)
  const label = segmentLabel(store, box)
  const className = `segment-box ${box.state} ${box.taken ? 'taken' : ''} ${selected ? 'selected' : ''}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no list items of its own.
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: an item of the list that can be chosen.
    <g
      role="listitem"
      tabIndex={0}
      aria-label={label}
      className={className}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onSelect()
      }}
    >
      <title>{label}</title>
      <rect className="segment-ground" x={x0 + 1} y={BOX_Y} width={width} height={BOX_HEIGHT} />
      {box.state === 'filling' && (
        <rect
          className="segment-filled"
          x={x0 + 1}
          y={BOX_Y}
          width={Math.max(2, axis.x(observed) - x0 - 1)}
          height={BOX_HEIGHT}
        />
      )}
      {box.state === 'expired' && (
        <rect className="segment-hatch" x={x0 + 1} y={BOX_Y} width={width} height={BOX_HEIGHT} />
      )}
      {box.taken && <rect className="segment-going" x={x0 + 1} y={BASE - 8} width={width} height={8} />}
      <rect className="segment-frame" x={x0 + 1} y={BOX_Y} width={width} height={BOX_HEIGHT} />
      <BoxWords box={box} x={x0} width={width} observedX={axis.x(observed)} />
    </g>
  )
}

interface BoxWordsProps {
  readonly box: SegmentBox
  readonly x: number
  readonly width: number
  readonly observedX: number
}

function BoxWords({ box, x, width, observedX }: BoxWordsProps) {
  if (width < 34) return null
  const expired = box.state === 'expired'
  // In a segment that is being filled the words stand on the roomier side of the observed time's line.
  const filled = observedX - x
  const right = box.state === 'filling' && filled < width / 2
  const inset = right ? filled + 6 : 7
  const room = box.state === 'filling' && !right ? Math.min(width, filled) - inset - 3 : width - inset - 1
  const from = fitting(formatBound(box.from, box.to - box.from), room)
  const entries = `${expired ? 'held ' : ''}${formatCount(box.entries)}`
  const state = box.taken ? 'would expire' : stateWords(box)
  return (
    <g>
      {width > state.length * 5.4 && (
        <text
          className={`segment-state ${box.state} ${box.taken ? 'taken' : ''}`}
          x={x + (inset > 7 && inset < 40 ? inset - 1 : 1)}
          y={BOX_Y - 6}
        >
          {state}
        </text>
      )}
      {from !== undefined && (
        <text className="segment-from" x={x + inset} y={BOX_Y + 15}>
          {from}
        </text>
      )}
      {fitting(entries, room) !== undefined && (
        <text className="segment-entries" x={x + inset} y={BOX_Y + 30}>
          {entries}
          {room > 84 ? (box.entries === 1 ? ' entry' : ' entries') : ''}
        </text>
      )}
    </g>
  )
}

function RefusedPuts({ strip, axis }: { readonly strip: SegmentStrip; readonly axis: TimeAxis }) {
  const placed = strip.refused.filter((put) => put.at >= 0)
  if (strip.refusedCount === 0) return null
  const first = Math.min(axis.width, ...placed.map((put) => axis.x(put.at)))
  const words = `${formatCount(strip.refusedCount)} ${strip.refusedCount === 1 ? 'put' : 'puts'} refused`
  return (
    <g className="segment-refused">
      {placed.map((put) => (
        <path key={put.n} d={`M${axis.x(put.at)} ${BASE + 3}l3.6 6.4h-7.2z`}>
          <title>
            {put.coordinates ? `${coordinatesText(put.coordinates)}, ${formatDateTime(put.at)}, ` : ''}
            {put.count} refused
          </title>
        </path>
      ))}
      <text x={Math.max(0, first - 8)} y={BASE + 23} textAnchor={first < words.length * 6 ? 'start' : 'middle'}>
        {words}
      </text>
    </g>
  )
}

function ReadsSee({ strip, axis }: { readonly strip: SegmentStrip; readonly axis: TimeAxis }) {
  if (strip.observed < 0) return null
  const x0 = Math.max(0, axis.x(Math.max(0, strip.readableAbove)))
  const x1 = axis.x(strip.observed)
  const y = BASE + 12
  const words = `reads see ${formatDuration(strip.retentionMs)}`
  const half = words.length * 3 + 6
  const middle = (x0 + x1) / 2
  const tight = x1 - x0 < half * 2 + 16
  return (
    <g className="segment-reads">
      <path
        d={tight ? `M${x0} ${y - 5}v5H${x1}v-5` : `M${x0} ${y - 5}v5H${middle - half}M${middle + half} ${y}H${x1}v-5`}
      />
      <text
        // Where it has no room between its ends it stands below them, and ends in front of the clock's line.
        x={tight ? Math.max(2 * half - 12, x1 - 6) : middle}
        y={tight ? y + 14 : y + 4}
        textAnchor={tight ? 'end' : 'middle'}
      >
        {words}
      </text>
    </g>
  )
}
