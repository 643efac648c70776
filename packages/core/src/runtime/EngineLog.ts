import type { EventHub } from '../events/EventHub.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { Clock } from '../time/Clock.js'

const ONCE_PER_MS = 60_000

/** What a line is about, as far as that is known. */
export interface LogPlace {
  readonly lane?: number | undefined
  readonly coordinates?: RecordCoordinates | null
}

/** The engine's log lines: events, for whoever prints or shows them. */
export class EngineLog {
  readonly #lastWarned = new Map<string, number>()

  constructor(
    private readonly events: EventHub,
    private readonly clock: Clock,
  ) {}

  write(level: 'info' | 'warn' | 'error', message: string, node?: string, place: LogPlace = {}): void {
    if (!this.events.listening('log')) return
    const { lane, coordinates } = place
    this.events.emit<'log'>({
      type: 'log',
      level,
      at: this.clock.now(),
      message,
      ...(node === undefined ? {} : { node }),
      ...(lane === undefined ? {} : { lane }),
      ...(coordinates ? { coordinates: coordinatesOf(coordinates) } : {}),
    })
  }

  /** Writes a warning at most once per key and minute; the counters have the rest. */
  warnOncePerMinute(key: string, message: string, node?: string, place?: LogPlace): void {
    const now = this.clock.monotonic()
    const last = this.#lastWarned.get(key)
    if (last !== undefined && now - last < ONCE_PER_MS) return
    this.#lastWarned.set(key, now)
    this.write('warn', message, node, place)
  }
}

/** Of a whole record, the part that says where it is. */
function coordinatesOf({ topic, partition, offset, timestamp }: RecordCoordinates): RecordCoordinates {
  return { topic, partition, offset, timestamp }
}
