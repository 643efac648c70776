import { describe, expect, it } from 'vitest'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'
import { TimerRun } from './TimerRun.js'

const entry = (at: number, key = 0) => new TimerEntry(Uint8Array.of(key), at, undefined, -1, 0, NOT_STORED)

describe('the run of timers', () => {
  it('[T5] takes what comes after all others, by time and key, and nothing else', () => {
    const run = new TimerRun()
    const taken = [entry(1), entry(3), entry(2), entry(3), entry(3, 1), entry(3, 0), entry(4)].map((e) => run.append(e))
    expect(taken).toEqual([true, true, false, false, true, false, true])
    expect([...run.living()].map(({ at }) => at)).toEqual([1, 3, 3, 4])
  })

  it('takes anything again once it is empty', () => {
    const run = new TimerRun()
    run.append(entry(9))
    run.shift()
    expect([run.length, run.first, run.append(entry(1))]).toEqual([0, undefined, true])
  })

  it('keeps its order when thousands come and go', () => {
    const run = new TimerRun()
    let next = 0
    for (let at = 0; at < 10_000; at++) {
      run.append(entry(at))
      if (at % 3 === 0) continue
      expect(run.first?.at).toBe(next++)
      run.shift()
      expect(run.length).toBe(at + 1 - next)
    }
  })

  it('leaves husks in their places until they are swept', () => {
    const run = new TimerRun()
    const made = [1, 2, 3, 4].map((at) => entry(at))
    for (const one of made) run.append(one)
    run.shift()
    for (const one of [made[1], made[3]]) (one as TimerEntry).gone = true
    expect([run.length, run.first?.at, [...run.living()].map(({ at }) => at)]).toEqual([3, 2, [3]])
    run.sweep()
    expect([run.length, run.first?.at]).toEqual([1, 3])
  })
})
