import { describe, expect, it } from 'vitest'
import { type FutureGuarding, FutureJudge } from './FutureJudge.js'

/** The reference clock said 100 last, and would say 150 now; the bound is 10. */
function judge() {
  let asked = 0
  const reference = {
    latest: 100,
    now: () => {
      asked++
      return 150
    },
  }
  const guarding = { boundMs: 10, reference } as unknown as FutureGuarding
  return { judge: new FutureJudge(undefined as never, undefined as never, guarding), asked: () => asked }
}

describe('whether a time is ahead', () => {
  it('[F2] goes by the reference clock as it is now, and the bound is inclusive', () => {
    const { judge: future } = judge()
    expect([111, 160, 161].map((timestamp) => future.isAhead(timestamp))).toEqual([false, false, true])
  })

  it('does not look at the clock for what was within the bound a moment ago', () => {
    const { judge: future, asked } = judge()
    expect(future.isAhead(110)).toBe(false)
    expect(asked()).toBe(0)
    expect(future.isAhead(111)).toBe(false)
    expect(asked()).toBe(1)
  })
})
