import type { Blast } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import { spanText, timeText } from '../../time/timeText.js'

/** Of a record that is further ahead than its source's bound: where it is, its time, how far ahead, and what follows. */
export function futureMessage(
  source: string,
  at: RecordCoordinates,
  { aheadMs, boundMs }: { readonly aheadMs: number; readonly boundMs: number },
  consequence: string,
): string {
  return (
    `The record ${at.topic}-${at.partition} @ ${at.offset} is stamped ${timeText(at.timestamp)}, ${spanText(aheadMs)} ahead ` +
    `of the reference clock; source "${source}" lets in at most ${spanText(boundMs)}. ${consequence}`
  )
}

/** In words: what the record would have destroyed. */
export function describeBlast(blast: Blast): string {
  const parts = [
    ...blast.segments.map(
      ({ store, from, to, entries }) =>
        `segment ${timeText(from)} to ${timeText(to)} of store "${store}" with ${entries} entries would expire`,
    ),
    ...blast.windows.map((window) => `${window.count} open windows of "${window.node}" would close`),
    ...blast.timers.map((timer) => `${timer.count} pending timers of "${timer.node}" would fire`),
    ...blast.refuses.map(
      ({ from, to, where, reason }) =>
        `records ${from <= 0 ? '' : `from ${timeText(from)} `}before ${timeText(to)} would be refused by "${where}" (${reason})`,
    ),
  ]
  return parts.length === 0 ? 'Nothing would be lost.' : `With it: ${parts.join('; ')}.`
}
