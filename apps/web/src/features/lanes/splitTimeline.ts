import type { SeenSample, SeenTimerEvent } from '../../live/RunView.js'
import { niceStep } from '../../live/timeAxis.js'
import type { Split } from './laneBoard.js'

/** One thing that was seen of the split's key: a record dispatched or a timer that fired. */
export interface SplitMark {
  readonly id: number
  readonly at: number
  readonly what: 'record' | 'fired'
  readonly lane: number
  readonly label: string
}

/** What samples show of the key around the moment its split was proven, on the run's wall clock. */
export interface SplitTimeline {
  readonly from: number
  readonly to: number
  readonly stepMs: number
  readonly records: readonly SplitMark[]
  readonly timers: readonly SplitMark[]
}

/** Samples of the key further from the proof than this say nothing of it. */
const AROUND_MS = 10_000
/** The nearest so many of each are drawn. */
const MOST = 8

export function toSplitTimeline(
  split: Split,
  samples: readonly SeenSample[],
  timerEvents: readonly SeenTimerEvent[],
): SplitTimeline {
  const records = nearest(
    samples
      .filter((sample) => isAtSplit(sample, split))
      .map((sample) => ({
        id: sample.id,
        at: sample.at,
        what: 'record' as const,
        lane: sample.lane,
        label: sample.coordinates
          ? `${sample.coordinates.topic}-${sample.coordinates.partition} @ ${sample.coordinates.offset}`
          : 'record',
      })),
    split.at,
  )
  const timers = nearest(
    timerEvents
      .filter(({ what, timer }) => what === 'fired' && timer.node === split.node && timer.key === split.key)
      .map(({ id, at, timer, forwarded }) => ({
        id,
        at,
        what: 'fired' as const,
        lane: timer.lane,
        label: `onTimer, forwarded ${forwarded ?? 0}`,
      })),
    split.at,
  )
  return { ...frameAround(split.at, [...records, ...timers]), records, timers }
}

/** A record of the key on its way into the node, or being dispatched to its lane. */
function isAtSplit(sample: SeenSample, split: Split): boolean {
  const reaches = sample.to === null || sample.to === split.node
  return reaches && sample.key === split.key && sample.lane === split.recordLane
}

function nearest(marks: readonly SplitMark[], at: number): readonly SplitMark[] {
  return marks
    .filter((mark) => Math.abs(mark.at - at) <= AROUND_MS)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
    .slice(0, MOST)
    .sort((a, b) => a.at - b.at)
}

function frameAround(at: number, marks: readonly SplitMark[]): Pick<SplitTimeline, 'from' | 'to' | 'stepMs'> {
  const before = Math.max(0, ...marks.map((mark) => at - mark.at))
  const after = Math.max(0, ...marks.map((mark) => mark.at - at))
  const stepMs = niceStep(Math.max(10, before + after) / 4)
  return {
    from: at - Math.ceil((before + stepMs / 4) / stepMs) * stepMs,
    to: at + Math.ceil((after + stepMs / 4) / stepMs) * stepMs,
    stepMs,
  }
}
