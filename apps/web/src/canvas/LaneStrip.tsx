import type { ByteProof } from '@lanescope/core'

/** More lanes than this share cells, so that a cell stays visible. */
const MOST_CELLS = 24

/** The lanes at a node's foot. In Design it marks both lanes of a split; in Live each cell is a lane's busy share. */
export function LaneStrip(props: {
  readonly laneCount: number
  readonly proof: ByteProof | undefined
  readonly busy: readonly number[] | undefined
}) {
  const { laneCount, proof, busy } = props
  const cells = Math.min(laneCount, MOST_CELLS)
  const cellOf = (lane: number) => Math.floor((lane * cells) / laneCount)
  const shown = proof?.laneCount === laneCount ? proof : undefined
  return (
    <div className="lane-strip" aria-hidden="true">
      {Array.from({ length: cells }, (_, cell) => {
        const record = shown && cellOf(shown.recordLane) === cell
        const timer = shown && cellOf(shown.timerLane) === cell
        const share = busy ? busiest(busy, laneCount, cells, cell) : 0
        const className = record && timer ? 'record both' : record ? 'record' : timer ? 'timer-lane' : ''
        const level =
          share > 0
            ? { background: `color-mix(in oklab, var(--flow) ${Math.round(20 + share * 80)}%, var(--line-strong))` }
            : undefined
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its index
        return <i key={cell} className={className} style={level} />
      })}
    </div>
  )
}

function busiest(busy: readonly number[], laneCount: number, cells: number, cell: number): number {
  let most = 0
  for (let lane = 0; lane < laneCount; lane++)
    if (Math.floor((lane * cells) / laneCount) === cell) most = Math.max(most, busy[lane] ?? 0)
  return Math.min(1, most)
}
