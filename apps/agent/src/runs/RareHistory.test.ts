import type { RareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { RareHistory } from './RareHistory.js'

const log = (n: number): RareEvent => ({ n, at: n, type: 'log', level: 'info', message: '' })
const state = (n: number): RareEvent => ({ n, at: n, type: 'state', from: 'created', to: 'starting' })
const numbers = (history: RareHistory) => history.all().map(({ n }) => n)

describe('the rare events that a later page gets', () => {
  it('are all of them, in order, while there are few', () => {
    const history = new RareHistory(3, 3)
    history.add([state(1), log(2)])
    history.add([state(3), log(4)])
    expect(numbers(history)).toEqual([1, 2, 3, 4])
  })

  it('are the newest once there are twice as many as are kept, the gap in n telling what was cut', () => {
    const history = new RareHistory(3, 3)
    history.add([1, 2, 3, 4, 5].map(state))
    expect(numbers(history)).toEqual([1, 2, 3, 4, 5])
    history.add([state(6)])
    expect(numbers(history)).toEqual([4, 5, 6])
  })

  it('keep what is seldom whatever is frequent', () => {
    const history = new RareHistory(10, 2)
    history.add([state(1), log(2), log(3), log(4), log(5)])
    expect(numbers(history)).toEqual([1, 4, 5])
  })
})
