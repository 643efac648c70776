import { describe, expect, it } from 'vitest'
import { add, lastLine, tallyOf, tallyPlaywright, tallyVitest } from './tally.mjs'

const vitest = (changes: object = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: 'passed', assertionResults: [{ status: 'passed' }] }],
  ...changes,
})
const playwright = (stats: object = {}, errors: readonly object[] = []) => ({
  stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 2, ...stats },
  errors,
})

describe('the sum of the tests', () => {
  it('counts a check that is no runner as one test', () => {
    expect(tallyOf(true)).toEqual({ passed: 1, failed: 0, skipped: 0 })
    expect(tallyOf(false)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('takes Vitest’s pending and todo tests for skipped', () => {
    expect(tallyVitest(vitest(), 0)).toEqual({ passed: 3, failed: 0, skipped: 2 })
  })

  it('counts a test file that did not load, and only once if its tests failed too', () => {
    const unloaded = { status: 'failed', assertionResults: [] }
    const failed = { status: 'failed', assertionResults: [{ status: 'failed' }] }
    expect(tallyVitest(vitest({ testResults: [unloaded] }), 1).failed).toBe(1)
    expect(tallyVitest(vitest({ numFailedTests: 1, testResults: [failed, unloaded] }), 1).failed).toBe(2)
  })

  it('takes a test that passed on a second try, and an error outside any test, for failed', () => {
    expect(tallyPlaywright(playwright(), 0)).toEqual({ passed: 4, failed: 0, skipped: 2 })
    expect(tallyPlaywright(playwright({ unexpected: 1, flaky: 1 }), 1).failed).toBe(2)
    expect(tallyPlaywright(playwright({}, [{ message: 'a spec does not load' }]), 1).failed).toBe(1)
  })

  it('never reports success of a runner that ended badly', () => {
    expect(tallyVitest(vitest(), 1).failed).toBe(1)
    expect(tallyPlaywright(playwright(), 1).failed).toBe(1)
  })

  it('adds up to the last line', () => {
    const sum = add(add(tallyOf(true), tallyOf(false)), tallyVitest(vitest(), 0))
    expect(lastLine(sum)).toBe('4 passed, 1 failed, 2 skipped')
  })
})
