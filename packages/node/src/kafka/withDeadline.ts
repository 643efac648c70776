import type { Clock } from '@lanescope/core'

/** The work's result, or `late()` as a rejection when it takes longer. The work itself is not stopped; nobody hears of its end. */
export function withDeadline<T>(clock: Clock, ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => reject(late()))
    work.then(resolve, reject).finally(() => timer.cancel())
  })
}
