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
    return new Promise((resolve) => {
      if (typeof setImmediate === 'function') {
        setImmediate(resolve)
        return
      }
      // Also a turn of microseconds, where setTimeout(0) is clamped to a millisecond or more.
      const channel = new MessageChannel()
      channel.port1.onmessage = () => {
        channel.port1.close()
        resolve()
      }
      channel.port2.postMessage(0)
    })
  }
}
