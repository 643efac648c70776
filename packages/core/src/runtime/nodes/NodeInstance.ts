import { StreamError } from '../../errors/index.js'
import type { DropReason, SilentLossReason } from '../../events/EngineEvent.js'
import type { Record } from '../../model/Record.js'
import type { PunctuationType, Punctuator } from '../../processor/contexts.js'
import type { OperatorInit, ScheduleOptions } from '../../processor/OperatorContext.js'
import type { Processor } from '../../processor/Processor.js'
import type { StoreBuilder, StoreInstance } from '../../state/StoreBuilder.js'
import type { Cancellable, Clock } from '../../time/Clock.js'
import type { Random } from '../../time/Random.js'
import type { Timer, TimerRegistration, TimerTarget } from '../../timers/Timer.js'
import type { CompiledNode } from '../../topology/CompiledTopology.js'
import type { ClockBoard } from '../clocks/ClockBoard.js'
import type { Lane } from '../scheduling/Lane.js'
import { CallContext } from './CallContext.js'
import type { ChildLink, NodeRuntime } from './NodeRuntime.js'
import type { WorkItem } from './WorkItem.js'

/** What a node's callbacks reach of the running topology. */
export interface NodeHost {
  readonly applicationId: string
  readonly clock: Clock
  readonly random: Random
  readonly clocks: ClockBoard
  readonly signal: AbortSignal
  /** This incarnation has ended (E7). */
  readonly halted: boolean
  /** Counts a call from a callback that has outlived its incarnation, and makes the error it gets. */
  stale(node: string, lane: number): unknown
  deliver(
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void>
  /** As `deliver`, on the lane that the bytes hash to. */
  deliverOnLaneOf(
    laneBytes: Uint8Array,
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void>
  readonly clocksFollowRecords: boolean
  observe(node: NodeRuntime, item: WorkItem, timestamp: number): number
  readonly emulatesKafka: boolean
  /** The event clock as the callback of an item sees it, in ms; −1 while unknown. */
  eventTime(node: NodeRuntime, item: WorkItem): number
  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void
  /**
   * @param input what the callback was about; undefined: a timer or a schedule
   * @returns the error to throw on, or undefined when the handler says to go on without this record
   */
  processingFailed(
    error: unknown,
    node: NodeRuntime,
    item: WorkItem,
    input: Record<unknown, unknown> | undefined,
  ): unknown
  silentLoss(reason: SilentLossReason, node: string, item: WorkItem, detail: string): void
  warn(node: string, message: string): void
  compiledNode(name: string): CompiledNode
  registerTimer(node: NodeRuntime, timer: TimerRegistration<unknown>, keyBytes: Uint8Array): void
  deleteTimer(node: NodeRuntime, timer: TimerTarget<unknown>, keyBytes: Uint8Array): void
  schedule(
    instance: NodeInstance,
    intervalMs: number,
    type: PunctuationType,
    callback: Punctuator,
    options: ScheduleOptions | undefined,
  ): Cancellable
  storeInstance(name: string): StoreInstance<unknown, unknown> | undefined
}

type UserProcessor = Processor<unknown, unknown, unknown, unknown>

/** One processor on one lane (L6). */
export class NodeInstance {
  /** Shared by all callbacks when none may return a promise (L10). */
  readonly #reused: CallContext | undefined
  /** Whether its callbacks may not return a promise (L10). */
  readonly isSync: boolean
  /** Whether it has declared never to change a key (B6). */
  readonly keepsKey: boolean
  #open = false

  constructor(
    readonly node: NodeRuntime,
    readonly lane: Lane,
    readonly host: NodeHost,
    private readonly processor: UserProcessor,
  ) {
    this.isSync = node.compiled.supplier?.sync === true
    this.keepsKey = node.compiled.supplier?.sameKey === true
    this.#reused = this.isSync ? new CallContext(this) : undefined
  }

  async init(): Promise<void> {
    const { node, lane, host } = this
    const context: OperatorInit = {
      applicationId: host.applicationId,
      node: node.name,
      subTopology: node.subTopology.index,
      lane: lane.index,
      laneCount: node.subTopology.laneCount,
      clocksFollowRecords: host.clocksFollowRecords,
      store: <S, R>(builder: StoreBuilder<S, R>): R => this.store(builder).reader,
      schedule: (intervalMs, type, callback, options) => {
        if (host.halted) throw host.stale(node.name, lane.index)
        return host.schedule(this, intervalMs, type, callback, options)
      },
    }
    try {
      await this.processor.init?.(context)
    } catch (error) {
      throw this.#lifecycleError('init', error)
    }
    this.#open = true
  }

  /** Closes a processor whose `init` has succeeded, once. */
  async close(): Promise<void> {
    if (!this.#open) return
    this.#open = false
    try {
      await this.processor.close?.()
    } catch (error) {
      throw this.#lifecycleError('close', error)
    }
  }

  process(record: Record<unknown, unknown>, item: WorkItem): void | Promise<void> {
    const context = this.#context(item, record)
    let returned: unknown
    try {
      this.node.affinity?.sample(item, record.key)
      returned = this.processor.process(record, context)
    } catch (error) {
      return this.#threw(error, context, item)
    }
    return this.#returned(returned, context, item)
  }

  /** @param onFired gets the number of records it forwarded; not called when the run cannot go on */
  onTimer(
    timer: Timer<NonNullable<unknown>>,
    item: WorkItem,
    onFired: (item: WorkItem, forwarded: number) => void,
  ): void | Promise<void> {
    const context = this.#context(item, undefined)
    const settling = this.#runTimer(timer, item, context)
    if (settling !== undefined) return settling.then(() => onFired(item, context.forwarded))
    onFired(item, context.forwarded)
    return undefined
  }

  #runTimer(timer: Timer<NonNullable<unknown>>, item: WorkItem, context: CallContext): void | Promise<void> {
    let returned: unknown
    try {
      returned = this.processor.onTimer?.(timer, context)
    } catch (error) {
      return this.#threw(error, context, item)
    }
    return this.#returned(returned, context, item)
  }

  /** @param onDone gets whether it may have changed anything, and how much it has forwarded; not called when the run cannot go on */
  punctuate(
    callback: Punctuator,
    at: number,
    item: WorkItem,
    onDone: (changed: boolean, forwarded: number) => void,
  ): void | Promise<void> {
    const context = this.#context(item, undefined)
    const settling = this.#runPunctuator(callback, at, item, context)
    if (settling !== undefined) return settling.then(() => onDone(context.changed, context.forwarded))
    onDone(context.changed, context.forwarded)
    return undefined
  }

  #runPunctuator(callback: Punctuator, at: number, item: WorkItem, context: CallContext): void | Promise<void> {
    let returned: unknown
    try {
      returned = callback(at, context)
    } catch (error) {
      return this.#threw(error, context, item)
    }
    return this.#returned(returned, context, item)
  }

  /** The connected store of a builder. @throws StreamError STORE_NOT_CONNECTED */
  store<S, R>(builder: StoreBuilder<S, R>): StoreInstance<S, R> {
    if (typeof builder?.name !== 'string') {
      const given = typeof builder === 'string' ? `"${builder}"` : String(builder)
      throw new StreamError(
        `Node "${this.node.name}" asked for the store ${given}. Pass the store's builder, not its name: the one that the ` +
          'topology was given, by which the types of its keys and values are known.',
        { code: 'STORE_INVALID', kind: 'user', retriable: false, context: { node: this.node.name } },
      )
    }
    const { stores, globalStores } = this.node.compiled
    const connected = stores.includes(builder.name) || globalStores.includes(builder.name)
    const instance = connected ? this.host.storeInstance(builder.name) : undefined
    if (instance === undefined) {
      throw new StreamError(
        `Node "${this.node.name}" has no access to the store "${builder.name}". Name it in its supplier's stores, or connect it to the node.`,
        {
          code: 'STORE_NOT_CONNECTED',
          kind: 'user',
          retriable: false,
          context: { node: this.node.name, store: builder.name },
        },
      )
    }
    return instance as StoreInstance<S, R>
  }

  #context(item: WorkItem, record: Record<unknown, unknown> | undefined): CallContext {
    const context = this.#reused ?? new CallContext(this)
    context.arm(item, record)
    return context
  }

  /** The callback has returned: it is over, unless it gave a promise or a child is still at work. */
  #returned(returned: unknown, context: CallContext, item: WorkItem): void | Promise<void> {
    // Most callbacks return nothing; one like `(record) => list.push(record)` returns something that is no promise.
    const promise = returned === undefined || !isPromise(returned) ? undefined : returned
    if (promise !== undefined) {
      return this.isSync ? this.#threw(this.#refused(promise), context, item) : this.#finish(context, item, promise)
    }
    if (context.pending !== undefined) return this.#finish(context, item, undefined)
    context.settle()
    if (item.fatal !== undefined) throw item.fatal
    return undefined
  }

  /** The callback threw. What it had forwarded stays, and belongs to this item until it has settled (L1). */
  #threw(error: unknown, context: CallContext, item: WorkItem): void | Promise<void> {
    const { input } = context
    context.settle()
    if (context.pending === undefined) return this.#failed(error, item, input)
    return context.drained().then(
      () => this.#failed(error, item, input),
      (earlier: unknown) => this.#failed(earlier, item, input),
    )
  }

  /** Waits for a callback and all it forwarded, then closes its context. */
  async #finish(context: CallContext, item: WorkItem, returned: PromiseLike<unknown> | undefined): Promise<void> {
    item.entered(this.node)
    try {
      await returned
      // What was forwarded without being awaited still belongs to this callback.
      await context.drained()
    } catch (error) {
      return this.#threw(error, context, item)
    } finally {
      item.left(this.node)
    }
    context.settle()
    if (item.fatal !== undefined) throw item.fatal
  }

  /** Gate 2 (G1): gives the handler its say. A fatal error that was caught is thrown again in place of any other (A3). */
  #failed(error: unknown, item: WorkItem, input: Record<unknown, unknown> | undefined): undefined {
    // The incarnation is over: what its callbacks still throw is nobody's, and no handler is asked.
    if (this.host.halted) throw error
    const gated = this.host.processingFailed(item.fatal ?? error, this.node, item, input)
    if (gated !== undefined) throw gated
    return undefined
  }

  /** A supplier that is declared synchronous may not return a promise (L10). */
  #refused(promise: PromiseLike<unknown>): StreamError {
    // The promise is refused, so its own outcome is nobody's; without a handler a rejection would end the process.
    Promise.resolve(promise).catch(() => undefined)
    return new StreamError(
      `Node "${this.node.name}" is declared synchronous but its callback returned a promise. Take sync away, or do not await in it.`,
      {
        code: 'SYNC_CALLBACK_RETURNED_PROMISE',
        kind: 'user',
        retriable: false,
        context: { node: this.node.name, lane: this.lane.index },
      },
    )
  }

  #lifecycleError(callback: 'init' | 'close', cause: unknown): StreamError {
    if (cause instanceof StreamError) return cause
    const why = cause instanceof Error ? cause.message : String(cause)
    return new StreamError(`Node "${this.node.name}" failed in ${callback} on lane ${this.lane.index}: ${why}`, {
      code: 'PROCESSING_FAILED',
      kind: 'user',
      retriable: false,
      context: { node: this.node.name, lane: this.lane.index },
      cause,
    })
  }
}

function isPromise(returned: unknown): returned is PromiseLike<unknown> {
  return typeof returned === 'object' && returned !== null && 'then' in returned && typeof returned.then === 'function'
}
