/**
 * Windows that are known from the time of a record alone: `TimeWindows`, `UnlimitedWindows`, `CalendarWindows`, or your
 * own. `start` is inclusive, `end` exclusive. Times and durations in ms.
 */
export interface Windows {
  /** Windows of one id are the same: it tells the serdes of their keys apart. Default: `sizeMs`. */
  readonly id?: string
  /** How long a window may be: `sizeMs` + `graceMs` is what its store keeps at least. */
  readonly sizeMs: number
  /** How long after its end a window still takes records. */
  readonly graceMs: number
  /** The least distance between two starts. Default: `sizeMs`. For findings and forecasts alone. */
  readonly advanceMs?: number
  /** Starts of the windows that hold this time, ascending; none: the record is before the first window. */
  startsFor(timestamp: number): readonly number[]
  /** The exclusive end of the window that starts here, at most `sizeMs` behind it. */
  endOf(start: number): number
}
