import type { Clock, LogOutage } from '@lanescope/core'

/** A leader that moves, or a broker that starts again, is no outage yet. */
const GRACE_MS = 5_000

interface Trouble {
  /** Of the wall clock. */
  readonly since: number
  /** Monotonic. */
  readonly begun: number
  readonly reason: string
}

/**
 * Whether brokers answer what they are asked all the time. The client tries anew by itself, for as long as it takes: an
 * operator must see that nothing is read meanwhile.
 */
export class BrokerWatch {
  readonly #asked = new Map<string, Trouble>()
  readonly #failing = new Map<string, Trouble>()

  constructor(
    private readonly clock: Clock,
    private readonly where: string,
  ) {}

  /** @param broker its number; one question at a time */
  asks(broker: string): void {
    this.#asked.set(broker, this.#trouble(`broker ${broker} has not answered`))
  }

  answers(broker: string): void {
    this.#asked.delete(broker)
    if (this.#failing.size > 0) this.#failing.delete(broker)
  }

  /** It counts from when it was asked, or failed first. */
  fails(broker: string, reason: string): void {
    const { since, begun } = this.#failing.get(broker) ?? this.#asked.get(broker) ?? this.#trouble(reason)
    this.#asked.delete(broker)
    this.#failing.set(broker, { since, begun, reason })
  }

  /** What has failed and is not asked any more, because another one has taken its place, is no trouble. */
  onlyNeeds(isNeeded: (broker: string) => boolean): void {
    for (const broker of this.#failing.keys()) if (!isNeeded(broker)) this.#failing.delete(broker)
  }

  /** The trouble that has lasted longest, once it is more than a hiccup. */
  get outage(): LogOutage | undefined {
    let oldest: Trouble | undefined
    for (const trouble of [...this.#failing.values(), ...this.#asked.values()]) {
      if (oldest === undefined || trouble.begun < oldest.begun) oldest = trouble
    }
    if (oldest === undefined || this.clock.monotonic() - oldest.begun < GRACE_MS) return undefined
    return { since: oldest.since, reason: `${this.where}: ${oldest.reason}` }
  }

  #trouble(reason: string): Trouble {
    return { since: this.clock.now(), begun: this.clock.monotonic(), reason }
  }
}
