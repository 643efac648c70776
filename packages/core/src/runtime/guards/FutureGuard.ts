import type { Blast, SegmentFacts } from '../../events/EngineEvent.js'
import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { CompiledNode } from '../../topology/CompiledTopology.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'

export type FutureVerdict = 'pass' | 'checked' | 'warned' | 'rejected' | 'fatal'

export interface FutureJudgement {
  readonly verdict: FutureVerdict
  readonly aheadMs: number
  readonly boundMs: number
  readonly blast: Blast
}

/** A node below the source that a moved clock would touch. */
export interface EndangeredNode {
  readonly node: CompiledNode
  /** What its clock is now, in ms; −1 while unknown. */
  readonly clock: () => number
  /** Its group on the clock board: whose partitions move that clock. */
  readonly clockGroup: number
  readonly stores: readonly StoreInstance<unknown, unknown>[]
  readonly dueTimers: ((clock: number) => number) | undefined
}

export interface FutureGuardSettings {
  readonly mode: EngineConfig['time.mode']
  readonly guard: EngineConfig['future-timestamp.guard']
  readonly check: EngineConfig['future-timestamp.check']
}

export const NO_BLAST: Blast = { segments: [], windows: [], timers: [], refuses: [] }

/**
 * What a record from the future would destroy, and what is to be done about it (F2 to F5).
 * It only computes; whoever asks does the counting, logging and dropping.
 */
export class FutureGuard {
  constructor(private readonly settings: FutureGuardSettings) {}

  /**
   * Judges a record before it may move any clock.
   *
   * @param reference the reference clock in ms (F2)
   * @param outOfOrdernessMs how far the source's watermark trails its newest record
   */
  judge(
    timestamp: number,
    boundMs: number,
    reference: number,
    outOfOrdernessMs: number,
    below: readonly EndangeredNode[],
  ): FutureJudgement {
    const aheadMs = timestamp - reference
    if (aheadMs <= boundMs) return { verdict: 'pass', aheadMs, boundMs, blast: NO_BLAST }
    const blast = this.blast(timestamp, reference, outOfOrdernessMs, below)
    return { verdict: this.#verdict(isProven(blast)), aheadMs, boundMs, blast }
  }

  /**
   * What would happen were every partition to reach this time (F3).
   *
   * @param watermarkOf how far the watermark of a node would get, in ms. Default: all the way
   */
  blast(
    timestamp: number,
    reference: number,
    outOfOrdernessMs: number,
    below: readonly EndangeredNode[],
    watermarkOf: (node: EndangeredNode) => number = () => timestamp - outOfOrdernessMs,
  ): Blast {
    const segments: SegmentFacts[] = []
    const windows: { node: string; count: number }[] = []
    const timers: { node: string; count: number }[] = []
    const refuses: Blast['refuses'][number][] = []
    for (const endangered of below) {
      const { node } = endangered
      const moved = this.settings.mode === 'watermark' ? watermarkOf(endangered) : timestamp
      const clock = Math.max(endangered.clock(), 0)
      if (moved <= clock) continue
      const due = endangered.dueTimers?.(moved) ?? 0
      if (due > 0) timers.push({ node: node.name, count: due })
      const window = node.facts?.window
      if (window !== undefined) {
        const closing = countClosing(endangered.stores, window, clock, moved)
        if (closing > 0) windows.push({ node: node.name, count: closing })
        const late = lateSpan(window, reference, moved)
        if (late !== undefined) refuses.push({ where: node.name, reason: 'late_window', ...late })
      }
      for (const store of endangered.stores) {
        const observed = this.settings.mode === 'watermark' ? moved : observedAfter(timestamp, window)
        segments.push(...store.wouldExpire(observed))
        const expired = expiredSpan(store, reference, observed)
        if (expired !== undefined) refuses.push({ where: store.name, reason: 'expired_segment', ...expired })
      }
    }
    return { segments: unique(segments), windows, timers, refuses }
  }

  #verdict(proven: boolean): FutureVerdict {
    const { guard, check } = this.settings
    if (!proven) return check === 'off' ? 'pass' : check === 'warn' ? 'checked' : 'fatal'
    switch (guard) {
      case 'off':
        return 'pass'
      case 'warn':
        return 'warned'
      case 'reject':
        return 'rejected'
      case 'error':
        return 'fatal'
    }
  }
}

export function isProven(blast: Blast): boolean {
  return blast.segments.length + blast.windows.length + blast.timers.length + blast.refuses.length > 0
}

type WindowShape = NonNullable<NonNullable<CompiledNode['facts']>['window']>

/** Windows with data that are open at `clock` and closed at `moved`: end ≤ clock − grace closes one (`kafka-streams.md` A.7). */
function countClosing(
  stores: readonly StoreInstance<unknown, unknown>[],
  window: WindowShape,
  clock: number,
  moved: number,
): number {
  const latestClosed = (at: number) => at - window.graceMs - window.sizeMs
  return stores.reduce((sum, store) => sum + store.countWindows(latestClosed(clock), latestClosed(moved)), 0)
}

/** The times of later records that would be late for every window: from the reference clock on, if it is among them. */
function lateSpan(window: WindowShape, reference: number, moved: number): { from: number; to: number } | undefined {
  const closed = moved - window.graceMs
  const lastStart = Math.floor(reference / window.advanceMs) * window.advanceMs
  if (lastStart + window.sizeMs > closed) return undefined
  // The first window that stays open starts here; records before it are late.
  const to = Math.floor((closed - window.sizeMs) / window.advanceMs) * window.advanceMs + window.advanceMs
  return { from: reference, to }
}

/** The store's observed time after the record's own put: a window store is put at window starts. */
function observedAfter(timestamp: number, window: WindowShape | undefined): number {
  return window === undefined ? timestamp : Math.floor(timestamp / window.advanceMs) * window.advanceMs
}

/** The times of later puts that would be refused or unreadable. */
function expiredSpan(
  store: StoreInstance<unknown, unknown>,
  reference: number,
  observed: number,
): { from: number; to: number } | undefined {
  const windowed = store.inspect().windowed
  if (windowed === undefined || observed <= windowed.observed) return undefined
  const readableFrom = observed - windowed.retentionMs + 1
  return reference < readableFrom ? { from: reference, to: readableFrom } : undefined
}

function unique(segments: readonly SegmentFacts[]): SegmentFacts[] {
  const seen = new Map(segments.map((segment) => [`${segment.store}/${segment.segment}`, segment]))
  return [...seen.values()]
}
