import { describe, expect, it } from 'vitest'
import { RUN_LIMITS } from '../config/limits.js'
import { type Death, explainDeath } from './explainDeath.js'

const explain = (death: Partial<Death>) =>
  explainDeath(
    {
      code: null,
      signal: null,
      killedFor: undefined,
      withAgent: false,
      patienceMs: 10_000,
      stall: undefined,
      stderr: '',
      ...death,
    },
    RUN_LIMITS,
  )

describe('why a run has ended', () => {
  it('is an endless loop when it was silent, at the record that it took last', () => {
    const stall = { node: 'relay', lane: 3, key: 'k0' }
    expect(explain({ killedFor: 'unresponsive', signal: 'SIGKILL', stall })).toEqual({
      code: 'RUN_UNRESPONSIVE',
      kind: 'user',
      message:
        'The run did nothing else for 10 s and was ended: an endless loop in a callback is likely. The last record went to "relay" on lane 3, with key k0.',
      context: stall,
    })
    expect(explain({ killedFor: 'unresponsive' }).message).not.toContain('last record')
  })

  it('is memory when it took too much, or said so itself', () => {
    expect(explain({ killedFor: 'too-much-memory' })).toMatchObject({
      code: 'RUN_OUT_OF_MEMORY',
      message: expect.stringContaining('2048 MB'),
    })
    const stderr = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'
    expect(explain({ signal: 'SIGABRT', stderr })).toMatchObject({
      code: 'RUN_OUT_OF_MEMORY',
      message: expect.stringContaining('1024 MB'),
    })
  })

  it('is a callback that never settles when it did not stop', () => {
    expect(explain({ killedFor: 'stop' }).message).toContain('did not stop within 30 s')
  })

  it('is told as it was otherwise, with its last words', () => {
    expect(explain({ code: 7, stderr: 'one\ntwo\n' }).message).toBe(
      "The run's process ended by itself (exit code 7). Its last words:\none\ntwo",
    )
    expect(explain({ signal: 'SIGSEGV' }).message).toBe("The run's process ended by itself (signal SIGSEGV).")
  })

  it('is the end of its agent when the agent was ending and a signal took both', () => {
    expect(explain({ signal: 'SIGTERM', withAgent: true }).message).toBe(
      'The run was ended with its agent (signal SIGTERM). The next run goes on from the last epoch.',
    )
    expect(explain({ signal: 'SIGSEGV', withAgent: true }).message).toContain('by itself (signal SIGSEGV)')
    expect(explain({ code: 7, withAgent: true }).message).toContain('by itself (exit code 7)')
  })

  it('is somebody else when a signal came from outside', () => {
    expect(explain({ signal: 'SIGTERM' }).message).toBe(
      "The run's process was ended from outside (signal SIGTERM): by hand, or by another program.",
    )
    expect(explain({ signal: 'SIGKILL' }).message).toContain('by the system for want of memory')
  })
})
