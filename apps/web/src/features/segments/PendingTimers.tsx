import { formatOf } from '../../live/formatNumber.js'
import type { TimeAxis } from '../../live/timeAxis.js'
import type { WhatIf } from '../../live/whatIf.js'
import type { PendingRow } from './useStripModel.js'

export const PENDING_HEIGHT = 24

/** Pending timers of a node on the strips' axis; those that the what-if would make due are filled. */
export function PendingTimers(props: {
  readonly row: PendingRow
  readonly axis: TimeAxis
  readonly y: number
  readonly whatIf: WhatIf | null
}) {
  const { row, axis, y, whatIf } = props
  const due = row.timers.filter((timer) => whatIf !== null && timer.at <= whatIf.timestamp)
  const later = row.timers.filter((timer) => !due.includes(timer))
  const rings = (r: number) => (x: number) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`
  const path = (timers: PendingRow['timers']) => timers.map((timer) => rings(3.4)(axis.x(timer.at))).join('')
  return (
    <g className="pending-timers">
      <title>{`${formatOf(row.timers.length, 'timer')} of ${row.node} shown`}</title>
      <line x1={0} x2={axis.width} y1={y} y2={y} />
      <path d={path(later)} />
      <path className="due" d={path(due)} />
    </g>
  )
}
