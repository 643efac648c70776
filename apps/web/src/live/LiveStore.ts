import type { Cancellable, Clock } from '@lanescope/core'
import type { RunFrame, RunSummary } from '@lanescope/shared'
import { type Freshness, toFreshness } from './freshness.js'
import { type RunView, receiveFrame } from './RunView.js'

/** What the live views draw. A new object only when something in it changed. */
export interface LiveState {
  readonly run: RunSummary | null
  /** What is shown: the newest view, or the one at which the viewer paused. */
  readonly view: RunView | null
  readonly freshness: Freshness
  readonly pausedAt: number | null
  /** How many frames came since the pause, kept and not shown. */
  readonly heldBack: number
  /** The last stretch that the viewer had paused. */
  readonly lastGap: PauseGap | null
  /** Page clock, moved twice a second; for ages. */
  readonly now: number
  /** Nodes of the run by the document's name: an operator of the DSL may have become several. */
  readonly names: NodeNames
}

/** A pause of the view: what came in it was kept, and is shown after it. */
export interface PauseGap {
  readonly from: number
  readonly to: number
  readonly frames: number
}

export type NodeNames = ReadonlyMap<string, readonly string[]>

export interface LiveStore {
  getState(): LiveState
  subscribe(listener: () => void): () => void
  takeRun(run: RunSummary | null): void
  takeFrame(frame: RunFrame, receivedAt: number): void
  setConnected(connected: boolean): void
  setNames(names: NodeNames): void
  pause(): void
  resume(): void
  /** Begins to tell ages; the result ends it. */
  start(): () => void
}

/** Views render at most this often, however many frames come. */
export const RENDER_EVERY_MS = 100
const AGE_EVERY_MS = 500

/** Folds frames into what is shown, and tells its listeners at a bounded rate. */
export function createLiveStore(clock: Pick<Clock, 'now' | 'after'>): LiveStore {
  const listeners = new Set<() => void>()
  let run: RunSummary | null = null
  let newest: RunView | null = null
  let paused: { readonly view: RunView | null; readonly at: number } | null = null
  let connected = true
  let lastGap: PauseGap | null = null
  let names: NodeNames = new Map()
  let state: LiveState = {
    run,
    view: null,
    freshness: { state: 'none' },
    pausedAt: null,
    heldBack: 0,
    lastGap,
    now: clock.now(),
    names,
  }
  let pending: Cancellable | null = null
  let renderedAt = Number.NEGATIVE_INFINITY

  const render = () => {
    pending?.cancel()
    pending = null
    const now = clock.now()
    renderedAt = now
    const view = paused ? paused.view : newest
    const pausedAt = paused?.at ?? null
    const receivedAt = view?.receivedAt ?? null
    state = {
      run,
      view,
      freshness: toFreshness({ run, receivedAt, now, connected, pausedAt }),
      pausedAt,
      heldBack: (newest?.frames ?? 0) - (view?.frames ?? 0),
      lastGap,
      now,
      names,
    }
    for (const listener of listeners) listener()
  }

  const renderSoon = () => {
    if (pending !== null) return
    const wait = RENDER_EVERY_MS - (clock.now() - renderedAt)
    if (wait <= 0) render()
    else pending = clock.after(wait, render)
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    takeRun: (next) => {
      if (next === run) return
      if (next?.runId !== run?.runId) {
        newest = null
        paused = null
        lastGap = null
      }
      run = next
      render()
    },
    takeFrame: (frame, receivedAt) => {
      if (run !== null && frame.runId !== run.runId) return
      newest = receiveFrame(newest, frame, receivedAt)
      renderSoon()
    },
    setConnected: (next) => {
      if (next === connected) return
      connected = next
      render()
    },
    setNames: (next) => {
      names = next
      render()
    },
    pause: () => {
      paused ??= { view: newest, at: clock.now() }
      render()
    },
    resume: () => {
      if (paused)
        lastGap = { from: paused.at, to: clock.now(), frames: (newest?.frames ?? 0) - (paused.view?.frames ?? 0) }
      paused = null
      render()
    },
    start: () => tick(clock, render),
  }
}

/** The document's name of a node of the run. */
export function documentName(names: NodeNames, compiled: string): string {
  for (const [name, all] of names) if (all.includes(compiled)) return name
  return compiled
}

function tick(clock: Pick<Clock, 'after'>, then: () => void): () => void {
  let timer = clock.after(AGE_EVERY_MS, again)
  function again() {
    then()
    timer = clock.after(AGE_EVERY_MS, again)
  }
  return () => timer.cancel()
}
