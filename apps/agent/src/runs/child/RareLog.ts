import type { RareEvent } from '@lanescope/shared'

type Dropped = Extract<RareEvent, { readonly type: 'dropped' }>

/** A rare event before it has its number. */
export type Unnumbered<T extends RareEvent = RareEvent> = T extends RareEvent ? Omit<T, 'n'> : never

/** Rare events between two frames, numbered without gaps. Drops of one reason at one node are one event with a count. */
export class RareLog {
  #n = 0
  #events: RareEvent[] = []
  #drops = new Map<string, number>()

  add(event: Unnumbered): void {
    if (event.type === 'dropped') {
      const dropped = event as Omit<Dropped, 'n'>
      const same = `${dropped.reason}\n${dropped.node}\n${dropped.store ?? ''}`
      const at = this.#drops.get(same)
      const earlier = at === undefined ? undefined : (this.#events[at] as Dropped)
      if (at !== undefined && earlier !== undefined) {
        this.#events[at] = { ...earlier, count: earlier.count + dropped.count }
        return
      }
      this.#drops.set(same, this.#events.length)
    }
    this.#n++
    this.#events.push({ ...event, n: this.#n } as RareEvent)
  }

  take(): readonly RareEvent[] {
    const taken = this.#events
    this.#events = []
    this.#drops = new Map()
    return taken
  }
}
