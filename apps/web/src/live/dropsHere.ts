import type { NodeFigures } from './figures.js'
import type { DropTotal, Journal } from './journal.js'
import { increase, type Reading } from './readings.js'

/** What a node of the document has dropped (G3), by how much, and why. */
export interface DropsHere {
  /** 0 … 1 of what it got in the span; null where nothing came that it could be a share of. */
  readonly share: number | null
  /** What the share is of. */
  readonly span: 'recent' | 'start'
  /** Over that span. */
  readonly count: number
  /** Since the start, the most frequent first. */
  readonly reasons: readonly DropTotal[]
}

/** What a share of now is taken over: long enough to stand still, and short enough to see a node turn bad. */
export const RECENT_MS = 10_000

/** From this share on a node is marked on the canvas, and from the second one on as one that drops most of what it gets. */
export const MANY_DROPS = 0.1
export const MOST_DROPS = 0.5

/**
 * What these nodes dropped, as a share of what they got in the last ten seconds; while nothing comes, since the start. Both
 * figures are the run's own. Undefined where nothing was dropped.
 *
 * @param entries those of them that records enter
 * @param isSource a source counts what it lets through: what it dropped came on top
 */
export function dropsHere(
  { drops }: Pick<Journal, 'drops'>,
  minute: readonly Reading[],
  figures: Pick<NodeFigures, 'in'>,
  nodes: { readonly names: readonly string[]; readonly entries: readonly string[]; readonly isSource: boolean },
): DropsHere | undefined {
  const { names, entries, isSource } = nodes
  const reasons = [...drops.values()].filter(({ node }) => names.includes(node)).sort((a, b) => b.count - a.count)
  if (reasons.length === 0) return undefined
  const end = minute.at(-1)?.at ?? 0
  const span = minute.slice(
    Math.max(
      0,
      minute.findLastIndex(({ at }) => at <= end - RECENT_MS),
    ),
  )
  const since = span[0]?.at ?? Number.POSITIVE_INFINITY
  const recent = sumOf(reasons.flatMap((drop) => drop.recent.filter(({ at }) => at > since).map(({ count }) => count)))
  const came = sumOf(entries.map((name) => increase(span.map((reading) => reading.nodes.get(name)?.in)) ?? 0))
  if (recent + came > 0) return { span: 'recent', count: recent, share: shareOf(recent, came, isSource), reasons }
  const count = sumOf(reasons.map((drop) => drop.count))
  return { span: 'start', count, share: shareOf(count, figures.in, isSource), reasons }
}

/** One record can be dropped more than once: from each of its windows. More than all is all. */
function shareOf(dropped: number, came: number, isSource: boolean): number | null {
  const of = isSource ? came + dropped : came
  return of === 0 ? null : Math.min(1, dropped / of)
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
