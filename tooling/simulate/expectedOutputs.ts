import type { CasePlan, SchedulePlan } from './CasePlan.js'
import { keyOf } from './PlannedProcessor.js'
import { keysAt, type ModelTick, tickValue } from './TickModel.js'

interface Travelling {
  readonly key: string | null
  readonly value: string
}

/**
 * What each topic must hold in the end, in any order: every input, all that timers and punctuators forwarded, and the
 * records of ticks, along every path.
 */
export function expectedOutputs(
  plan: CasePlan,
  made: readonly { readonly node: string; readonly value: string }[],
  ticks: readonly ModelTick[],
): ReadonlyMap<string, readonly string[]> {
  const outputs = new Map<string, string[]>(
    plan.processors.filter(({ sink }) => sink).map(({ name }) => [`out-${name}`, []]),
  )
  const forward = (from: string, record: Travelling): void => {
    const processor = plan.processors.find(({ name }) => name === from)
    for (let copy = 0; copy < (processor?.copies ?? 0); copy++) {
      const value = `${record.value}/${from}.${copy}`
      const key = keyOf(processor as NonNullable<typeof processor>, record.key, value)
      if (processor?.sink) outputs.get(`out-${from}`)?.push(value)
      reach(from, { key, value })
    }
  }
  const reach = (from: string, record: Travelling): void => {
    for (const { name, parents } of plan.processors) if (parents.includes(from)) forward(name, record)
  }
  plan.inputs.forEach((input, index) => {
    const source = plan.sources.findIndex(({ topic }) => topic === input.topic)
    reach((plan.sources[source] as { name: string }).name, { key: input.key, value: `${index}@${source}` })
  })
  for (const { node, value } of made) forward(node, { key: '', value })
  for (const { source, at } of ticks) {
    const index = plan.schedules.findIndex(({ name }) => name === source)
    keysAt(plan.schedules[index] as SchedulePlan, at).forEach((key, number) => {
      reach(source, { key, value: tickValue(at, number, plan.sources.length + index) })
    })
  }
  return outputs
}
