import type { RareEvent } from '@lanescope/shared'
import { HISTORY_MS } from './readings.js'

export type RareType = RareEvent['type']
export type RareOf<T extends RareType> = Having<RareEvent, T>

/** Members whose `type` can be `T`; one member may stand for several types. */
type Having<E, T> = E extends { readonly type: infer U } ? (T extends U ? E & { readonly type: T } : never) : never

/** The newest events of one kind, in order of `n`, and how many there were over the run. */
export interface Kept<T> {
  readonly items: readonly T[]
  readonly total: number
}

export interface DropTotal {
  readonly reason: string
  readonly node: string
  readonly store: string | null
  readonly count: number
  /** Over the minute before the newest one, in order of time. */
  readonly recent: readonly { readonly at: number; readonly count: number }[]
  readonly last: RareOf<'dropped'>
}

/** Every rare event of a run. Numbers have no gaps, so what was not received is known and said. */
export interface Journal {
  /** The highest number seen. */
  readonly lastN: number
  /** Numbers below it that never came, as [first, last]. */
  readonly missing: readonly (readonly [number, number])[]
  readonly byType: { readonly [T in RareType]?: Kept<RareOf<T>> }
  readonly drops: ReadonlyMap<string, DropTotal>
}

export const emptyJournal: Journal = { lastN: 0, missing: [], byType: {}, drops: new Map() }

/** How many of one kind stay in the page; older ones are counted and left out. */
export const KEPT_PER_TYPE = 5_000

/** Adds what is new; an event that was seen before (sent again after a reconnect) changes nothing. */
export function addRareEvents(journal: Journal, events: readonly RareEvent[]): Journal {
  let { lastN, missing } = journal
  const fresh: RareEvent[] = []
  for (const event of [...events].sort((a, b) => a.n - b.n)) {
    if (event.n > lastN) {
      if (event.n > lastN + 1) missing = [...missing, [lastN + 1, event.n - 1]]
      lastN = event.n
      fresh.push(event)
    } else {
      const filled = fillGap(missing, event.n)
      if (filled === null) continue
      missing = filled
      fresh.push(event)
    }
  }
  if (fresh.length === 0) return journal
  return { lastN, missing, byType: addByType(journal.byType, fresh), drops: addDrops(journal.drops, fresh) }
}

export function keptOf<T extends RareType>(journal: Journal, type: T): Kept<RareOf<T>> {
  return (journal.byType[type] as Kept<RareOf<T>> | undefined) ?? nothingKept
}

const nothingKept: Kept<never> = { items: [], total: 0 }

export function missingCount(journal: Journal): number {
  return journal.missing.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

function fillGap(missing: Journal['missing'], n: number): Journal['missing'] | null {
  const index = missing.findIndex(([first, last]) => n >= first && n <= last)
  const gap = missing[index]
  if (gap === undefined) return null
  const rest: (readonly [number, number])[] = []
  if (n > gap[0]) rest.push([gap[0], n - 1])
  if (n < gap[1]) rest.push([n + 1, gap[1]])
  return [...missing.slice(0, index), ...rest, ...missing.slice(index + 1)]
}

function addByType(byType: Journal['byType'], fresh: readonly RareEvent[]): Journal['byType'] {
  const added = new Map<RareType, RareEvent[]>()
  for (const event of fresh) {
    const list = added.get(event.type)
    if (list) list.push(event)
    else added.set(event.type, [event])
  }
  const result: { [type: string]: Kept<RareEvent> } = { ...byType }
  for (const [type, events] of added) {
    const before = result[type] ?? nothingKept
    const items = [...before.items, ...events]
    const late = (events[0]?.n ?? 0) < (before.items.at(-1)?.n ?? 0)
    if (late) items.sort((a, b) => a.n - b.n)
    result[type] = { items: items.slice(-KEPT_PER_TYPE), total: before.total + events.length }
  }
  return result as Journal['byType']
}

function addDrops(drops: Journal['drops'], fresh: readonly RareEvent[]): Journal['drops'] {
  const dropped = fresh.filter((event) => event.type === 'dropped')
  if (dropped.length === 0) return drops
  const result = new Map(drops)
  for (const event of dropped) {
    const store = event.store ?? null
    const key = `${event.reason}\u0000${event.node}\u0000${store ?? ''}`
    const before = result.get(key)
    const last = before !== undefined && before.last.n > event.n ? before.last : event
    result.set(key, {
      reason: event.reason,
      node: event.node,
      store,
      count: (before?.count ?? 0) + event.count,
      recent: [...(before?.recent ?? []), { at: event.at, count: event.count }].filter(
        ({ at }) => at > last.at - HISTORY_MS,
      ),
      last,
    })
  }
  return result
}
