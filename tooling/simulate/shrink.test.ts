import { describe, expect, it } from 'vitest'
import type { CasePlan, ProcessorPlan } from './CasePlan.js'
import { shrink } from './shrink.js'

const processor = (name: string, parents: readonly string[], more: Partial<ProcessorPlan> = {}): ProcessorPlan => ({
  name,
  parents,
  sameKey: false,
  waits: 2,
  waitMs: 1,
  copies: 2,
  awaitsForward: true,
  sink: false,
  ...more,
})

const plan: CasePlan = {
  seed: 1,
  sources: [{ name: 'source0', topic: 'in0', partitions: 1 }],
  processors: [
    processor('p0', ['source0']),
    processor('p1', ['p0'], { store: 's', rekey: 2 }),
    processor('p2', ['p1', 'p0'], { sink: true }),
  ],
  schedules: [],
  counts: [],
  inputs: Array.from({ length: 20 }, (_, index) => ({
    topic: 'in0',
    partition: 0,
    key: `k${index}`,
    timestamp: index,
    arrivesAtMs: index,
  })),
  config: {},
  faults: { jitterMs: 2, crashes: [4] },
}

describe('shrink', () => {
  it('leaves only what the failure needs', async () => {
    const fails = async (candidate: CasePlan) =>
      candidate.inputs.some(({ key }) => key === 'k13') &&
      candidate.processors.some(({ store }) => store !== undefined) &&
      candidate.faults.crashes !== undefined
    const shrunk = await shrink(plan, fails, 1_000)
    expect(shrunk.inputs.map(({ key }) => key)).toEqual(['k13'])
    expect(shrunk.inputs[0]?.arrivesAtMs).toBe(0)
    expect(shrunk.processors).toEqual([
      { ...processor('p1', ['source0'], { store: 's' }), waits: 0, copies: 1, sink: true },
    ])
    expect(shrunk.faults).toEqual({ crashes: [4] })
  })

  it('gives every node that nobody reads a sink, and every node a parent', async () => {
    const seen: CasePlan[] = []
    await shrink(
      plan,
      async (candidate) => {
        seen.push(candidate)
        return true
      },
      200,
    )
    for (const { processors, sources } of seen) {
      const names = new Set([...sources, ...processors].map(({ name }) => name))
      const read = new Set(processors.flatMap(({ parents }) => parents))
      for (const each of processors) {
        expect(each.parents.length).toBeGreaterThan(0)
        expect(each.parents.every((parent) => names.has(parent))).toBe(true)
        expect(each.sink || read.has(each.name)).toBe(true)
      }
    }
  })

  it('runs no more cases than its budget, and keeps the case when none smaller fails', async () => {
    let runs = 0
    const none = async () => {
      runs++
      return false
    }
    expect(await shrink(plan, none, 7)).toBe(plan)
    expect(runs).toBe(7)
  })
})
