import { type CompiledTopology, laneOf } from '@lanescope/core'
import { type CasePlan, entriesOf, type ProcessorPlan } from './CasePlan.js'

const encoder = new TextEncoder()

/** What a case's topology looks like to its judges: worked out from the plan and the compiled boundaries. */
export class Shape {
  readonly #keyed = new Map<string, boolean>()
  readonly #boundaries: ReadonlySet<string>

  constructor(
    readonly plan: CasePlan,
    private readonly compiled: CompiledTopology,
  ) {
    this.#boundaries = new Set(compiled.boundaries.map(({ from, to }) => `${from} ${to}`))
    for (const { name } of entriesOf(plan)) this.#keyed.set(name, true)
    for (const processor of plan.processors) {
      this.#keyed.set(
        processor.name,
        processor.parents.every((parent) => this.#keepsKey(parent, processor.name)),
      )
    }
  }

  isBoundary(from: string, to: string): boolean {
    return this.#boundaries.has(`${from} ${to}`)
  }

  /** Whether every record that reaches the node runs on the lane of its key. */
  isKeyed(node: string): boolean {
    return this.#keyed.get(node) === true
  }

  laneOf(node: string, key: string): number {
    return laneOf(encoder.encode(key), this.laneCount(node))
  }

  laneCount(node: string): number {
    const { subTopology } = this.compiled.node(node)
    return this.compiled.subTopologies[subTopology]?.laneCount as number
  }

  /** Whether its calls are told to a probe: it is no operator of the DSL. */
  isWatched(name: string): boolean {
    return this.plan.processors.some((processor) => processor.name === name)
  }

  isSchedule(name: string): boolean {
    return this.plan.schedules.some((schedule) => schedule.name === name)
  }

  /** Whether a record from this parent is the first thing of a lane's item to reach the node. */
  opensItem(from: string, to: string): boolean {
    if (this.isBoundary(from, to)) return true
    return entriesOf(this.plan).some(({ name }) => name === from) && this.compiled.node(from).children[0] === to
  }

  childrenOf(node: string): readonly ProcessorPlan[] {
    // As the engine hands on: in the order in which the children were added.
    return this.plan.processors.filter(({ parents }) => parents.includes(node))
  }

  #keepsKey(parent: string, child: string): boolean {
    if (this.isBoundary(parent, child)) return true
    const processor = this.plan.processors.find(({ name }) => name === parent)
    return this.isKeyed(parent) && processor?.rekey === undefined
  }
}

/** The node that a value comes from: the last one of its path. */
export function parentOf(value: string, sources: readonly { readonly name: string }[]): string {
  const last = value.split('/').at(-1) as string
  return value.includes('/') ? (last.split('.')[0] as string) : (sources[Number(value.split('@')[1])]?.name ?? '')
}
