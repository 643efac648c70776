import type { CompiledTopology } from '@lanescope/core'
import type { TraceEntry } from '@lanescope/core/simulation'
import type { CasePlan } from './CasePlan.js'
import { type Breach, type Checkpoint, Probe } from './Probe.js'
import { Shape } from './Shape.js'

/**
 * Watches a whole run: a probe for each incarnation. A new one begins with what the last durable epoch has left;
 * what an old one still does is held against nobody.
 */
export class Watch {
  #shape: Shape | undefined
  #probe: Probe | undefined
  #incarnations = 0
  readonly #past: Probe[] = []
  readonly #checkpoints = new Map<number, Checkpoint>()
  #durable: Checkpoint | undefined

  constructor(private readonly plan: CasePlan) {}

  get probe(): Probe {
    if (this.#probe === undefined) throw new RangeError('No engine has started yet')
    return this.#probe
  }

  get shape(): Shape {
    if (this.#shape === undefined) throw new RangeError('No engine has started yet')
    return this.#shape
  }

  get breaches(): readonly Breach[] {
    return [...this.#past, this.probe].flatMap((probe) => probe.breaches)
  }

  onEngine(compiled: CompiledTopology): void {
    this.#shape = new Shape(this.plan, compiled)
    this.#begin(false)
  }

  /** The probe of a processor that is made now: where others have worked already, an incarnation begins. */
  forProcessor(): Probe | undefined {
    if (this.#probe?.hasWorked) this.#begin(true)
    return this.#probe
  }

  onTrace(entry: TraceEntry): void {
    if (entry.what === 'event' && entry.event.type === 'epoch-committing') {
      this.#checkpoints.set(entry.event.epoch, this.probe.checkpoint())
    }
    if (entry.what === 'event' && entry.event.type === 'epoch-aborted' && this.probe.hasWorked) this.probe.end()
    if (entry.what === 'engine-started') this.#onStarted(entry.logEpoch)
    if (entry.what === 'epoch-durable') this.#durable = this.#checkpoints.get(entry.epoch) ?? this.#durable
    this.#probe?.onTrace(entry)
  }

  /** The process may have died when its last epoch was durable, and before anybody was told. */
  #onStarted(logEpoch: number | null): void {
    const known = logEpoch === null ? undefined : this.#checkpoints.get(logEpoch)
    if (known === undefined || known === this.#durable) return
    this.#durable = known
    this.#begin(false)
  }

  /** @param inPlace whether it goes on within its engine, which hands its ticks out again (P1) */
  #begin(inPlace: boolean): void {
    this.#probe?.end()
    const again = inPlace ? this.#probe?.ticks.againAfter(this.#durable?.ticks ?? []) : undefined
    if (this.#probe !== undefined) this.#past.push(this.#probe)
    this.#probe = new Probe(this.shape, this.#durable, this.#incarnations++, again)
  }
}
