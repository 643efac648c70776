import type { RunSummary } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { runsElsewhere, withRun } from './livingRuns.js'

const run = (runId: string, startedAt: number, change: Partial<RunSummary> = {}): RunSummary => ({
  runId,
  projectId: runId,
  state: 'running',
  log: 'embedded',
  startedAt,
  endedAt: null,
  error: null,
  ...change,
})

it('keeps the runs that live, in the order in which they began', () => {
  const [a, b] = [run('a', 1), run('b', 2)]
  expect(withRun(withRun([], b), a)).toEqual([a, b])
  const stopping = run('a', 1, { state: 'stopping' })
  expect(withRun([a, b], stopping)).toEqual([stopping, b])
  expect(withRun([a, b], run('a', 1, { endedAt: 9 }))).toEqual([b])
})

it('keeps its list when a run ends that was not in it', () => {
  const runs = [run('a', 1)]
  expect(withRun(runs, run('b', 2, { endedAt: 9 }))).toBe(runs)
})

it('tells those of other projects', () => {
  const runs = [run('a', 1), run('b', 2)]
  expect(runsElsewhere(runs, 'a')).toEqual([runs[1]])
  expect(runsElsewhere(runs, null)).toEqual(runs)
})
