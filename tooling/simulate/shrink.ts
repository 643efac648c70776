import type { CasePlan, ProcessorPlan } from './CasePlan.js'

/**
 * Makes a failing case smaller as long as it keeps failing: fewer inputs, nodes, faults, waits.
 *
 * @param fails runs a case. @returns whether it still breaks a rule
 * @param budget how many cases it may run
 */
export async function shrink(
  plan: CasePlan,
  fails: (plan: CasePlan) => Promise<boolean>,
  budget: number,
): Promise<CasePlan> {
  let smallest = plan
  let left = budget
  for (let again = true; again; ) {
    again = false
    for (const candidate of smaller(smallest)) {
      if (left-- <= 0) return smallest
      if (!(await fails(candidate))) continue
      smallest = candidate
      again = true
      break
    }
  }
  return smallest
}

/** The cases one step smaller, the greatest steps first. */
function* smaller(plan: CasePlan): Generator<CasePlan> {
  const { inputs } = plan
  for (
    let size = Math.ceil(inputs.length / 2);
    size >= 1 && inputs.length > 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < inputs.length; from += size) {
      yield { ...plan, inputs: [...inputs.slice(0, from), ...inputs.slice(from + size)] }
    }
  }
  for (const part of ['counts', 'schedules'] as const) {
    for (const one of plan[part]) {
      const left = (plan[part] as readonly unknown[]).filter((other) => other !== one)
      if (!plan.processors.some(({ parents }) => parents.includes(one.name))) yield { ...plan, [part]: left }
    }
  }
  for (const { name } of plan.processors) {
    const without = withoutProcessor(plan, name)
    if (without !== undefined) yield without
  }
  for (const fault of Object.keys(plan.faults)) {
    yield { ...plan, faults: Object.fromEntries(Object.entries(plan.faults).filter(([name]) => name !== fault)) }
  }
  for (const [index, processor] of plan.processors.entries()) {
    for (const simpler of simplified(processor)) {
      yield { ...plan, processors: plan.processors.map((each, at) => (at === index ? simpler : each)) }
    }
  }
  if (inputs.some(({ arrivesAtMs }) => arrivesAtMs > 0)) {
    yield { ...plan, inputs: inputs.map((input) => ({ ...input, arrivesAtMs: 0 })) }
  }
}

/** Its children are fed by its parents instead. */
function withoutProcessor(plan: CasePlan, name: string): CasePlan | undefined {
  const gone = plan.processors.find((processor) => processor.name === name)
  if (gone === undefined || plan.processors.length === 1) return undefined
  const processors = plan.processors
    .filter((processor) => processor !== gone)
    .map((processor) =>
      processor.parents.includes(name)
        ? {
            ...processor,
            parents: [...new Set([...processor.parents.filter((parent) => parent !== name), ...gone.parents])],
          }
        : processor,
    )
  const read = new Set(processors.flatMap(({ parents }) => parents))
  return { ...plan, processors: processors.map((each) => (read.has(each.name) ? each : { ...each, sink: true })) }
}

function* simplified(processor: ProcessorPlan): Generator<ProcessorPlan> {
  const { timers, store, rekey, punctuator, ...bare } = processor
  if (timers !== undefined) yield without(processor, 'timers')
  if (punctuator !== undefined) yield without(processor, 'punctuator')
  if (store !== undefined) yield without(processor, 'store')
  if (rekey !== undefined) yield without(processor, 'rekey')
  if (bare.waits > 0) yield { ...processor, waits: bare.waits - 1 }
  if (bare.copies > 1) yield { ...processor, copies: 1 }
  if (timers === undefined) return
  if (timers.rearm > 0) yield { ...processor, timers: { ...timers, rearm: 0 } }
  if (timers.deleteEvery > 0) yield { ...processor, timers: { ...timers, deleteEvery: 0 } }
  if (timers.otherKeyEvery > 0) yield { ...processor, timers: { ...timers, otherKeyEvery: 0 } }
  if (timers.forwards) yield { ...processor, timers: { ...timers, forwards: false } }
}

function without(processor: ProcessorPlan, part: 'timers' | 'store' | 'rekey' | 'punctuator'): ProcessorPlan {
  const { [part]: _gone, ...rest } = processor
  return rest
}
