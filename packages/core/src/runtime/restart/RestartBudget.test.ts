import { describe, expect, it } from 'vitest'
import { hasPassed, RestartBudget, restartFacts } from './RestartBudget.js'

const at = (offset: number) => ({ topic: 't', partition: 0, offset })

describe('RestartBudget', () => {
  it('[E4] waits 0.1 s, then four times as long each time, at most 30 s, and gives up after five', () => {
    const budget = new RestartBudget()
    const plans = Array.from({ length: 6 }, () => budget.onFault(undefined))
    expect(plans.map((plan) => (plan.kind === 'restart' ? plan.delayMs : plan.kind))).toEqual([
      100,
      400,
      1600,
      6400,
      25_600,
      'give-up',
    ])
  })

  it('[E4] the second abort at the same coordinates asks for a cut just before them', () => {
    const budget = new RestartBudget()
    const cuts = [at(5), at(6), at(6), at(6), at(5)].map((coordinates) => {
      const plan = budget.onFault(coordinates)
      return plan.kind === 'restart' ? plan.cutBefore?.offset : plan.kind
    })
    expect(cuts).toEqual([undefined, undefined, 6, 6, undefined])
  })

  it('[E4] only a commit that passes the failed record refills it', () => {
    const budget = new RestartBudget()
    for (let i = 0; i < 5; i++) budget.onFault(at(5))
    budget.onCommit((failed) => (failed.offset as number) < 5)
    expect(budget.onFault(at(5)).kind).toBe('give-up')
    budget.onCommit((failed) => (failed.offset as number) < 6)
    expect(budget.onFault(at(5))).toMatchObject({ kind: 'restart', delayMs: 100, cutBefore: undefined })
  })

  it('[E4] a fault that goes back to no record is passed by any commit', () => {
    const budget = new RestartBudget()
    for (let i = 0; i < 5; i++) budget.onFault(undefined)
    budget.onCommit(() => false)
    expect(budget.onFault(undefined)).toMatchObject({ kind: 'restart', attempt: 1 })
  })

  it('[E4] knows a record wherever it fails, and a timer by its node and key', () => {
    const again = (first: object, second: object) => {
      const budget = new RestartBudget()
      budget.onFault(first)
      const plan = budget.onFault(second)
      return plan.kind === 'restart' && plan.cutBefore !== undefined
    }
    const record = { topic: 'in', partition: 0, offset: 3 }
    expect(again({ ...record, node: 'a' }, { ...record, node: 'b', key: 'k' })).toBe(true)
    expect(again(record, { ...record, offset: 4 })).toBe(false)
    expect(again({ node: 'a', key: 'k' }, { node: 'a', key: 'k' })).toBe(true)
    expect(again({ node: 'a', key: 'k' }, { node: 'a', key: 'l' })).toBe(false)
    expect(again({ node: 'a', key: 'k' }, { node: 'b', key: 'k' })).toBe(false)
  })

  it('[E4] knows which timer has failed until a commit has passed it', () => {
    const budget = new RestartBudget()
    const timer = { isTimer: true, node: 'a', key: 'k' } as const
    budget.onFault(timer)
    expect(budget.failedTimer).toEqual(timer)
    budget.onCommit(() => true)
    expect(budget.failedTimer).toBeUndefined()
    budget.onFault({ node: 'a', key: 'k' })
    expect(budget.failedTimer).toBeUndefined()
  })

  it('[E4] a record is passed by positions, a timer by its firing, a fault of neither by any commit', () => {
    const positions = [{ topic: 't', partition: 0, offset: 5, done: [7] }]
    const passed = [4, 5, 6, 7].map((offset) => hasPassed(at(offset), positions, false))
    expect(passed).toEqual([true, false, false, true])
    const timer = { isTimer: true, node: 'a', key: 'k' } as const
    expect([hasPassed(timer, positions, false), hasPassed(timer, positions, true)]).toEqual([false, true])
    expect(hasPassed({ node: 'a' }, positions, false)).toBe(true)
  })
})

describe('restartFacts', () => {
  it('[E4] tells the coordinates of a record that is cut before, and none of a timer', () => {
    const plan = { kind: 'restart', attempt: 2, delayMs: 400 } as const
    expect(restartFacts({ ...plan, cutBefore: at(7) })).toEqual({ attempt: 2, of: 5, delayMs: 400, cutsBefore: at(7) })
    expect(restartFacts({ ...plan, cutBefore: { node: 'n', key: 'k', isTimer: true } })).toEqual({
      attempt: 2,
      of: 5,
      delayMs: 400,
    })
    expect(restartFacts({ ...plan, cutBefore: undefined })).not.toHaveProperty('cutsBefore')
  })
})
