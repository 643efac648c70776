import type { Clock } from '../../time/Clock.js'

/** Awaits what must not keep a run from ending: not longer than `ms`, and whatever it comes to. `tell` gets what went wrong. */
export function settle(
  clock: Clock,
  ms: number,
  what: string,
  work: Promise<void> | undefined,
  tell: (line: string) => void,
): Promise<void> {
  if (work === undefined) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => {
      tell(`${what} has taken more than ${ms} ms and is left behind.`)
      resolve()
    })
    const done = () => {
      timer.cancel()
      resolve()
    }
    work.then(done, (error: unknown) => {
      tell(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      done()
    })
  })
}
