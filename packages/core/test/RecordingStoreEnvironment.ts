import type { EngineEvent, EngineEventOf, EngineEventType } from '../src/events/EngineEvent.js'
import type { RecordCoordinates } from '../src/model/Record.js'
import type { Serde } from '../src/serde/Serde.js'
import { string } from '../src/serde/string.js'
import { MemoryByteStores } from '../src/state/MemoryByteStores.js'
import type { ByteStores, StoreAccess, StoreEnvironment } from '../src/state/StoreBuilder.js'

/** Lends a store what the runtime would, and remembers what the store told. */
export class RecordingStoreEnvironment implements StoreEnvironment {
  readonly applicationId = 'app'
  readonly events: EngineEvent[] = []
  readonly counted: string[] = []
  readonly warnings: { readonly key: string; readonly message: string }[] = []
  /** The types somebody listens to; all unless given. */
  deafTo: readonly EngineEventType[] = []
  readonly eventClock: (() => number) | undefined
  /** What holds the greatest put back, as records in flight do in a run. */
  heldClock: (() => number) | undefined

  constructor(
    readonly keySerde: Serde<any> = string,
    readonly valueSerde: Serde<any> = string,
    /** What the event clock stands at; absent in stream-time mode. */
    public clock?: number,
  ) {
    this.eventClock = clock === undefined ? undefined : () => this.clock as number
  }

  readonly byteStores: ByteStores = new MemoryByteStores()
  readonly listening = (type: EngineEventType) => !this.deafTo.includes(type)
  readonly emit = (event: EngineEvent) => void this.events.push(event)
  readonly countDropped = (reason: string) => void this.counted.push(`dropped ${reason}`)
  readonly countSilentLoss = (reason: string) => void this.counted.push(`silent ${reason}`)
  readonly warn = (key: string, message: string) => void this.warnings.push({ key, message })
  readonly now = () => 0

  eventsOf<T extends EngineEventType>(type: T): EngineEventOf<T>[] {
    return this.events.filter((event) => event.type === type) as EngineEventOf<T>[]
  }
}

/** A record of topic `in`, partition 0, at this offset and time. */
export function record(offset: number, timestamp: number): RecordCoordinates {
  return { topic: 'in', partition: 0, offset, timestamp }
}

/** The access of node `n`, for the given record; open until `settled` says otherwise. */
export function accessFor(cause: RecordCoordinates | null = null, settled: () => boolean = () => false): StoreAccess {
  return {
    node: 'n',
    check() {
      if (settled()) throw new Error('CALLBACK_SETTLED')
    },
    cause: () => cause,
  }
}
