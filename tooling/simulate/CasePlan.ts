/** A case as plain data: a topology, its input, its configuration and its faults. It can be printed, and shrunk. */
export interface CasePlan {
  readonly seed: number
  readonly sources: readonly SourcePlan[]
  readonly processors: readonly ProcessorPlan[]
  /** Sources of ticks. */
  readonly schedules: readonly SchedulePlan[]
  /** Counts of the DSL, each behind a source. */
  readonly counts: readonly CountPlan[]
  readonly inputs: readonly InputPlan[]
  readonly config: Readonly<Record<string, unknown>>
  readonly faults: FaultPlan
  /** Its processors' stores keep no changelog: a restart in place finds in them what is committed, and no more. */
  readonly unlogged?: boolean
}

export interface SourcePlan {
  readonly name: string
  readonly topic: string
  readonly partitions: number
  readonly lanes?: number
}

/** A scheduled source: ticks that make records of their own. */
export interface SchedulePlan {
  readonly name: string
  readonly everyMs: number
  readonly missed: 'one' | 'all' | 'skip'
  /** Keys of the records of each tick, and until when ticks have any: a run that never rests could not be judged. */
  readonly keys: readonly string[]
  readonly untilMs: number
}

/** Records of a source counted by the DSL, on their way to a topic of its own; in windows, or for good. */
export interface CountPlan {
  readonly name: string
  readonly source: string
  /** Each record waits so long before it is counted, in ms. */
  readonly waitMs?: number
  /** Counts by one of so many new keys: then its records cross a boundary. */
  readonly rekey?: number
  readonly window?: { readonly sizeMs: number; readonly graceMs: number }
}

export interface ProcessorPlan {
  readonly name: string
  readonly parents: readonly string[]
  /** What it does to the key of what it forwards: keeps it, or one of so many. */
  readonly rekey?: number
  /** Declared to keep the key, so that it opens no boundary. */
  readonly sameKey: boolean
  /** Waits in each callback; 0: synchronous. */
  readonly waits: number
  /** The longest wait, in ms. */
  readonly waitMs: number
  /** Records forwarded for each that comes. */
  readonly copies: number
  /** Whether it awaits what `forward` returns. */
  readonly awaitsForward: boolean
  /** Counts its calls for a key in a store, reading before a wait and writing behind it. */
  readonly store?: string
  readonly timers?: TimerPlan
  readonly punctuator?: PunctuatorPlan
  /** A sink behind it, to a topic of its own. */
  readonly sink: boolean
}

/** A schedule of a processor's own, which forwards each time until it cancels itself. */
export interface PunctuatorPlan {
  readonly type: 'stream-time' | 'wall-clock-time'
  readonly everyMs: number
  readonly scope: 'lane' | 'node'
  /** Cancelled at its so many-th call. */
  readonly times: number
}

export interface TimerPlan {
  readonly domain: 'event-time' | 'processing-time'
  readonly named: boolean
  /** Every so many-th record arms a timer for another key; 0: none does. */
  readonly otherKeyEvery: number
  /** From the record's time, or from now; may be 0, and below. */
  readonly delayMs: number
  /** Every so many-th record takes a timer back; 0: none does. */
  readonly deleteEvery: number
  /** What fires arms another one, so often in a row. */
  readonly rearm: number
  readonly forwards: boolean
}

export interface InputPlan {
  readonly topic: string
  readonly partition: number
  readonly key: string | null
  readonly timestamp: number
  readonly arrivesAtMs: number
}

export interface FaultPlan {
  readonly slowFetchMs?: number
  readonly slowCommitMs?: number
  readonly jitterMs?: number
  readonly slowLanes?: number
  readonly commitFails?: number
  readonly answerLost?: number
  readonly crashes?: readonly number[]
  /** The wall clock leaps forward. */
  readonly clockJumps?: readonly { readonly step: number; readonly byMs: number }[]
}

/** What records enter by: topics first, then schedules. A value tells its number behind the "@". */
export function entriesOf(plan: CasePlan): readonly { readonly name: string }[] {
  return [...plan.sources, ...plan.schedules]
}

/** Whether what comes out depends on the log alone: there is nothing that a restart without durable state forgets. */
export function isWithoutState(plan: CasePlan): boolean {
  return plan.counts.length === 0 && plan.processors.every((processor) => processor.timers === undefined)
}

/** Whether engines come and go in it. */
export function isInterrupted({ faults }: CasePlan): boolean {
  return (faults.crashes?.length ?? 0) > 0 || Boolean(faults.commitFails) || Boolean(faults.answerLost)
}
