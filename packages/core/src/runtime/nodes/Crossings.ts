import type { WorkItem } from './WorkItem.js'

/**
 * What has crossed boundaries and waits to be taken up one at a time, as Kafka's test driver does with the records of
 * repartition topics (D1): the topic whose first record is the earliest comes first; among equals the one that has
 * waited longest.
 */
export class Crossings {
  /** In the order in which their turn comes among equals; none is empty. */
  readonly #topics = new Map<string, WorkItem[]>()

  add(topic: string, item: WorkItem): void {
    const waiting = this.#topics.get(topic)
    if (waiting) waiting.push(item)
    else this.#topics.set(topic, [item])
  }

  /** The time of what `take` would give, in ms; undefined when nothing waits. */
  get earliest(): number | undefined {
    const first = this.#first()
    return first === undefined ? undefined : timeOf(first[1])
  }

  #first(): [topic: string, items: WorkItem[]] | undefined {
    let first: [topic: string, items: WorkItem[]] | undefined
    for (const each of this.#topics) if (first === undefined || timeOf(each[1]) < timeOf(first[1])) first = each
    return first
  }

  take(): WorkItem | undefined {
    const first = this.#first()
    if (first === undefined) return undefined
    const [topic, items] = first
    const item = items.shift()
    this.#topics.delete(topic)
    if (items.length > 0) this.#topics.set(topic, items)
    return item
  }
}

function timeOf([head]: readonly WorkItem[]): number {
  return head?.record?.timestamp ?? 0
}
