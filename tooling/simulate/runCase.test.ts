import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { isInterrupted, isWithoutState } from './CasePlan.js'
import { mutants, plant } from './mutants.mjs'
import { randomPlan } from './randomPlan.js'
import { runSeeds } from './runSeeds.js'

const options = { from: 1, step: 1, shrink: true, twice: false, stateful: 'nothing' } as const

describe('the cases of the simulator', () => {
  it('[D2] breaks no rule at the first 150 seeds', async () => {
    const result = await runSeeds({ ...options, count: 150 })
    expect(result.failures).toEqual([])
    expect(result.passed).toBe(150)
    // Some of them were interrupted.
    expect(result.engines).toBeGreaterThan(150)
  })

  it('[E1] [E2] [T8] loses and doubles no state over restarts in place, at the first 60 seeds', async () => {
    const result = await runSeeds({ ...options, stateful: 'faults', count: 60 })
    expect(result.failures).toEqual([])
    expect(result.passed).toBe(60)
  })

  it('[E6] goes on from its state after a crash, whether or not the state had the last epoch, at 100 seeds', async () => {
    const result = await runSeeds({ ...options, stateful: 'crashes', count: 100 })
    expect(result.failures).toEqual([])
    expect(result.passed).toBe(100)
    expect(result.engines).toBeGreaterThan(130)
  })

  it('[D2] makes the same case for the same seed, and interrupts only what may be', () => {
    const plans = Array.from({ length: 300 }, (_, index) => randomPlan(index + 1, options))
    expect(randomPlan(7, options)).toEqual(plans[6])
    expect(plans.filter((plan) => isInterrupted(plan) && !isWithoutState(plan))).toEqual([])
    const mended = Array.from({ length: 300 }, (_, index) => randomPlan(index + 1, { stateful: 'faults' }))
    expect(mended.filter(({ faults }) => faults.crashes !== undefined)).toEqual([])
    expect(mended.filter((plan) => isInterrupted(plan) && !isWithoutState(plan)).length).toBeGreaterThan(30)
    const kinds = {
      timers: plans.filter((plan) => !isWithoutState(plan)).length,
      interrupted: plans.filter(isInterrupted).length,
      stores: plans.filter((plan) => plan.processors.some(({ store }) => store !== undefined)).length,
      narrow: plans.filter((plan) => plan.config['lanes.queue-capacity'] === 1).length,
      ticking: plans.filter((plan) => plan.schedules.length > 0).length,
      punctuated: plans.filter((plan) => plan.processors.some(({ punctuator }) => punctuator !== undefined)).length,
      windowed: plans.filter((plan) => plan.counts.some(({ window }) => window !== undefined)).length,
      keyless: plans.filter((plan) => plan.inputs.some(({ key }) => key === null)).length,
      leaping: plans.filter((plan) => plan.faults.clockJumps !== undefined).length,
      chained: plans.filter(
        (plan) =>
          plan.processors.filter(({ rekey, store }) => rekey !== undefined && store !== undefined).length >= 3 &&
          Number(plan.config['lanes.queue-capacity']) <= 2,
      ).length,
    }
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(30)
  })
})

describe('plant', () => {
  it('changes one text in one file, and tells when it was not there', () => {
    const { plugin, missed } = plant({ name: 'x', file: 'a/b.ts', find: 'one', replace: 'two $&' })
    expect(plugin.transform('one and', '/elsewhere/c.ts')).toBeUndefined()
    expect(plugin.transform('one one', '/src/a/b.ts')).toBeUndefined()
    expect(missed()).toEqual(['a/b.ts: one'])
    expect(plugin.transform('one and', '/src/a/b.ts')?.code).toBe('two $& and')
    expect(missed()).toEqual([])
  })

  it('has a name and a change for each fault', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
    for (const { find, replace } of mutants) expect(replace).not.toBe(find)
  })

  it('still finds the text of each fault in the engine, once', async () => {
    for (const { name, also = [], ...edit } of mutants) {
      for (const { file, find } of [edit, ...also]) {
        const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
        expect({ name, times: text.split(find).length - 1 }).toEqual({ name, times: 1 })
      }
    }
  })
})
