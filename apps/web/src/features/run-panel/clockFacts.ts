import type { WireSnapshot } from '@lanescope/shared'

type Clocks = WireSnapshot['clocks']
type Partition = Clocks['partitions'][number]

/** What the corner of the canvas says of time. */
export interface ClockFacts {
  readonly title: 'Watermark' | 'Observed time'
  /** Whose time it is. */
  readonly of: 'the slowest partition' | 'the furthest node' | 'the newest record'
  /** −1 while there is none. */
  readonly at: number
  readonly newest: number
  readonly wall: number
  /** The partition whose watermark is the smallest, when others are further. */
  readonly heldBackBy: string | null
  /** Partitions that hold the clock back because nothing was read there, as `topic-0`. */
  readonly unread: readonly string[]
  /** Every partition is idle: nothing moves the clock any more. */
  readonly allIdle: boolean
}

/**
 * The event clock of the sources: the least of their watermarks, or in stream time the greatest timestamp. Where every
 * partition is idle there is no least one, and it stands where the nodes have got to.
 *
 * @param eventClock the furthest that a node has got to; −1 when none has a time
 */
export function toClockFacts(clocks: Clocks, eventClock = -1): ClockFacts {
  const { partitions, wall } = clocks
  const newest = Math.max(-1, ...partitions.map((partition) => partition.maxTimestamp))
  if (clocks.mode === 'stream-time')
    return {
      title: 'Observed time',
      of: 'the newest record',
      at: newest,
      newest,
      wall,
      heldBackBy: null,
      unread: [],
      allIdle: false,
    }
  const active = partitions.filter((partition) => !partition.idle)
  const least = active.reduce<Partition | null>(
    (slowest, partition) => (slowest === null || partition.watermark < slowest.watermark ? partition : slowest),
    null,
  )
  const unread = active.filter((partition) => partition.maxTimestamp < 0)
  const held = least !== null && active.some((partition) => partition.watermark > least.watermark)
  const fromNodes = least === null || least.maxTimestamp < 0
  return {
    title: 'Watermark',
    of: fromNodes ? 'the furthest node' : 'the slowest partition',
    at: fromNodes ? eventClock : least.watermark,
    newest,
    wall,
    heldBackBy: held && least && unread.length === 0 ? nameOf(least) : null,
    unread: unread.map(nameOf),
    allIdle: partitions.length > 0 && active.length === 0,
  }
}

function nameOf({ topic, partition }: Partition): string {
  return `${topic}-${partition}`
}

/** What explains a clock far behind: test traffic that is meant to run from the past. Undefined where nothing does. */
export function pastTraffic(
  generators: readonly { readonly time?: { readonly startOffsetMs: number } | undefined }[],
  { newest, wall }: Pick<ClockFacts, 'newest' | 'wall'>,
): number | undefined {
  const furthest = Math.min(0, ...generators.map(({ time }) => time?.startOffsetMs ?? 0))
  return furthest < 0 && newest >= 0 && wall - newest >= FAR_BEHIND_MS ? -furthest : undefined
}

/** Less is the delay of any run. */
const FAR_BEHIND_MS = 60_000
