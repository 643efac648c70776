import { StreamError, type StreamErrorContext } from './StreamError.js'

/** What a proven split consists of (A2): one key, two byte strings, two lanes. */
export interface LaneSplit {
  readonly node: string
  readonly key: string
  readonly recordBytes: Uint8Array
  readonly timerBytes: Uint8Array
  readonly recordLane: number
  readonly timerLane: number
  readonly laneCount: number
}

/** A timer would fire on another lane than its key's records (A2, A4). Fatal: it stops the run. */
export class TimerLaneAffinityException extends StreamError {
  override readonly name = 'TimerLaneAffinityException'

  constructor(
    message: string,
    readonly split: LaneSplit,
    context: StreamErrorContext,
  ) {
    super(message, { code: 'TIMER_LANE_AFFINITY', kind: 'user', retriable: false, context })
  }

  override get fatal(): boolean {
    return true
  }
}
