import { StreamError } from '../../errors/StreamError.js'
import type { Clock } from '../../time/Clock.js'
import type { FetchedBatch, FetchRequest } from '../RecordLog.js'

type Collect = () => readonly FetchedBatch[] | Promise<readonly FetchedBatch[]>

/** How a session's `fetch` waits: for news, for its time to be over, or to be woken. One at a time. */
export class FetchLoop {
  #pending = false
  #woken = false
  /** Set by what may end a wait; looked at before waiting, so that nothing in between is missed. */
  #stirred = false
  #wake: (() => void) | undefined

  constructor(private readonly clock: Clock) {}

  /**
   * Collects until there is something, or the time is over.
   *
   * @param collect may throw, which ends the fetch
   * @throws StreamError ILLEGAL_STATE while another fetch is pending
   */
  async run(request: FetchRequest, collect: Collect): Promise<readonly FetchedBatch[]> {
    if (this.#pending) {
      throw new StreamError('A fetch is pending already; await it before the next one', {
        code: 'ILLEGAL_STATE',
        kind: 'bug',
        retriable: false,
      })
    }
    this.#pending = true
    this.#woken = false
    try {
      return await this.#collectOrWait(request.maxWaitMs, collect)
    } finally {
      this.#pending = false
    }
  }

  /** There may be news: a waiting fetch looks again. */
  stir(): void {
    this.#stirred = true
    this.#wake?.()
  }

  /** Makes a pending fetch return at once, with what there is. */
  wakeUp(): void {
    this.#woken = true
    this.stir()
  }

  async #collectOrWait(maxWaitMs: number, collect: Collect): Promise<readonly FetchedBatch[]> {
    const deadline = this.clock.monotonic() + maxWaitMs
    for (;;) {
      this.#stirred = false
      const batches = await collect()
      const left = deadline - this.clock.monotonic()
      if (batches.length > 0 || this.#woken || left <= 0) return batches
      if (!this.#stirred) await this.#wait(left)
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.clock.after(ms, () => this.stir())
      this.#wake = () => {
        timer.cancel()
        this.#wake = undefined
        resolve()
      }
    })
  }
}
