/**
 * What the source clocks were at one moment (W3). Records read at that moment carry it; it counts how many
 * of them are unfinished in each sub-topology, so that the event clock (W7) knows the oldest one alive.
 */
export class ClockStamp {
  /** Unfinished items by sub-topology. */
  readonly inFlight: Int32Array
  total = 0

  constructor(
    /** One clock for each group of sources, in ms; −1 while unknown. */
    readonly values: Float64Array,
    subTopologies: number,
  ) {
    this.inFlight = new Int32Array(subTopologies)
  }
}

/**
 * The clocks of a running topology. Nodes with the same topic sources upstream form a *group* and share a source clock;
 * what a node sees (W7) is the smallest clock stamped on an item that is unfinished upstream of it or in its own
 * sub-topology, else the source clock.
 */
export class ClockBoard {
  #current: ClockStamp
  /** Older stamps that are still alive, oldest first. */
  readonly #older: ClockStamp[] = []
  /** For each sub-topology: itself and all upstream of it. */
  readonly #feeders: readonly (readonly number[])[]
  /** What a restart found each group's nodes of a sub-topology to have seen: they never see less (W6). */
  readonly #floors: Float64Array

  constructor(
    groups: number,
    private readonly subTopologies: number,
    upstream: readonly (readonly number[])[],
  ) {
    this.#current = new ClockStamp(new Float64Array(groups).fill(-1), subTopologies)
    this.#floors = new Float64Array(groups * subTopologies).fill(-1)
    this.#feeders = upstream.map((_, index) => closure(index, upstream))
  }

  /** What a record that is read now is stamped with. */
  get current(): ClockStamp {
    return this.#current
  }

  /** How many moments of the past some unfinished record still holds. */
  get held(): number {
    return this.#older.length
  }

  /** The source clock of a group: what it would be with nothing in flight. */
  sourceClock(group: number): number {
    return this.#current.values[group] as number
  }

  /**
   * Moves the source clock of a group; a clock never goes back.
   *
   * @returns whether it moved
   */
  advance(group: number, clock: number): boolean {
    const current = this.#current
    if (clock <= (current.values[group] as number)) return false
    if (current.total === 0) {
      current.values[group] = clock
      return true
    }
    const values = current.values.slice()
    values[group] = clock
    this.#older.push(current)
    this.#current = new ClockStamp(values, this.subTopologies)
    return true
  }

  /**
   * A stamp from before some groups' clocks moved on to where they are, held by a sub-topology: nodes there and behind it
   * see the earlier clock until it is released. For what a scan of that move has yet to send on (W5, W7).
   */
  holdBefore(groups: readonly number[], clock: number, subTopology: number): ClockStamp {
    const values = this.stampFor(subTopology).values.slice()
    for (const group of groups) values[group] = Math.min(values[group] as number, clock)
    const stamp = new ClockStamp(values, this.subTopologies)
    this.#older.unshift(stamp)
    this.hold(stamp, subTopology)
    return stamp
  }

  /** Nodes of this group and sub-topology have seen this clock before a restart (W6). */
  restore(group: number, subTopology: number, clock: number): void {
    const index = group * this.subTopologies + subTopology
    this.#floors[index] = Math.max(this.#floors[index] as number, clock)
  }

  hold(stamp: ClockStamp, subTopology: number): void {
    stamp.inFlight[subTopology] = (stamp.inFlight[subTopology] as number) + 1
    stamp.total++
  }

  /** @returns whether an event clock may have moved by it */
  release(stamp: ClockStamp, subTopology: number): boolean {
    const left = (stamp.inFlight[subTopology] as number) - 1
    stamp.inFlight[subTopology] = left
    stamp.total--
    if (stamp === this.#current) return false
    const index = stamp.total === 0 ? this.#older.indexOf(stamp) : -1
    if (index >= 0) this.#older.splice(index, 1)
    return left === 0
  }

  /** The oldest stamp that holds a node of this sub-topology back, else the current one. */
  stampFor(subTopology: number): ClockStamp {
    const feeders = this.#feeders[subTopology] as readonly number[]
    for (const stamp of this.#older) {
      for (const feeder of feeders) if ((stamp.inFlight[feeder] as number) > 0) return stamp
    }
    return this.#current
  }

  /** What the event clock of nodes of this group and sub-topology comes to once nothing is in flight, in ms; −1 while unknown. */
  reached(group: number, subTopology: number): number {
    return Math.max(this.sourceClock(group), this.#floors[group * this.subTopologies + subTopology] as number)
  }

  /** The event clock that a node of this group and sub-topology sees (W7), in ms; −1 while unknown. */
  eventClock(group: number, subTopology: number): number {
    const seen = this.stampFor(subTopology).values[group] as number
    const floor = this.#floors[group * this.subTopologies + subTopology] as number
    return Math.max(seen, floor)
  }
}

function closure(start: number, upstream: readonly (readonly number[])[]): readonly number[] {
  const seen = new Set<number>([start])
  for (const index of seen) for (const feeder of upstream[index] as readonly number[]) seen.add(feeder)
  return [...seen]
}
