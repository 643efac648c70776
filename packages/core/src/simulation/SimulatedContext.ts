import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { ForwardedRecord, RecordMetadata, Timers } from '../processor/contexts.js'
import type { OperatorContext } from '../processor/OperatorContext.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { SimulationScheduler } from './SimulationScheduler.js'
import type { Tape } from './Tape.js'

/** A callback's context whose promises settle when the seed says so. */
export class SimulatedContext implements OperatorContext<unknown, unknown, unknown> {
  constructor(
    private readonly inner: OperatorContext<unknown, unknown, unknown>,
    private readonly scheduler: SimulationScheduler,
    private readonly tape: Tape | undefined,
  ) {}

  forward(record: ForwardedRecord<unknown, unknown>, child?: string): void | Promise<void> {
    return this.#held(this.inner.forward(record, child))
  }

  forwardOnLaneOf(laneBytes: Uint8Array, record: ForwardedRecord<unknown, unknown>): void | Promise<void> {
    return this.#held(this.inner.forwardOnLaneOf(laneBytes, record))
  }

  #held(settling: void | Promise<void>): void | Promise<void> {
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
    const call = this.tape === undefined ? fn : () => (this.tape as Tape).call(name, fn)
    return this.scheduler.hold(this.inner.call(name, call), `call ${name}`, 'outside')
  }

  store<S, R>(builder: StoreBuilder<S, R>): S {
    return this.inner.store(builder)
  }

  random(): number {
    const drawn = this.inner.random()
    return this.tape === undefined ? drawn : this.tape.read('random', drawn)
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

  serdesOf(node: string): ReturnType<OperatorContext<unknown, unknown, unknown>['serdesOf']> {
    return this.inner.serdesOf(node)
  }

  warn(message: string): void {
    this.inner.warn(message)
  }

  get timers(): Timers<unknown> {
    return this.inner.timers
  }

  get now(): number {
    const { now } = this.inner
    return this.tape === undefined ? now : this.tape.read('now', now)
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

  get emulatesKafka(): boolean {
    return this.inner.emulatesKafka
  }

  get coordinates(): RecordCoordinates | null {
    return this.inner.coordinates
  }
}
