import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checksWhenThereIsWork } from './requestQueue.js'

class Queue {
  pending: string[] = []
  throttleCheckTimeoutId: NodeJS.Timeout | null = null
  throttledUntil = -1
  checked = 0
  declare scheduleCheckPendingRequests: () => void
  checkPendingRequests() {
    this.checked++
    this.scheduleCheckPendingRequests()
  }
}
checksWhenThereIsWork(Queue)

describe('A queue of requests', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('does nothing while nothing waits, throttled or not', () => {
    const queue = new Queue()
    queue.scheduleCheckPendingRequests()
    queue.throttledUntil = Date.now() + 50
    queue.scheduleCheckPendingRequests()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('looks again every 10 ms while something waits, and by one timer', () => {
    const queue = new Queue()
    queue.pending.push('request')
    queue.scheduleCheckPendingRequests()
    queue.scheduleCheckPendingRequests()
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(30)
    expect(queue.checked).toBe(3)
    queue.pending = []
    vi.advanceTimersByTime(50)
    expect([queue.checked, vi.getTimerCount()]).toEqual([4, 0])
  })

  it('waits for the end of a throttling', () => {
    const queue = new Queue()
    queue.pending.push('request')
    queue.throttledUntil = Date.now() + 200
    queue.scheduleCheckPendingRequests()
    vi.advanceTimersByTime(199)
    expect(queue.checked).toBe(0)
    vi.advanceTimersByTime(1)
    expect(queue.checked).toBe(1)
  })
})
