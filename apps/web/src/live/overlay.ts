import type { WireError } from '@lanescope/shared'
import { useMemo } from 'react'
import { type DropsHere, dropsHere, MANY_DROPS, MOST_DROPS } from './dropsHere.js'
import { errorTitle } from './errorTitles.js'
import {
  combineEdges,
  combineNodes,
  entryNames,
  isFed,
  type LaneFigures,
  lanesOf,
  type NodeFigures,
} from './figures.js'
import { formatCount, formatRate, formatShare } from './formatNumber.js'
import type { Freshness } from './freshness.js'
import { spacedHex } from './hex.js'
import { keptOf } from './journal.js'
import { useLive } from './LiveProvider.js'
import { documentName, type LiveState } from './LiveStore.js'
import type { LaneCause } from './pressure.js'
import type { RunView } from './RunView.js'

/** What a run says about a node, drawn over it in Live mode. */
export interface NodeLive {
  /** 0 … 1; the fill from the left. */
  readonly busy: number
  /** Replaces the line under the name, as "busy 54 %". */
  readonly meta: string
  /** Busy share of each lane, 0 … 1, for the strip at the foot. */
  readonly lanes?: readonly number[]
  readonly pressure?: 'cause' | 'victim'
  /** Words beside it: "Cause: lane 0, 99 % busy". */
  readonly beside?: string
  /** It drops a good part of what it gets (G3), and most of it: then it is marked. */
  readonly drops?: { readonly text: string; readonly most: boolean; readonly title: string }
  /** What was counted last, once that does not move any more: the node is drawn grey. Why is said once, beside the clock. */
  readonly stale?: string
  /** What stopped the run here, in one line. */
  readonly error?: string
}

/** What a run says about an edge. */
export interface EdgeLive {
  readonly ratePerSecond: number
  /** As drawn: "1,240 /s". */
  readonly text: string
}

/** By node name; undefined while nothing is known of it. Renders only when what it says changed. */
export function useNodeLive(node: string): NodeLive | undefined {
  const key = useLive((state) => nodeKey(state, node))
  return useMemo(() => (key ? (JSON.parse(key) as NodeLive) : undefined), [key])
}

/** By the names of both ends. */
export function useEdgeLive(from: string, to: string): EdgeLive | undefined {
  const rate = useLive((state) => {
    const over = state.freshness.state !== 'live' && state.freshness.state !== 'paused'
    const known =
      state.view && !over ? combineEdges(state.view.figures, namesOf(state, from), namesOf(state, to)) : null
    return known === null ? null : roundRate(known)
  })
  return useMemo(() => edgeLive(rate), [rate])
}

export function toNodeLive(state: LiveState, name: string): NodeLive | undefined {
  const { view, freshness } = state
  const names = namesOf(state, name)
  const figures = view ? combineNodes(view.figures, names) : undefined
  if (!view || !figures) return undefined
  const stale = isOld(freshness) ? totalWords(figures, !isFed(view.figures, names)) : undefined
  const cause = firstOf(view.pressure.causes, names)
  const victim = firstOf(view.pressure.victims, names)
  const error = errorAt(state, name)
  const lanes = lanesOf(view.figures, figures.subTopology).map(busyOf)
  return {
    busy: stale === undefined ? Math.min(1, round(figures.busy ?? 0)) : 0,
    meta: victim ? `lag ${formatCount(victim.lag)}` : metaOf(figures, !isFed(view.figures, names)),
    ...(lanes.length > 0 ? { lanes: stale === undefined ? lanes : lanes.map(() => 0) } : {}),
    ...(stale === undefined && cause ? { pressure: 'cause' as const, beside: causeWords(cause) } : {}),
    ...(stale === undefined && !cause && victim
      ? { pressure: 'victim' as const, beside: `Waits on ${documentName(state.names, victim.waitsOn)}` }
      : {}),
    ...(stale === undefined ? {} : { stale }),
    ...(error === undefined ? {} : { error }),
    ...dropsOf(view, figures, names),
  }
}

/** The share that is dropped, once it is a good part; and the reasons with their counts. */
function dropsOf(view: RunView, figures: NodeFigures, names: readonly string[]): Pick<NodeLive, 'drops'> {
  const here = dropsAt(view, figures, names)
  if (here === undefined || here.share === null || here.share < MANY_DROPS) return {}
  const [first] = here.reasons
  const text = `${here.span === 'recent' ? 'drops' : 'dropped'} ${formatShare(here.share)}: ${first?.reason ?? ''}`
  const reasons = here.reasons.map(({ reason, count }) => `${reason} ${formatCount(count)}`).join(', ')
  const of = here.span === 'recent' ? 'of what it got in the last 10 s' : 'of what it got since the start'
  return { drops: { text, most: here.share >= MOST_DROPS, title: `${formatShare(here.share)} ${of}. ${reasons}` } }
}

/** See `dropsHere`, for a node of the document by the names that it runs as. */
export function dropsAt(view: RunView, figures: NodeFigures, names: readonly string[]): DropsHere | undefined {
  if (view.journal.drops.size === 0) return undefined
  const isSource = !isFed(view.figures, names)
  return dropsHere(view.journal, view.history.minute, figures, {
    names,
    entries: entryNames(view.figures, names),
    isSource,
  })
}

export function causeWords(cause: LaneCause): string {
  if (cause.why === 'full') return `Cause: lane ${cause.lane}, queue full at ${formatCount(cause.capacity)}`
  return `Cause: lane ${cause.lane}, ${formatShare(cause.busy)} busy`
}

/**
 * "busy 54 %"; where several lanes are busy at once more than one in all, "busy 4.3 lanes"; a source says its rate; what
 * rests says what it has had: "0 /s · 251 in".
 */
export function metaOf(figures: NodeFigures, isSource = false): string {
  const { busy } = figures
  if (busy === null) return 'no rate yet'
  if (busy > 1) return `busy ${busy.toFixed(1)} lanes`
  if (busy >= 0.005) return `busy ${formatShare(busy)}`
  const rate = formatRate(figures.inPerSecond)
  if (figures.inPerSecond !== 0 || figures.in === 0) return rate
  return `${rate} · ${formatCount(figures.in)} ${isSource ? 'read' : 'in'}`
}

function nodeKey(state: LiveState, name: string): string {
  const live = toNodeLive(state, name)
  return live ? JSON.stringify(live) : ''
}

function edgeLive(rate: number | null | undefined): EdgeLive | undefined {
  return rate === null || rate === undefined ? undefined : { ratePerSecond: rate, text: formatRate(rate) }
}

function isOld(freshness: Freshness): boolean {
  return freshness.state === 'stale' || freshness.state === 'ended'
}

/** "1,240 in, 12 out"; what a source read, where nothing leads to it, is the one figure that fits. */
function totalWords({ in: came, out: left }: NodeFigures, isSource: boolean): string {
  if (isSource && came > 0) return `${formatCount(came)} read`
  if (came === left && came > 0) return `${formatCount(came)} in and out`
  const both = [
    ...(came > 0 || left === 0 ? [`${formatCount(came)} in`] : []),
    ...(left > 0 ? [`${formatCount(left)} out`] : []),
  ]
  return both.join(', ')
}

/** The run's fatal error, on the node that it names. */
function errorAt(state: LiveState, name: string): string | undefined {
  const error = state.run?.error ?? lastFatal(state)
  if (!error) return undefined
  const at = error.split?.node ?? error.context.node
  return typeof at === 'string' && namesOf(state, name).includes(at) ? errorWords(error) : undefined
}

/** One line beside a node; the panel has the whole message. */
export function errorWords({ split, code, message }: WireError): string {
  if (split) {
    const record = `${spacedHex(split.recordBytes, 6)} on lane ${split.recordLane}`
    return `${split.key}: ${record}, timer ${spacedHex(split.timerBytes, 6)} on lane ${split.timerLane}`
  }
  const first = message.split('. ')[0] ?? message
  return first.length <= MOST_WORDS ? first : errorTitle(code)
}

/** Longer than that does not fit beside a node. */
const MOST_WORDS = 56

function namesOf(state: LiveState, name: string): readonly string[] {
  return state.names.get(name) ?? [name]
}

function firstOf<T>(values: ReadonlyMap<string, T>, names: readonly string[]): T | undefined {
  for (const name of names) {
    const value = values.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

function lastFatal(state: LiveState) {
  return state.view && keptOf(state.view.journal, 'error').items.findLast((event) => event.fatal)?.error
}

const busyOf = (lane: LaneFigures) => round(lane.busy ?? 0)
/** To whole percents, so that what looks the same does not render again. */
const round = (share: number) => Math.round(share * 100) / 100
const roundRate = (rate: number) => (rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))
