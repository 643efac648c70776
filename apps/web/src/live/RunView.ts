import type { RunFrame, RunSummary, WireSample, WireTimerEvent } from '@lanescope/shared'
import { type Figures, noFigures, toFigures } from './figures.js'
import { addRareEvents, emptyJournal, type Journal } from './journal.js'
import { noPressure, type Pressure, toPressure } from './pressure.js'
import { addReading, emptyHistory, type History, toReading } from './readings.js'

/** A sample with a number of its own, so that lists have stable keys. */
export type SeenSample = WireSample & { readonly id: number }
export type SeenTimerEvent = WireTimerEvent & { readonly id: number }

/** What one frame said it left out. */
export interface LeftOut {
  readonly at: number
  readonly frames: number
  readonly samples: number
  readonly timerEvents: number
}

/** Everything the page knows of one run, made of its frames alone. Immutable: a frame makes a new one. */
export interface RunView {
  readonly runId: string
  readonly frame: RunFrame | null
  /** Page clock at which the newest frame came. */
  readonly receivedAt: number | null
  readonly frames: number
  readonly history: History
  readonly figures: Figures
  readonly pressure: Pressure
  readonly journal: Journal
  /** The newest samples, oldest first. */
  readonly samples: readonly SeenSample[]
  readonly timerEvents: readonly SeenTimerEvent[]
  /** Over the last minute, oldest first. */
  readonly leftOut: readonly LeftOut[]
  /** Id of the next sample or timer event. */
  readonly nextId: number
}

export const KEPT_SAMPLES = 1_000
export const KEPT_TIMER_EVENTS = 2_000
export const LEFT_OUT_SPAN_MS = 60_000

export function emptyRunView(runId: string): RunView {
  return {
    runId,
    frame: null,
    receivedAt: null,
    frames: 0,
    history: emptyHistory,
    figures: noFigures,
    pressure: noPressure,
    journal: emptyJournal,
    samples: [],
    timerEvents: [],
    leftOut: [],
    nextId: 1,
  }
}

/** Folds one frame in. A frame of another run starts over; one that is not newer brings its rare events alone. */
export function receiveFrame(before: RunView | null, frame: RunFrame, receivedAt: number): RunView {
  const view = before?.runId === frame.runId ? before : emptyRunView(frame.runId)
  const journal = addRareEvents(view.journal, frame.rare)
  if (view.frame !== null && frame.seq <= view.frame.seq) return journal === view.journal ? view : { ...view, journal }
  const history = addReading(view.history, toReading(frame.snapshot))
  const figures = toFigures(history.recent, frame.hotKeys, view.figures)
  const samples = frame.samples.map((sample, index) => ({ ...sample, id: view.nextId + index }))
  const timerEvents = frame.timerEvents.map((event, index) => ({
    ...event,
    id: view.nextId + samples.length + index,
  }))
  return {
    runId: frame.runId,
    frame,
    receivedAt,
    frames: view.frames + 1,
    history,
    figures,
    pressure: toPressure(figures, frame.snapshot),
    journal,
    samples: addBounded(view.samples, samples, KEPT_SAMPLES),
    timerEvents: addBounded(view.timerEvents, timerEvents, KEPT_TIMER_EVENTS),
    leftOut: addLeftOut(view.leftOut, frame),
    nextId: view.nextId + samples.length + timerEvents.length,
  }
}

/** Sum over the last minute of what was left out of one kind. */
export function leftOutOf(view: RunView, what: 'frames' | 'samples' | 'timerEvents'): number {
  return view.leftOut.reduce((sum, entry) => sum + entry[what], 0)
}

/** Frames per second over the readings of the last second; null while unknown. */
export function frameRate(view: RunView): number | null {
  const first = view.history.recent[0]
  const last = view.history.recent.at(-1)
  if (first === undefined || last === undefined || last.at <= first.at) return null
  return ((view.history.recent.length - 1) * 1_000) / (last.at - first.at)
}

/** Whether the run is one that ended or never began: its figures do not move any more. */
export function isOver(run: RunSummary | null): boolean {
  return run === null || run.endedAt !== null
}

function addBounded<T>(kept: readonly T[], fresh: readonly T[], most: number): readonly T[] {
  if (fresh.length === 0) return kept
  return [...kept, ...fresh].slice(-most)
}

function addLeftOut(entries: readonly LeftOut[], frame: RunFrame): readonly LeftOut[] {
  const { frames, samples, timerEvents } = frame.leftOut
  const kept = entries.filter((entry) => entry.at > frame.at - LEFT_OUT_SPAN_MS)
  if (frames + samples + timerEvents === 0) return kept.length === entries.length ? entries : kept
  return [...kept, { at: frame.at, frames, samples, timerEvents }]
}
