import { toHex } from '../model/bytes.js'
import type { Record, RecordCoordinates } from '../model/Record.js'
import type { Windowed } from '../model/Windowed.js'
import type { ForwardHold, NodeRuntime } from '../runtime/nodes/NodeRuntime.js'
import { WorkItem } from '../runtime/nodes/WorkItem.js'
import type { Lane } from '../runtime/scheduling/Lane.js'
import type { TopologyRunner } from '../runtime/TopologyRunner.js'

/** What a table's node hands on for a key. */
interface Change {
  readonly newValue: unknown
  readonly oldValue: unknown
  readonly isLatest: boolean
}

interface Held {
  readonly node: NodeRuntime
  readonly record: Record<unknown, any>
  readonly coordinates: RecordCoordinates | null
  readonly lane: Lane
}

interface Below {
  /** The start of a window, the end of a session; 0 of other keys. */
  readonly time: number
  readonly value: unknown
}

/** What an entry takes in the cache besides its key and value, about. */
const entryBytes = 60

/**
 * Kafka Streams' record caches, as its test driver shows them (`kafka-streams.md` C.8): what a table's store has taken
 * goes on once all that the record leads to is done, store by store, and of a key the last change alone. What is deleted
 * before it was ever sent on is not sent on at all. What a cache has no room for goes on at once.
 */
export class RecordCaches {
  readonly #caches: RecordCache[] = []

  constructor(private readonly runner: TopologyRunner) {
    const maxBytes = runner.config['statestore.cache.max.bytes']
    if (!runner.isKafkasDriver || maxBytes === 0) return
    for (const { name, builder, nodes } of runner.options.compiled.stores) {
      if (builder.caching !== true || builder.kind === 'versioned') continue
      const cache = new RecordCache(builder.kind === 'session', builder.retentionMs, maxBytes >= 2 * entryBytes)
      const owners = nodes.map((node) => runner.nodes.get(node)).filter((node) => keeps(node, name))
      for (const owner of owners as NodeRuntime[]) owner.holdBack = cache
      if (owners.length > 0) this.#caches.push(cache)
    }
  }

  /** Sends on what is held. One store's failure keeps no other's back. @throws the first of them */
  async flush(): Promise<void> {
    const failures: unknown[] = []
    for (const cache of this.#caches) {
      try {
        for (const held of cache.take()) await this.#send(held)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #send({ node, record, coordinates, lane }: Held): Promise<void> {
    const { clocks, nodeHost } = this.runner
    const sub = node.subTopology.index
    const stamp = clocks.stampFor(sub)
    clocks.hold(stamp, sub)
    const item = new WorkItem(node, record, null, false, lane.index, stamp, coordinates, null, undefined)
    try {
      for (const link of node.children) await nodeHost.deliver(node, link, record, item, lane)
    } finally {
      clocks.release(stamp, sub)
    }
  }
}

/** Whether it is an operator that keeps its table in this store and sends each update on. */
function keeps(node: NodeRuntime | undefined, store: string): boolean {
  const { aggregateStore, facts } = node?.compiled ?? {}
  return aggregateStore === store && facts?.finalResults !== true
}

/** One store's: what its operators have sent on since the last flush, in the order of the last change of each key. */
class RecordCache implements ForwardHold {
  readonly #held = new Map<string, Held>()
  /** What the store below has, by key. */
  readonly #below = new Map<string, Below>()
  /** The greatest such time that has been put below. */
  #observed = -1

  /** @param retentionMs how long the store below shows what it has; undefined: for ever */
  constructor(
    private readonly ofSessions: boolean,
    private readonly retentionMs: number | undefined,
    /** Whether an entry fits in. */
    private readonly keepsAny: boolean,
  ) {}

  hold(
    node: NodeRuntime,
    lane: Lane,
    record: Record<unknown, any>,
    input: Record<unknown, unknown>,
    item: WorkItem,
  ): Record<unknown, unknown> | undefined {
    const id = idOf(record.key)
    const change = record.value as Change
    const before = this.#held.get(id)
    const isAsked = change.oldValue !== null || (before?.record.value as Change | undefined)?.oldValue != null
    const value = { ...change, oldValue: isAsked && this.#isBelow(id) ? this.#below.get(id)?.value : null }
    const timestamp = change.newValue === null && !this.ofSessions ? input.timestamp : record.timestamp
    const { coordinates } = item
    this.#held.delete(id)
    const held = { key: record.key, value, timestamp, headers: input.headers }
    this.#held.set(id, { node, lane, coordinates, record: held as Record<unknown, any> })
    if (this.keepsAny) return undefined
    const [evicted] = this.take()
    return evicted?.record
  }

  /** Takes out what is to be sent on. */
  *take(): Generator<Held> {
    const all = [...this.#held]
    this.#held.clear()
    for (const [id, held] of all) {
      const isDeleted = (held.record.value as Change).newValue === null
      const wasBelow = this.#isBelow(id)
      if (isDeleted && !wasBelow) continue
      this.#put(id, held.record)
      yield held
    }
  }

  #isBelow(id: string): boolean {
    const below = this.#below.get(id)
    if (below === undefined || this.retentionMs === undefined) return below !== undefined
    return below.time > this.#observed - this.retentionMs
  }

  #put(id: string, { key, value: { newValue } }: Held['record']): void {
    const { window } = (this.retentionMs === undefined ? {} : key) as Partial<Windowed<unknown>>
    const time = (this.ofSessions ? window?.end : window?.start) ?? 0
    this.#observed = Math.max(this.#observed, time)
    if (newValue === null) this.#below.delete(id)
    else this.#below.set(id, { time, value: newValue })
  }
}

function idOf(key: unknown): string {
  if (key instanceof Uint8Array) return toHex(key)
  if (typeof key !== 'object' || key === null) return String(key)
  const { key: inner, window } = key as Partial<Windowed<unknown>>
  return window === undefined ? JSON.stringify(key) : `${window.start}/${window.end}/${idOf(inner)}`
}
