import type { AnalysisProblem, AnalysisResult } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { failedResult } from '../simulation/overruns.js'
import { createFindingsStore } from './findingsStore.js'

const problem = (id: string, message = id): AnalysisProblem => ({ id, severity: 'error', message })
const analysis = (...problems: AnalysisProblem[]): AnalysisResult => ({ ...failedResult(''), problems })
const messages = (store: ReturnType<typeof createFindingsStore>) =>
  store.getState().analysis?.problems.map(({ message }) => message)

describe('createFindingsStore', () => {
  it('adds what the compiler says to the analysis, whichever comes first', () => {
    const store = createFindingsStore()
    store.getState().takeCode([], [problem('b')])
    expect(store.getState().analysis).toBeNull()
    store.getState().take(analysis(problem('a')))
    expect(messages(store)).toEqual(['a', 'b'])
    store.getState().takeCode([], [problem('c')])
    expect(messages(store)).toEqual(['a', 'c'])
  })

  it('lists a problem once, in the words of the analysis', () => {
    const store = createFindingsStore()
    store.getState().take(analysis(problem('a', 'analysis')))
    store.getState().takeCode([], [problem('a', 'compiler')])
    expect(messages(store)).toEqual(['analysis'])
  })

  it('is stale from an edit to its analysis, and the compiler alone does not freshen it', () => {
    const store = createFindingsStore()
    store.getState().take(analysis())
    store.getState().markStale()
    store.getState().takeCode([], [])
    expect(store.getState().stale).toBe(true)
    store.getState().take(analysis())
    expect(store.getState().stale).toBe(false)
  })

  it('forgets both when the project is closed', () => {
    const store = createFindingsStore()
    store.getState().take(analysis(problem('a')))
    store.getState().takeCode([], [problem('b')])
    store.getState().clear()
    expect(store.getState()).toMatchObject({ analysis: null, code: null })
    store.getState().take(analysis())
    expect(messages(store)).toEqual([])
  })
})
