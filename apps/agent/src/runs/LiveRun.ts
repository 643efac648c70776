import type { EngineState } from '@lanescope/core'
import type { RunFrame, RunSummary, WireError, WireRestore } from '@lanescope/shared'
import { RareHistory } from './RareHistory.js'
import type { RunViewer } from './RunViewer.js'

/** A run as pages see it, alive or over: its summary, its last frame, its rare events, its viewers. */
export class LiveRun {
  #summary: RunSummary
  readonly #history = new RareHistory()
  readonly #viewers = new Set<RunViewer>()
  #last: RunFrame | undefined

  constructor(summary: RunSummary) {
    this.#summary = summary
  }

  get summary(): RunSummary {
    return this.#summary
  }

  get isOver(): boolean {
    return this.#summary.endedAt !== null
  }

  moveTo(state: EngineState): void {
    // A message may arrive behind the news that its sender is gone.
    if (this.isOver) return
    this.#summary = { ...this.#summary, state }
  }

  restored(restore: WireRestore): void {
    if (this.isOver) return
    this.#summary = { ...this.#summary, restore }
  }

  end(error: WireError | null, at: number): void {
    this.#summary = { ...this.#summary, state: error === null ? 'stopped' : 'failed', error, endedAt: at }
  }

  push(frame: RunFrame): void {
    this.#history.add(frame.rare)
    this.#last = frame
    for (const viewer of this.#viewers) viewer(frame)
  }

  /**
   * Gives a viewer the last frame, with the rare events of the run so far, and all that follow.
   *
   * @returns a function that ends it
   */
  watch(viewer: RunViewer): () => void {
    if (this.#last) viewer({ ...this.#last, rare: this.#history.all() })
    this.#viewers.add(viewer)
    return () => this.#viewers.delete(viewer)
  }
}
