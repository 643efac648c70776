import { keyOf } from '../inspection/takeSnapshot.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import type { Lane } from '../scheduling/Lane.js'
import type { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'
import type { EpochBuffer, FinishedEpoch } from './EpochBuffer.js'

/** What a cut looks at. */
export interface CutHost {
  readonly halted: boolean
  readonly lanes: readonly Lane[]
  readonly subTopologies: readonly SubTopologyRuntime[]
}

/** The end of an epoch over all lanes (E8): callbacks in flight finish, boundary items drain, source items stay queued. */
export class EpochCut {
  underWay = false
  /** Of the callbacks that the cut under way has waited for. */
  #slowest: FinishedEpoch['slowest']
  #onQuiet: (() => void) | undefined

  constructor(private readonly host: CutHost) {}

  /** Whether no callback is in flight and nothing has still to cross a boundary. */
  get isQuiet(): boolean {
    for (const lane of this.host.lanes) if (lane.busy) return false
    for (const sub of this.host.subTopologies)
      for (const queue of sub.queues) if (queue.fromBoundary.length > 0) return false
    return true
  }

  begin(): void {
    this.underWay = true
    this.#slowest = undefined
  }

  /** Takes what the epoch has produced, once all is quiet, or the run has ended. */
  async take(epoch: EpochBuffer): Promise<FinishedEpoch> {
    if (!this.isQuiet) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve
      })
    }
    return { ...epoch.take(), ...(this.#slowest === undefined ? {} : { slowest: this.#slowest }) }
  }

  end(): void {
    this.underWay = false
  }

  /** A callback that a promise was awaited for is over. @param tookMs monotonic ms */
  awaited(item: WorkItem, lane: Lane, tookMs: number): void {
    if (!this.underWay || tookMs < (this.#slowest?.ms ?? 0)) return
    const key = keyOf(item)
    this.#slowest = { node: item.at.name, lane: lane.index, ...(key === undefined ? {} : { key }), ms: tookMs }
  }

  /** Lets a cut that waits go on, if it may. */
  tellQuiet(): void {
    const onQuiet = this.#onQuiet
    if (onQuiet === undefined || !(this.host.halted || this.isQuiet)) return
    this.#onQuiet = undefined
    onQuiet()
  }
}
