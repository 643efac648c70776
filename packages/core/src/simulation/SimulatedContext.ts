import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { ForwardedRecord, RecordMetadata, Timers } from '../processor/contexts.js'
import type { OperatorContext } from '../processor/OperatorContext.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { SimulationScheduler } from './SimulationScheduler.js'

/** A callback's context whose promises settle when the seed says so. */
export class SimulatedContext implements OperatorContext<unknown, unknown, unknown> {
  constructor(
    private readonly inner: OperatorContext<unknown, unknown, unknown>,
    private readonly scheduler: SimulationScheduler,
  ) {}

  forward(record: ForwardedRecord<unknown, unknown>, child?: string): void | Promise<void> {
    const settling = this.inner.forward(record, child)
    if (settling === undefined) return undefined
    const held = this.scheduler.hold(settling, 'forward')
    // The engine awaits what a callback forwards; the callback need not.
    held.catch(() => undefined)
    return held
  }

  sleep(ms: number): Promise<void> {
    return this.scheduler.hold(this.inner.sleep(ms), `sleep ${ms}`)
  }

  call<T>(name: string, fn: () => Promise<T> | T): Promise<T> {
    return this.scheduler.hold(this.inner.call(name, fn), `call ${name}`)
  }

  store<S, R>(builder: StoreBuilder<S, R>): S {
    return this.inner.store(builder)
  }

  random(): number {
    return this.inner.random()
  }

  observe(timestamp: number): number {
    return this.inner.observe(timestamp)
  }

  drop(reason: DropReason, detail: string): void {
    this.inner.drop(reason, detail)
  }

  silentLoss(reason: SilentLossReason, detail: string): void {
    this.inner.silentLoss(reason, detail)
  }

  get timers(): Timers<unknown> {
    return this.inner.timers
  }

  get now(): number {
    return this.inner.now
  }

  get eventTime(): number {
    return this.inner.eventTime
  }

  get signal(): AbortSignal {
    return this.inner.signal
  }

  get recordMetadata(): RecordMetadata | undefined {
    return this.inner.recordMetadata
  }

  get coordinates(): RecordCoordinates | null {
    return this.inner.coordinates
  }
}
