import { describe, expect, it } from 'vitest'
import { runCases } from '../engine/runCases.js'
import { dslCases } from './dslCases.js'

describe('the DSL’s benchmark', () => {
  it('runs every operator among few keys and among many', async () => {
    const lines: string[] = []
    await runCases({ cases: dslCases, scale: 0.001, runs: 1, print: (line) => lines.push(line) })
    expect(lines).toHaveLength(1 + dslCases.length)
    expect(dslCases.map(({ name }) => name)).toContain('hopping count, 12 windows, 1,000,000 keys')
    expect(lines.at(-1)).toMatch(/^segment of 100,000 entries dropped +100 +[\d,]+ drops +[\d,.]+ +– +≤ 1000000 ns/)
  })
})
