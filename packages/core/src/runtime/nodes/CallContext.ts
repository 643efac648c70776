import { StreamError } from '../../errors/index.js'
import type { DropReason, SilentLossReason } from '../../events/EngineEvent.js'
import { laneOf } from '../../lanes/murmur3.js'
import { equalBytes } from '../../model/bytes.js'
import { Headers } from '../../model/Headers.js'
import { OwnRecord } from '../../model/OwnRecord.js'
import type { Record, RecordCoordinates } from '../../model/Record.js'
import type { ForwardedRecord, RecordMetadata, Timers } from '../../processor/contexts.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Serde } from '../../serde/Serde.js'
import { isShortAscii } from '../../serde/shortAscii.js'
import { string } from '../../serde/string.js'
import type { StoreAccess, StoreBuilder } from '../../state/StoreBuilder.js'
import type { TimerRegistration, TimerTarget } from '../../timers/Timer.js'
import type { NodeInstance } from './NodeInstance.js'
import type { ChildLink } from './NodeRuntime.js'
import type { WorkItem } from './WorkItem.js'

/**
 * What one callback may do (L10). A callback that may return a promise gets a fresh one; synchronous ones share
 * one an instance, re-armed for each call.
 */
export class CallContext implements OperatorContext<unknown, unknown, unknown>, StoreAccess {
  #item: WorkItem | undefined
  #record: Record<unknown, unknown> | undefined
  /** The chain of children still pending: a later `forward` queues behind it. */
  pending: Promise<void> | undefined
  /** How many records this callback has forwarded. */
  forwarded = 0
  #opened = false
  /** What it was last armed for: said of a use after that. */
  #armedFor: RecordCoordinates | null = null
  /** The record key's bytes by the timer key serde, once asked for; null when it cannot write that key. */
  #recordTimerBytes: Uint8Array | null | undefined
  #timers: Timers<unknown> | undefined
  /** The store that was asked for last, and its handle: most callbacks use one store, several times. */
  #builder: StoreBuilder<unknown, unknown> | undefined
  #handle: unknown

  constructor(private readonly instance: NodeInstance) {}

  get node(): string {
    return this.instance.node.name
  }

  arm(item: WorkItem, record: Record<unknown, unknown> | undefined): void {
    this.#item = item
    this.#armedFor = item.coordinates
    this.#record = record
    this.pending = undefined
    this.forwarded = 0
    this.#opened = false
    this.#recordTimerBytes = undefined
  }

  /** The record that the callback is about, until it has settled; undefined of a timer or a schedule. */
  get input(): Record<unknown, unknown> | undefined {
    return this.#record
  }

  settle(): void {
    this.#item = undefined
    this.#record = undefined
  }

  /** Whether it may have changed anything that an epoch holds: a store, an output. Timers tell by themselves. */
  get changed(): boolean {
    return this.#opened || this.forwarded > 0
  }

  /** W5: a lane's own schedule sees its lane's keys alone when it scans, so that over all lanes each comes once. */
  get ownsKey(): ((laneBytes: Uint8Array) => boolean) | undefined {
    const { lane, node } = this.instance
    const { punctuation } = this.#item?.punctuation ?? {}
    if (punctuation === undefined || punctuation.wholeNode || node.subTopology.runningLanes === 1) return undefined
    return (laneBytes) => laneOf(laneBytes, node.subTopology.laneCount) === lane.index
  }

  /**
   * The key was written before, at the boundary in front, or was read from its bytes. Text and its serde write the same
   * bytes wherever it is, but only ASCII is sure to be read from what it is written as.
   */
  writtenKey(key: unknown, serde: Serde<any>): Uint8Array | undefined {
    const item = this.#item
    if (serde !== string || item === undefined || item.keySerde !== serde) return undefined
    const { keyBytes } = item
    if (keyBytes === null || typeof key !== 'string' || item.record?.key !== key) return undefined
    return isShortAscii(keyBytes) ? keyBytes : undefined
  }

  check(): void {
    this.#current()
  }

  cause(): RecordCoordinates | null {
    return this.#current().coordinates
  }

  get emulatesKafka(): boolean {
    return this.instance.host.emulatesKafka
  }

  get coordinates(): RecordCoordinates | null {
    return this.#current().coordinates
  }

  get recordMetadata(): RecordMetadata | undefined {
    const coordinates = this.#current().coordinates
    if (coordinates === null || this.#record === undefined) return undefined
    return { topic: coordinates.topic, partition: coordinates.partition, offset: coordinates.offset }
  }

  get now(): number {
    this.#current()
    return this.instance.host.clock.now()
  }

  get eventTime(): number {
    return this.instance.host.eventTime(this.instance.node.clock, this.#current())
  }

  get signal(): AbortSignal {
    // Also for a callback that has outlived its incarnation: it is how it learns of it.
    return this.instance.host.signal
  }

  random(): number {
    this.#current()
    return this.instance.host.random.next()
  }

  sleep(ms: number): Promise<void> {
    this.#current()
    return new Promise((resolve) => {
      this.instance.host.clock.after(ms, resolve)
    })
  }

  async call<T>(_name: string, fn: () => Promise<T> | T): Promise<T> {
    this.#current()
    return await fn()
  }

  store<S, R>(builder: StoreBuilder<S, R>): S {
    this.#current()
    this.#opened = true
    if (builder !== this.#builder) {
      this.#handle = this.instance.store(builder).open(this)
      this.#builder = builder
    }
    return this.#handle as S
  }

  observe(timestamp: number): number {
    const item = this.#current()
    return this.instance.host.observe(this.instance.node, item, timestamp)
  }

  drop(reason: DropReason, detail: string): void {
    const item = this.#current()
    this.instance.host.drop(reason, this.instance.node.name, item, detail)
  }

  silentLoss(reason: SilentLossReason, detail: string): void {
    const item = this.#current()
    this.instance.host.silentLoss(reason, this.instance.node.name, item, detail)
  }

  serdesOf(node: string): ReturnType<OperatorContext<unknown, unknown, unknown>['serdesOf']> {
    const { key, value } = this.instance.host.compiledNode(node)
    return { key: key.serde, value: value.serde }
  }

  warn(message: string): void {
    this.#current()
    this.instance.host.warn(this.instance.node.name, message)
  }

  forward(record: ForwardedRecord<unknown, unknown>, child?: string): void | Promise<void> {
    const item = this.#current()
    const complete = this.#heldBack(this.#complete(record, item), item)
    if (complete === undefined) return this.pending
    this.forwarded++
    if (child === undefined) {
      const { children } = this.instance.node
      for (let i = 0; i < children.length; i++) this.#hand(children[i] as ChildLink, complete, item)
    } else {
      this.#hand(this.#child(child), complete, item)
    }
    return this.pending
  }

  /** What goes on at once of a record, where Kafka's record cache may keep it back. */
  #heldBack(record: Record<unknown, unknown>, item: WorkItem): Record<unknown, unknown> | undefined {
    const { node, lane } = this.instance
    if (node.holdBack === undefined || this.#record === undefined) return record
    return node.holdBack.hold(node, lane, record, this.#record, item)
  }

  forwardOnLaneOf(laneBytes: Uint8Array, record: ForwardedRecord<unknown, unknown>): void | Promise<void> {
    const item = this.#current()
    const complete = this.#complete(record, item)
    const { host, node, lane } = this.instance
    this.forwarded++
    for (const link of node.children) {
      const deliver = () => host.deliverOnLaneOf(laneBytes, node, link, complete, item, lane)
      const settling = this.pending === undefined ? deliver() : this.pending.then(deliver)
      if (settling !== undefined) this.#settlesWith(settling)
    }
    return this.pending
  }

  get timers(): Timers<unknown> {
    this.#timers ??= {
      register: (timer: TimerRegistration<unknown>) => this.#register(timer),
      delete: (timer: TimerTarget<unknown>) => this.#delete(timer),
    } as Timers<unknown>
    return this.#timers
  }

  /** Resolves when all that was forwarded has settled, also what is forwarded meanwhile. @throws what the first of them throws */
  async drained(): Promise<void> {
    let awaited: Promise<void> | undefined
    while (this.pending !== awaited) {
      awaited = this.pending
      await awaited
    }
  }

  #hand(link: ChildLink, record: Record<unknown, unknown>, item: WorkItem): void {
    const { host, node, lane } = this.instance
    if (this.pending !== undefined) {
      this.#handAfter(this.pending, link, record, item)
      return
    }
    const settling = host.deliver(node, link, record, item, lane)
    if (settling !== undefined) this.#settlesWith(settling)
  }

  /** Apart, so that what is synchronous makes no closure (L8). */
  #handAfter(pending: Promise<void>, link: ChildLink, record: Record<unknown, unknown>, item: WorkItem): void {
    const { host, node, lane } = this.instance
    this.#settlesWith(pending.then(() => host.deliver(node, link, record, item, lane)))
  }

  #settlesWith(pending: Promise<void>): void {
    this.pending = pending
    // The chain is awaited when the callback settles; until then a rejection must not count as unhandled.
    pending.catch(() => undefined)
  }

  /** Fills in what was left out (T12) and refuses what no node may see. */
  #complete(record: ForwardedRecord<unknown, unknown>, item: WorkItem): Record<unknown, unknown> {
    const input = this.#record
    const timestamp = record.timestamp ?? input?.timestamp ?? this.#timerTime(item)
    if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
      throw this.#error(
        'TIMESTAMP_INVALID',
        `forwarded a record with the timestamp ${timestamp}. It must be an integer of 0 … 2^53−1 ms.`,
      )
    }
    if (input !== undefined && this.instance.keepsKey && !this.#isSameKey(record.key, input.key)) {
      throw this.#error(
        'SAME_KEY_CHANGED',
        'is declared sameKey but forwarded a record with another key. Take sameKey away, or forward the key it got.',
      )
    }
    if (record instanceof OwnRecord) return record
    return new OwnRecord(record.key, record.value, timestamp, record.headers ?? input?.headers ?? Headers.empty)
  }

  #timerTime(item: WorkItem): number {
    if (item.punctuation !== undefined) return item.punctuation.at
    if (item.timer === undefined) return 0
    return item.timer.domain === 'event-time' ? item.timer.at : Math.max(0, this.eventTime)
  }

  #isSameKey(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true
    const serde = this.instance.node.compiled.key.serde
    if (serde === undefined || a === null || b === null) return false
    return equalBytes(serde.serialize('', Headers.empty, a), serde.serialize('', Headers.empty, b))
  }

  #child(name: string): ChildLink {
    const link = this.instance.node.children.find((candidate) => candidate.child.name === name)
    if (link === undefined) {
      const names = this.instance.node.children.map((candidate) => `"${candidate.child.name}"`).join(', ')
      throw this.#error(
        'PROCESSING_FAILED',
        `forwarded to "${name}", which is not among its children: ${names || 'it has none'}.`,
      )
    }
    return link
  }

  #register(timer: TimerRegistration<unknown>): void {
    const item = this.#current()
    if (!Number.isSafeInteger(timer.at) || timer.at < 0) {
      throw this.#error(
        'TIMER_INVALID',
        `registered a timer at ${timer.at}. A timer's time must be an integer of 0 … 2^53−1 ms.`,
      )
    }
    const keyBytes = this.#timerBytes(timer, item)
    this.instance.host.registerTimer(this.instance.node, timer, keyBytes)
  }

  #delete(timer: TimerTarget<unknown>): void {
    const item = this.#current()
    if (timer.name === undefined && !Number.isSafeInteger(timer.at)) {
      throw this.#error('TIMER_INVALID', `deleted a timer by neither name nor time (at: ${timer.at}).`)
    }
    const keyBytes = this.#timerBytes(timer, item)
    this.instance.host.deleteTimer(this.instance.node, timer, keyBytes)
  }

  /** Validates, serialises with the timer key serde (T3), and has the guard judge it (A2). */
  #timerBytes(timer: { key: unknown; domain: string }, item: WorkItem): Uint8Array {
    const { timers, affinity } = this.instance.node
    if (timers === undefined || affinity === undefined || !timers.domains.some((domain) => domain === timer.domain)) {
      throw this.#error(
        'TIMER_INVALID',
        `used a timer in the domain "${timer.domain}", which its supplier does not declare. Add it: timers: ['${timer.domain}'].`,
      )
    }
    if (timer.key === null || timer.key === undefined) {
      throw this.#error('TIMER_INVALID', 'used a timer with a null key. A timer belongs to a key.')
    }
    const bytes = affinity.write(timer.key)
    const record = this.#record
    if (record === undefined || record.key === null || record.key === undefined) return bytes
    if (this.#recordTimerBytes === undefined) {
      this.#recordTimerBytes = timer.key === record.key ? bytes : affinity.tryWrite(record.key)
    }
    if (this.#recordTimerBytes !== null && equalBytes(bytes, this.#recordTimerBytes)) {
      affinity.guard(item, record.key, bytes)
    }
    return bytes
  }

  #current(): WorkItem {
    if (this.#item === undefined) throw this.#settled()
    if (this.instance.host.halted) throw this.instance.host.stale(this.node, this.instance.lane.index)
    return this.#item
  }

  #settled(): StreamError {
    const { lane, isSync } = this.instance
    // One context for all synchronous callbacks cannot tell which of them has kept it.
    const at = isSync ? null : this.#armedFor
    const where = at === null ? '' : `, of the record ${at.topic}-${at.partition} @ ${at.offset},`
    return new StreamError(
      `Node "${this.node}" used the context of a callback${where} that has settled. Await what the callback starts before it returns, and use only the context it was given.`,
      {
        code: 'CALLBACK_SETTLED',
        kind: 'user',
        retriable: false,
        context: { node: this.node, lane: lane.index, ...(at ?? {}) },
      },
    )
  }

  #error(
    code: 'TIMESTAMP_INVALID' | 'SAME_KEY_CHANGED' | 'PROCESSING_FAILED' | 'TIMER_INVALID',
    problem: string,
  ): StreamError {
    const coordinates = this.#item?.coordinates
    return new StreamError(`Node "${this.node}" ${problem}`, {
      code,
      kind: 'user',
      retriable: false,
      context: { node: this.node, lane: this.instance.lane.index, ...(coordinates ?? {}) },
    })
  }
}
