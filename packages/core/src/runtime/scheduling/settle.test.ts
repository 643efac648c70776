import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../time/ManualClock.js'
import { settle } from './settle.js'

describe('settle', () => {
  const run = (work: Promise<void> | undefined, ms = 100) => {
    const clock = new ManualClock()
    const told: string[] = []
    let done = false
    const settling = settle(clock, ms, 'Closing', work, (line) => told.push(line)).then(() => {
      done = true
    })
    return { clock, told, settling, isDone: () => done }
  }

  it('resolves with its work, and says nothing', async () => {
    const { told, settling, clock } = run(Promise.resolve())
    await settling
    clock.advance(1000)
    expect(told).toEqual([])
    await run(undefined).settling
  })

  it('resolves though its work fails, and tells why', async () => {
    const { told, settling } = run(Promise.reject(new Error('stuck')))
    await settling
    expect(told).toEqual(['Closing: stuck'])
    const { told: more, settling: other } = run(Promise.reject('text'))
    await other
    expect(more).toEqual(['Closing: text'])
  })

  it('gives up after its time, and not before', async () => {
    const { clock, told, settling, isDone } = run(new Promise(() => undefined))
    clock.advance(99)
    await Promise.resolve()
    expect(isDone()).toBe(false)
    clock.advance(1)
    await settling
    expect(told).toEqual(['Closing has taken more than 100 ms and is left behind.'])
  })
})
