import { describe, expect, it } from 'vitest'
import { TimerForm } from './TimerForm.js'
import { IN_HEAP, NO_ROW, NOT_STORED, TimerRows } from './TimerRows.js'
import { TimerRun } from './TimerRun.js'

const form = new TimerForm()

function start() {
  const rows = new TimerRows()
  const run = new TimerRun(rows)
  const entry = (at: number, key = 0) => {
    const row = rows.add(form.set(Uint8Array.of(key), at, undefined), -1, NOT_STORED)
    rows.hold(row, IN_HEAP)
    return row
  }
  const firstAt = () => (run.first === NO_ROW ? undefined : rows.at(run.first))
  return { rows, run, entry, firstAt, living: () => [...run.living()].map((row) => rows.at(row)) }
}

describe('the run of timers', () => {
  it('[T5] takes what comes after all others, by time and key, and nothing else', () => {
    const { run, entry, living } = start()
    const taken = [entry(1), entry(3), entry(2), entry(3), entry(3, 1), entry(3, 0), entry(4)].map((e) => run.append(e))
    expect(taken).toEqual([true, true, false, false, true, false, true])
    expect(living()).toEqual([1, 3, 3, 4])
  })

  it('takes anything again once it is empty', () => {
    const { run, entry, firstAt } = start()
    run.append(entry(9))
    run.shift()
    expect([run.length, firstAt(), run.append(entry(1))]).toEqual([0, undefined, true])
  })

  it('keeps its order when thousands come and go', () => {
    const { run, entry, firstAt } = start()
    let next = 0
    for (let at = 0; at < 10_000; at++) {
      run.append(entry(at))
      if (at % 3 === 0) continue
      expect(firstAt()).toBe(next++)
      run.shift()
      expect(run.length).toBe(at + 1 - next)
    }
  })

  it('leaves husks in their places until they are swept', () => {
    const { rows, run, entry, firstAt, living } = start()
    const made = [1, 2, 3, 4].map((at) => entry(at))
    for (const one of made) run.append(one)
    run.shift()
    for (const one of [made[1], made[3]]) rows.setGone(one as number)
    expect([run.length, firstAt(), living()]).toEqual([3, 2, [3]])
    run.sweep()
    expect([run.length, firstAt()]).toEqual([1, 3])
    // Of the four, one is left here, and the first is still whose who shifted it.
    expect(rows.size).toBe(2)
  })
})
