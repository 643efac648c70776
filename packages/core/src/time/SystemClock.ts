import type { Cancellable, Clock } from './Clock.js'

/** The host's clock, for a running application in Node or in a browser. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now()
  }

  monotonic(): number {
    return performance.now()
  }

  after(delayMs: number, fn: () => void): Cancellable {
    const handle = setTimeout(fn, delayMs)
    return { cancel: () => clearTimeout(handle) }
  }

  yield(): Promise<void> {
    // A MessageChannel turn costs microseconds; setTimeout(0) is clamped to a millisecond or more.
    return new Promise((resolve) => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => {
        channel.port1.close()
        resolve()
      }
      channel.port2.postMessage(0)
    })
  }
}
