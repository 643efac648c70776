import { toHex } from '@lanescope/core'
import type { SimulatedRecord } from '@lanescope/core/simulation'
import type { CasePlan, CountPlan } from './CasePlan.js'
import type { Breach } from './Probe.js'

/** How far behind a record the next one of its partition may lie, in ms. */
export const DISORDER_MS = 30

/**
 * What a count sends on: for each key and window 1, 2, 3 and so on, in this order, each once. Together they are as many
 * as the records that were read, less those that are counted as dropped.
 *
 * @param dropped records dropped in the whole run, by reason; undefined where an engine has taken its counters with it
 */
export function judgeCounts(
  plan: CasePlan,
  outputs: ReadonlyMap<string, readonly SimulatedRecord[]>,
  dropped: ((reason: string) => number) | undefined,
): readonly Breach[] {
  const breaches: Breach[] = []
  let counted = 0
  for (const count of plan.counts) {
    const last = new Map<string, number>()
    for (const { key, value } of outputs.get(`out-${count.name}`) ?? []) {
      const id = toHex(key ?? new Uint8Array(0))
      const next = (last.get(id) ?? 0) + 1
      const got = Number(new DataView((value as Uint8Array).slice().buffer).getBigInt64(0))
      if (got !== next) breaches.push({ rule: 'E1', what: `${count.name} sends ${got} for ${id}, not ${next}` })
      last.set(id, got)
    }
    for (const times of last.values()) counted += times
  }
  if (dropped === undefined || breaches.length > 0) return breaches
  const read = plan.counts.reduce((sum, count) => sum + readBy(plan, count), 0)
  const [late, nulls] = [dropped('late_window'), dropped('null_key')]
  if (counted + late + nulls !== read) {
    breaches.push({
      rule: 'G3',
      what: `${counted} counted, ${late} late and ${nulls} with a null key are not the ${read} that were read`,
    })
  }
  return breaches
}

function readBy({ sources, inputs }: CasePlan, { source }: CountPlan): number {
  const topic = sources.find(({ name }) => name === source)?.topic
  return inputs.filter((input) => input.topic === topic).length
}
