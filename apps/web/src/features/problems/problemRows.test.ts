import type { AnalysedFinding } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { failedResult } from '../../simulation/overruns.js'
import { fixesOfKind, problemRows } from './problemRows.js'

const fix = (source: string) =>
  ({ kind: 'bound-source', title: 'Bound it', effect: '', source, maxAheadMs: 1 }) as const
const finding = (rule: string, node: string, fixes: readonly ReturnType<typeof fix>[]) =>
  ({ id: `${rule}:${node}`, rule, severity: 'warn', node, nodeId: node, fixes }) as unknown as AnalysedFinding

const future = [finding('future', 'a', [fix('a'), fix('x')]), finding('future', 'b', [fix('b')])]
const analysis = {
  ...failedResult(''),
  problems: [],
  findings: [...future, finding('other', 'a', [fix('a')]), finding('future', 'c', [])],
  suppressed: [{ finding: finding('future', 'd', [fix('d')]), reason: 'known' }],
}
const rows = problemRows(analysis, ['a', 'b', 'c', 'd'], 'severity')

describe('fixesOfKind', () => {
  it('are the first fix of each finding of the rule, those that are suppressed left alone', () => {
    expect(fixesOfKind(rows, 'future')).toEqual([fix('a'), fix('b')])
  })

  it('are none where one fix does', () => {
    expect(fixesOfKind(rows, 'other')).toEqual([])
  })
})
