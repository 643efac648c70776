import type { RunFrame } from '@lanescope/shared'
import { mergeFrames } from './mergeFrames.js'

/** Above this many bytes not yet taken by the browser, a viewer is slow: frames wait and are merged. */
export const SLOW_ABOVE_BYTES = 1_000_000

/** Rare events that a slow viewer may be behind. One that is further behind must connect again. */
export const MOST_RARE_WAITING = 20_000

export interface FrameSink {
  /** Bytes handed to it that are still here. */
  buffered(): number
  /** `taken` is called once the bytes have left. */
  send(frame: RunFrame, taken: () => void): void
  /** The viewer is hopelessly behind. */
  giveUp(): void
}

/** One viewer's frames of one run: each at once, or merged while the viewer is slow, so that it never slows a run. */
export class FrameFeed {
  readonly #sink: FrameSink
  #waiting: RunFrame | undefined

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  push(frame: RunFrame): void {
    this.#waiting = this.#waiting === undefined ? frame : mergeFrames(this.#waiting, frame)
    this.flush()
  }

  /** Sends what waits, if the viewer can take it by now. */
  flush(): void {
    const frame = this.#waiting
    if (frame === undefined) return
    if (this.#sink.buffered() > SLOW_ABOVE_BYTES) {
      if (frame.rare.length > MOST_RARE_WAITING) this.#sink.giveUp()
      return
    }
    this.#waiting = undefined
    this.#sink.send(frame, () => this.flush())
  }
}
