import type { EngineEvent, EngineEventOf, EngineEventType } from './EngineEvent.js'

type Listener = (event: EngineEvent) => void

interface Subscription {
  readonly listener: Listener
  /** One in this many is delivered; 1 delivers all. */
  readonly every: number
  seen: number
}

/**
 * Where the engine's events go. An emitter asks `listening(type)` first and builds nothing when nobody listens.
 * `listening` also counts, so that a sampled type is built only when it will be delivered.
 */
export class EventHub {
  readonly #byType = new Map<EngineEventType, Subscription[]>()

  /**
   * Delivers events of these types, in the order in which they happen, within the engine's turn:
   * a listener must be quick and must not throw.
   *
   * @param every deliver one in `every` (for types at the rate of records)
   * @returns a function that ends the subscription
   */
  on(types: readonly EngineEventType[], listener: Listener, every = 1): () => void {
    const added = types.map((type) => {
      const subscription: Subscription = { listener, every, seen: 0 }
      const list = this.#byType.get(type)
      if (list) list.push(subscription)
      else this.#byType.set(type, [subscription])
      return [type, subscription] as const
    })
    return () => {
      for (const [type, subscription] of added) {
        const rest = this.#byType.get(type)?.filter((other) => other !== subscription)
        if (rest?.length) this.#byType.set(type, rest)
        else this.#byType.delete(type)
      }
    }
  }

  /** Whether an event of this type, happening now, would reach anybody. */
  listening(type: EngineEventType): boolean {
    // Asked several times a record: where nobody listens to anything, no name is looked up.
    if (this.#byType.size === 0) return false
    const list = this.#byType.get(type)
    if (list === undefined) return false
    for (const subscription of list) if ((subscription.seen + 1) % subscription.every === 0) return true
    for (const subscription of list) subscription.seen++
    return false
  }

  /** Delivers an event for which `listening` has just said true. */
  emit<T extends EngineEventType>(event: EngineEventOf<T>): void {
    const list = this.#byType.get(event.type)
    if (list === undefined) return
    for (const subscription of list) {
      subscription.seen++
      if (subscription.seen % subscription.every === 0) subscription.listener(event)
    }
  }
}
