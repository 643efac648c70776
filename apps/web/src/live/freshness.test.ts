import type { RunSummary } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { STALE_AFTER_MS, toFreshness } from './freshness.js'

const run: RunSummary = {
  runId: 'r',
  projectId: 'p',
  state: 'running',
  log: 'embedded',
  startedAt: 0,
  endedAt: null,
  error: null,
}
const base = { run, receivedAt: 1_000, now: 1_100, connected: true, pausedAt: null }

describe('toFreshness', () => {
  it('is live with its age', () => expect(toFreshness(base)).toEqual({ state: 'live', ageMs: 100 }))
  it('is stale only after the limit, and says for how long no frame came', () => {
    expect(toFreshness({ ...base, now: 1_000 + STALE_AFTER_MS }).state).toBe('live')
    expect(toFreshness({ ...base, now: 1_001 + STALE_AFTER_MS })).toMatchObject({
      state: 'stale',
      why: 'No frame for 2 s',
    })
  })
  it('says that the connection is lost, at once', () => {
    expect(toFreshness({ ...base, connected: false })).toMatchObject({
      state: 'stale',
      why: 'Connection lost, as of 100 ms ago',
    })
  })
  it('says that the run ended or failed, before anything else', () => {
    const ended = { ...base, run: { ...run, endedAt: 3_600_000 }, connected: false }
    expect(toFreshness(ended)).toMatchObject({ state: 'ended', why: 'The run ended at 01:00:00' })
    expect(toFreshness({ ...ended, run: { ...ended.run, state: 'failed' } })).toMatchObject({
      why: 'The run failed at 01:00:00',
    })
  })
  it('is paused for as long as the viewer paused it', () => {
    expect(toFreshness({ ...base, pausedAt: 600 })).toMatchObject({ state: 'paused', ageMs: 500 })
  })
  it('is nothing before a run or its first frame', () => {
    expect(toFreshness({ ...base, run: null }).state).toBe('none')
    expect(toFreshness({ ...base, receivedAt: null }).state).toBe('none')
  })
})
