import { keyText } from '../model/keyText.js'
import type { Record } from '../model/Record.js'
import type { CallbackContext, ProcessorContext } from '../processor/contexts.js'
import type { OperatorContext } from '../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../processor/Processor.js'
import type { Timer } from '../timers/Timer.js'
import type { CompiledNode, CompiledTopology } from '../topology/CompiledTopology.js'
import { SimulatedContext } from './SimulatedContext.js'
import type { SimulationScheduler } from './SimulationScheduler.js'
import type { Tape } from './Tape.js'

/** One call of user code. */
export interface CallbackFacts {
  readonly node: string
  readonly lane: number
  readonly callback: 'process' | 'onTimer' | 'punctuate'
  /** The key as text; of a punctuator its time. */
  readonly key: string
}

/** Told of every call of user code, as it begins and as it settles; also when it throws. */
export interface CallbackObserver {
  started(call: CallbackFacts): void
  settled(call: CallbackFacts): void
}

type AnyProcessor = Processor<any, any, any, any>

/** The same topology, with every callback of its processors held by the scheduler. Synchronous ones stay so (L8). */
export function withHeldCallbacks(
  compiled: CompiledTopology,
  scheduler: SimulationScheduler,
  observer: CallbackObserver,
  tape?: Tape,
): CompiledTopology {
  const nodes = compiled.nodes.map((node): CompiledNode => {
    const { supplier } = node
    return supplier === undefined
      ? node
      : { ...node, supplier: holdSupplier(node.name, supplier, scheduler, observer, tape) }
  })
  const byName = new Map(nodes.map((node) => [node.name, node]))
  return {
    ...compiled,
    nodes,
    node: (name) => byName.get(name) ?? compiled.node(name),
    describe: () => compiled.describe(),
    describeLanes: () => compiled.describeLanes(),
  }
}

function holdSupplier(
  node: string,
  supplier: ProcessorSupplier<any, any, any, any>,
  scheduler: SimulationScheduler,
  observer: CallbackObserver,
  tape: Tape | undefined,
): ProcessorSupplier<any, any, any, any> {
  // One wrapper for one processor, so that a supplier that gives the same one twice is still found out (L6).
  const known = new WeakMap<AnyProcessor, AnyProcessor>()
  return {
    ...supplier,
    get: () => {
      const processor = supplier.get()
      if (typeof processor?.process !== 'function') return processor
      const wrapper =
        known.get(processor) ?? new HeldProcessor(node, processor, supplier.sync === true, scheduler, observer, tape)
      known.set(processor, wrapper)
      return wrapper
    },
  }
}

class HeldProcessor implements AnyProcessor {
  #lane = -1
  readonly onTimer?: (timer: Timer<any>, ctx: CallbackContext<any, any, any>) => void | Promise<void>

  constructor(
    private readonly node: string,
    private readonly inner: AnyProcessor,
    private readonly sync: boolean,
    private readonly scheduler: SimulationScheduler,
    private readonly observer: CallbackObserver,
    private readonly tape: Tape | undefined,
  ) {
    if (inner.onTimer === undefined) return
    this.onTimer = (timer, ctx) => this.#call('onTimer', timer.key, ctx, (held) => this.inner.onTimer?.(timer, held))
  }

  async init(context: ProcessorContext): Promise<void> {
    this.#lane = context.lane
    await this.inner.init?.({
      ...context,
      schedule: (intervalMs, type, callback, options) =>
        context.schedule(
          intervalMs,
          type,
          (at, ctx) => this.#call('punctuate', at, ctx, (held) => callback(at, held)),
          options,
        ),
    })
  }

  process(record: Record<any, any>, ctx: CallbackContext<any, any, any>): void | Promise<void> {
    return this.#call('process', record.key, ctx, (held) => this.inner.process(record, held))
  }

  async close(): Promise<void> {
    await this.inner.close?.()
  }

  #call(
    callback: CallbackFacts['callback'],
    key: unknown,
    ctx: CallbackContext<any, any, any>,
    work: (held: CallbackContext<any, any, any>) => void | Promise<void>,
  ): void | Promise<void> {
    const facts: CallbackFacts = { node: this.node, lane: this.#lane, callback, key: keyText(key) }
    const held = this.sync
      ? ctx
      : new SimulatedContext(ctx as OperatorContext<unknown, unknown, unknown>, this.scheduler, this.tape)
    return this.scheduler.as(`${this.node}[${this.#lane}]`, () => {
      this.observer.started(facts)
      let returned: void | Promise<void>
      try {
        returned = work(held)
      } catch (error) {
        this.observer.settled(facts)
        throw error
      }
      if (returned === undefined || this.sync) {
        this.observer.settled(facts)
        return returned
      }
      return this.#settle(returned, facts)
    })
  }

  async #settle(returned: Promise<void>, facts: CallbackFacts): Promise<void> {
    try {
      await this.scheduler.hold(returned, facts.callback, 'user')
    } finally {
      this.observer.settled(facts)
    }
  }
}
