import type { WorkItem } from './WorkItem.js'

/** One record of a repartition topic: an item for each node that reads it, of which Kafka Streams makes one record. */
type Crossed = [WorkItem, ...WorkItem[]]

/**
 * What has crossed boundaries and waits to be taken up one at a time, as Kafka's test driver does with the records of
 * repartition topics (D1): the topic whose first record is the earliest comes first. Which one does among equals is
 * as Java's priority queue has it, since results depend on it: so this is the same heap, step by step.
 */
export class Crossings {
  readonly #topics = new Map<string, Crossed[]>()
  /** Those that are not empty. */
  readonly #heap: Crossed[][] = []
  #last: { readonly topic: string; readonly record: unknown; readonly crossed: Crossed } | undefined

  /**
   * Lets an item go along with the record that has just been written, if it is the same one on its way to another node.
   *
   * @returns whether it does
   */
  join(topic: string, item: WorkItem): boolean {
    const last = this.#last
    if (last === undefined || last.topic !== topic || last.record !== item.record) return false
    const [first] = last.crossed
    if (last.crossed.some(({ entry }) => entry === item.entry)) return false
    item.record = first.record
    item.coordinates = first.coordinates
    last.crossed.push(item)
    return true
  }

  /** @param record as it was before it was written to the topic */
  add(topic: string, item: WorkItem, record: unknown): void {
    const crossed: Crossed = [item]
    this.#last = { topic, record, crossed }
    const waiting = this.#topics.get(topic) ?? []
    waiting.push(crossed)
    this.#topics.set(topic, waiting)
    if (waiting.length === 1) this.#offer(waiting)
  }

  /** The time of what `take` would give, in ms; undefined when nothing waits. */
  get earliest(): number | undefined {
    const [first] = this.#heap
    return first === undefined ? undefined : timeOf(first)
  }

  /** The items of the next record; none when nothing waits. */
  take(): readonly WorkItem[] {
    this.#last = undefined
    const first = this.#poll()
    const crossed = first?.shift()
    if (first !== undefined && first.length > 0) this.#offer(first)
    return crossed ?? []
  }

  #offer(topic: Crossed[]): void {
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >>> 1
      const above = heap[parent] as Crossed[]
      if (timeOf(topic) >= timeOf(above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = topic
  }

  #poll(): Crossed[] | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let at = 0
    while (at < heap.length >>> 1) {
      let child = 2 * at + 1
      const right = child + 1
      if (right < heap.length && timeOf(heap[child] as Crossed[]) > timeOf(heap[right] as Crossed[])) child = right
      const below = heap[child] as Crossed[]
      if (timeOf(last) <= timeOf(below)) break
      heap[at] = below
      at = child
    }
    heap[at] = last
    return first
  }
}

function timeOf([head]: readonly Crossed[]): number {
  return head?.[0].record?.timestamp ?? 0
}
