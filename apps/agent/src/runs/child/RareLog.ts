import type { RareEvent, UnnumberedRareEvent } from '@lanescope/shared'

type Dropped = Extract<RareEvent, { readonly type: 'dropped' }>

/** Rare events of one frame. What is "rare" may still come with every record; beyond this many a frame cannot hold it. */
const MOST_A_FRAME = 1_000

/** Few by their nature, and the ones that explain a run. */
const ALWAYS: ReadonlySet<RareEvent['type']> = new Set(['split', 'error', 'state', 'segment-expired'])

/**
 * Rare events between two frames, numbered without gaps. Drops of one reason at one node are one event with a count.
 * When there are too many, the last ones are left out, and the gap in `n` says how many.
 */
export class RareLog {
  #n = 0
  #events: RareEvent[] = []
  #drops = new Map<string, number>()

  add(event: UnnumberedRareEvent): void {
    if (event.type === 'dropped') {
      const dropped = event as Omit<Dropped, 'n'>
      const same = `${dropped.reason}\n${dropped.node}\n${dropped.store ?? ''}`
      const at = this.#drops.get(same)
      const earlier = at === undefined ? undefined : (this.#events[at] as Dropped)
      if (at !== undefined && earlier !== undefined) {
        this.#events[at] = { ...earlier, count: earlier.count + dropped.count }
        return
      }
      if (this.#events.length < MOST_A_FRAME) this.#drops.set(same, this.#events.length)
    }
    this.#n++
    if (this.#events.length < MOST_A_FRAME || ALWAYS.has(event.type))
      this.#events.push({ ...event, n: this.#n } as RareEvent)
  }

  take(): readonly RareEvent[] {
    const taken = this.#events
    this.#events = []
    this.#drops = new Map()
    return taken
  }
}
