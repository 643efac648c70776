import type { RestoreFacts } from '../../events/EngineEvent.js'
import type { Clock } from '../../time/Clock.js'

/** News come at most so often for one store, and once more when it is done. */
const TELL_EVERY_MS = 1000

/** Counts what the changelogs of one start give, store by store, and tells of it. */
export class Restoring {
  readonly #started: number
  readonly #stores: StoreRestore[] = []

  constructor(
    private readonly clock: Clock,
    private readonly tell: (progress: RestoreFacts) => void,
  ) {
    this.#started = clock.monotonic()
  }

  /** @param left offsets that the store lacks */
  add(owner: string, topic: string, left: number): StoreRestore {
    const store = new StoreRestore(owner, topic, left, this.clock, (progress) =>
      this.tell({ ...progress, total: this.#total() }),
    )
    this.#stores.push(store)
    return store
  }

  #total(): RestoreFacts['total'] {
    const sum = (of: (store: StoreRestore) => number) => this.#stores.reduce((all, store) => all + of(store), 0)
    const records = sum((store) => store.records)
    const bytes = sum((store) => store.bytes)
    const done = sum((store) => store.done)
    const left = sum((store) => store.left)
    const elapsedMs = this.clock.monotonic() - this.#started
    const storesLeft = this.#stores.filter((store) => store.left > 0).length
    return {
      records,
      bytes,
      left,
      elapsedMs,
      leftMs: paceOf(elapsedMs, done, left),
      stores: this.#stores.length,
      storesLeft,
    }
  }
}

/** One store's part of it. */
export class StoreRestore {
  records = 0
  bytes = 0
  /** Offsets that are through, with those that hold nothing. */
  done = 0
  #started: number | undefined
  #told = 0
  #isToldWhole = false

  constructor(
    private readonly owner: string,
    private readonly topic: string,
    public left: number,
    private readonly clock: Clock,
    private readonly tell: (progress: Omit<RestoreFacts, 'total'>) => void,
  ) {}

  /** Its time begins: until then it waited for its turn. */
  begin(): void {
    this.#started = this.clock.monotonic()
    this.#told = this.#started
    this.tell(this.#progress(this.#started))
  }

  /** @param offsets how far this has brought it, with what a reader is not shown */
  took(records: number, bytes: number, offsets: number): void {
    this.records += records
    this.bytes += bytes
    this.done += offsets
    this.left = Math.max(0, this.left - offsets)
    const now = this.clock.monotonic()
    if (now - this.#told < TELL_EVERY_MS) return
    this.#told = now
    this.#isToldWhole = this.left === 0
    this.tell(this.#progress(now))
  }

  /** It is whole. */
  end(): void {
    this.left = 0
    if (this.#isToldWhole) return
    this.tell(this.#progress(this.clock.monotonic()))
  }

  #progress(now: number): Omit<RestoreFacts, 'total'> {
    const { owner, topic, records, bytes, done, left } = this
    const elapsedMs = now - (this.#started ?? now)
    return { owner, topic, records, bytes, left, elapsedMs, leftMs: paceOf(elapsedMs, done, left) }
  }
}

function paceOf(elapsedMs: number, done: number, left: number): number | undefined {
  if (left === 0) return 0
  return done === 0 ? undefined : Math.round((elapsedMs / done) * left)
}
