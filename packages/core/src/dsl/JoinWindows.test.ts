import { describe, expect, it } from 'vitest'
import { days } from '../time/durations.js'
import { JoinWindows } from './JoinWindows.js'

describe('JoinWindows', () => {
  it('[B.7] lets times differ by as much to either side', () => {
    const { beforeMs, afterMs, graceMs, sizeMs, retentionMs, eager } = JoinWindows.ofTimeDifferenceAndGrace(10, 5)
    expect({ beforeMs, afterMs, graceMs, sizeMs, retentionMs, eager }).toEqual({
      beforeMs: 10,
      afterMs: 10,
      graceMs: 5,
      sizeMs: 20,
      retentionMs: 25,
      eager: false,
    })
    expect(JoinWindows.ofTimeDifferenceWithNoGrace(10).graceMs).toBe(0)
  })

  it('sets each side alone, and keeps the rest', () => {
    const windows = JoinWindows.ofTimeDifferenceAndGrace(10, 5).before(3).after(7)
    expect([windows.beforeMs, windows.afterMs, windows.graceMs, windows.sizeMs]).toEqual([3, 7, 5, 10])
    expect(JoinWindows.of(10).before(3).after(7).eager).toBe(true)
  })

  it('takes a negative side, down to an empty window', () => {
    expect(JoinWindows.ofTimeDifferenceWithNoGrace(10).after(-10).sizeMs).toBe(0)
    expect(() => JoinWindows.ofTimeDifferenceWithNoGrace(10).after(-11)).toThrow(
      'Window interval (ie, beforeMs+afterMs) must not be negative. Got before=[10], after=[-11]',
    )
    expect(() => JoinWindows.ofTimeDifferenceWithNoGrace(10).before(-11)).toThrow('must not be negative')
    expect(() => JoinWindows.ofTimeDifferenceWithNoGrace(-1)).toThrow('must not be negative')
  })

  it('refuses a negative grace, and what is no number of ms', () => {
    expect(() => JoinWindows.ofTimeDifferenceAndGrace(1, -1)).toThrow('Grace period')
    expect(JoinWindows.ofTimeDifferenceAndGrace(0, 0).retentionMs).toBe(0)
    expect(() => JoinWindows.ofTimeDifferenceWithNoGrace(1.5)).toThrow('1.5')
    expect(() => JoinWindows.ofTimeDifferenceWithNoGrace(1).after(Number.NaN)).toThrow('after side of a join window')
  })

  it('[B.7] of: keeps a day, unless told another grace', () => {
    expect(JoinWindows.of(10).retentionMs).toBe(days(1))
    expect(JoinWindows.of(10).graceMs).toBe(days(1) - 20)
    expect(JoinWindows.of(days(1)).graceMs).toBe(0)
    expect([JoinWindows.of(10).grace(5).graceMs, JoinWindows.of(10).grace(5).eager]).toEqual([5, true])
  })
})
