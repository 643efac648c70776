import { describe, expect, it } from 'vitest'
import { cpuNsEach, nsEach, perSecond } from './Measurement.js'
import { runCases } from './runCases.js'

describe('the engine’s benchmark', () => {
  it('prints a line for each case, with its rate, its cost and its target', async () => {
    const lines: string[] = []
    await runCases({ scale: 0.0005, runs: 1, print: (line) => lines.push(line) })
    expect(lines[0]).toMatch(/^case +size +each second +ns each +CPU ns each +target$/)
    expect(lines).toHaveLength(11)
    for (const line of lines.slice(1))
      expect(line).toMatch(/^\S.+ [\d,]+ +[\d,]+ \w+s +[\d,.]+ +([\d,.]+|–)( +[≥≤] [\d,]+( ns)?)? *$/)
    expect(lines[1]).toMatch(/^synchronous map → filter → sink +500 .+≥ 1,500,000$/)
  })

  it('runs the cases that are asked for, and says when there are none', async () => {
    const lines: string[] = []
    await runCases({ scale: 0.00001, runs: 2, only: '16-byte', print: (line) => lines.push(line) })
    expect(lines).toHaveLength(2)
    await expect(runCases({ scale: 1, runs: 1, only: 'nothing', print: () => undefined })).rejects.toThrow(
      'No case has "nothing" in its name',
    )
  })
})

describe('a measurement', () => {
  it('tells units a second, and ns a unit', () => {
    const measured = { unit: 'record', count: 2_000, ms: 4 }
    expect(perSecond(measured)).toBe(500_000)
    expect(nsEach(measured)).toBe(2_000)
    expect(cpuNsEach(measured)).toBeUndefined()
    expect(cpuNsEach({ ...measured, cpuMs: 1 })).toBe(500)
  })
})
