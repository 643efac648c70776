import type { OutputRecord } from '../runtime/RecordLog.js'

/** What a topology has sent: by topic until somebody reads it, and until it is piped in again where a source reads it. */
export class CapturedOutputs {
  readonly #unread = new Map<string, OutputRecord[]>()
  /** By topic, in the order in which their turn comes among equals; none is empty. */
  readonly #returning = new Map<string, OutputRecord[]>()

  constructor(private readonly returns: (topic: string) => boolean) {}

  add(outputs: Iterable<OutputRecord>): void {
    for (const output of outputs) {
      append(this.#unread, output)
      if (this.returns(output.topic)) append(this.#returning, output)
    }
  }

  /** Topics that have been sent to so far. */
  get topics(): ReadonlySet<string> {
    return new Set(this.#unread.keys())
  }

  /** What has been sent to a topic since it was last asked for. */
  read(topic: string): OutputRecord[] {
    return this.#unread.get(topic)?.splice(0) ?? []
  }

  /** The time of the next record to pipe in again, in ms; undefined when none waits. */
  get earliestReturn(): number | undefined {
    return this.#first()?.[1][0]?.timestamp
  }

  /** Takes the next record to pipe in again: the topic whose first record is the earliest comes first (W4). */
  takeReturn(): OutputRecord | undefined {
    const first = this.#first()
    if (first === undefined) return undefined
    const [topic, waiting] = first
    const output = waiting.shift()
    this.#returning.delete(topic)
    if (waiting.length > 0) this.#returning.set(topic, waiting)
    return output
  }

  #first(): [topic: string, waiting: OutputRecord[]] | undefined {
    let first: [string, OutputRecord[]] | undefined
    for (const each of this.#returning) if (first === undefined || timeOf(each[1]) < timeOf(first[1])) first = each
    return first
  }
}

function append(lists: Map<string, OutputRecord[]>, output: OutputRecord): void {
  const list = lists.get(output.topic)
  if (list) list.push(output)
  else lists.set(output.topic, [output])
}

function timeOf([head]: readonly OutputRecord[]): number {
  return head?.timestamp ?? 0
}
