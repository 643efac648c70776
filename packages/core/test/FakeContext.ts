import type { DropReason, SilentLossReason } from '../src/events/EngineEvent.js'
import { Headers } from '../src/model/Headers.js'
import type { Record, RecordCoordinates } from '../src/model/Record.js'
import type { ForwardedRecord } from '../src/processor/contexts.js'
import type { OperatorContext } from '../src/processor/OperatorContext.js'
import { long } from '../src/serde/long.js'
import { string } from '../src/serde/string.js'
import { MemoryByteStores } from '../src/state/MemoryByteStores.js'
import type { StoreBuilder, StoreEnvironment, StoreInstance } from '../src/state/StoreBuilder.js'

/** A record of topic `in`, with no headers. */
export function recordOf(key: any, value: any, timestamp: number): Record<any, any> {
  return { key, value, timestamp, headers: Headers.empty }
}

/** What an operator sees of the runtime: it writes down what the operator does, over real stores. */
export class FakeContext {
  readonly forwarded: ForwardedRecord<any, any>[] = []
  readonly dropped: [DropReason, string][] = []
  readonly lost: [SilentLossReason, string][] = []
  readonly warnings: string[] = []
  coordinates: RecordCoordinates | null = { topic: 'in', partition: 0, offset: 5, timestamp: 0 }
  private clock = -1
  private readonly stores = new Map<string, StoreInstance<any, any>>()

  forward(record: ForwardedRecord<any, any>): void {
    this.forwarded.push(record)
  }

  observe(timestamp: number): number {
    this.clock = Math.max(this.clock, timestamp)
    return this.clock
  }

  drop(reason: DropReason, detail: string): void {
    this.dropped.push([reason, detail])
  }

  silentLoss(reason: SilentLossReason, detail: string): void {
    this.lost.push([reason, detail])
  }

  serdesOf() {
    return { key: string, value: string }
  }

  warn(message: string): void {
    this.warnings.push(message)
  }

  store(builder: StoreBuilder<any, any>): unknown {
    const known = this.stores.get(builder.name)
    const instance = known ?? builder.build(this.environment(builder))
    this.stores.set(builder.name, instance)
    return instance.open({ node: 'n', check: () => undefined, cause: () => this.coordinates })
  }

  asContext(): OperatorContext<any, any, any> {
    return this as unknown as OperatorContext<any, any, any>
  }

  private environment(builder: StoreBuilder<any, any>): StoreEnvironment {
    const { keySerde = string, valueSerde: inner = long } = builder
    const valueSerde = builder.storedValue?.(inner) ?? inner
    return {
      applicationId: 'app',
      keySerde,
      valueSerde,
      eventClock: undefined,
      listening: () => false,
      emit: () => undefined,
      countDropped: (reason) => this.dropped.push([reason, 'store']),
      countSilentLoss: (reason) => this.lost.push([reason, 'store']),
      warn: () => undefined,
      now: () => 0,
      byteStores: new MemoryByteStores(),
    }
  }
}
