import { describe, expect, it } from 'vitest'
import { Wakeable } from './Wakeable.js'

describe('Wakeable', () => {
  it('wakes who waits', async () => {
    const wakeable = new Wakeable()
    let woken = false
    const waiting = wakeable.wait().then(() => {
      woken = true
    })
    await Promise.resolve()
    expect(woken).toBe(false)
    wakeable.wake()
    await waiting
  })

  it('remembers one call, however many there were, and forgets it once it has been waited for', async () => {
    const wakeable = new Wakeable()
    wakeable.wake()
    wakeable.wake()
    await wakeable.wait()
    let woken = false
    void wakeable.wait().then(() => {
      woken = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(woken).toBe(false)
  })
})
