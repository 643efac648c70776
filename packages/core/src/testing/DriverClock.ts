import type { Cancellable } from '../time/Clock.js'
import { ManualClock } from '../time/ManualClock.js'

/** The test driver's clock: it stands still, so what sleeps by it goes on at once instead of for ever. */
export class DriverClock extends ManualClock {
  override after(_delayMs: number, fn: () => void): Cancellable {
    let cancelled = false
    void Promise.resolve().then(() => {
      if (!cancelled) fn()
    })
    return {
      cancel: () => {
        cancelled = true
      },
    }
  }
}
