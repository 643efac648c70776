import {
  type ChangelogMarks,
  type Clock,
  type OrderedByteStore,
  type StateBackend,
  type StoreChanges,
  StreamError,
} from '@lanescope/core'
import { ClassicLevel } from 'classic-level'
import { DiskStore, type PageUpdate } from './DiskStore.js'
import { corrupt, diskError, isCorrupt, notReadAgain, type WriteFacts, writeError } from './diskErrors.js'
import {
  allPages,
  fromJsonBytes,
  headKey,
  type Put,
  pageKey,
  pagesOf,
  readPageKey,
  STATE_FORMAT,
  type StateHead,
  type StoreHead,
  seal,
  sealed,
  storeHeads,
  storeKey,
  storeNameOf,
  toJsonBytes,
  unseal,
} from './levelLayout.js'
import { PageCache } from './PageCache.js'
import { byStore, planCommit } from './planCommit.js'

/** A commit is made ready in pieces of about this length: lanes run between them (L12). */
const PIECE_MS = 5
const KEYS_AT_ONCE = 1000
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

export interface DiskStateOptions {
  /** Made if it is missing. One process at a time has it open. */
  readonly folder: string
  readonly clock: Clock
  /** What pages in memory may take, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number
}

const nothing: WriteFacts = { bytes: 0, stores: [] }

type Database = ClassicLevel<Uint8Array, Uint8Array>

type Batch = ReturnType<Database['batch']>

/**
 * Committed state in a folder, over LevelDB: larger than memory, and a cache of the changelogs (E6). Each epoch is one
 * atomic, synced batch over all stores and the two marks. Entries lie in pages of one or two kilobytes, because reads
 * are synchronous (P4), ranges too, and LevelDB can read one value so but no range.
 *
 * What fails a checksum is no state any more: `committedEpoch` is undefined from then on, the read that met it throws
 * STATE_CORRUPT, and the restart that follows rebuilds all from the changelogs (E11).
 */
export class DiskStateBackend implements StateBackend {
  readonly #stores = new Map<string, DiskStore>()
  readonly #cache: PageCache
  #epoch: number | undefined
  #marks: ChangelogMarks = new Map()
  #nextId = 1
  #nextPage = 1
  /** Stores of which something could not be read. */
  readonly #damaged = new Set<string>()
  /** A write has failed, and what is there has not been read again since. */
  #isBroken = false
  /** What the write under way is about. */
  #writes: WriteFacts = nothing
  /** One write after the other: restores of several stores come side by side. */
  #writing: Promise<void> = Promise.resolve()
  /** Pages of stores that are gone are deleted in the background (S4). */
  #clearing: Promise<void> = Promise.resolve()

  private constructor(
    private readonly db: Database,
    private readonly options: DiskStateOptions,
  ) {
    this.#cache = new PageCache(options.cacheBytes ?? DEFAULT_CACHE_BYTES)
  }

  /**
   * Opens the state in a folder. Damaged state opens as none.
   *
   * @param onDamaged gets what was found instead
   * @throws StreamError STATE_LOCKED when another process has it open, STATE_UNAVAILABLE when the folder cannot be used
   */
  static async open(
    options: DiskStateOptions,
    onDamaged: (error: Error) => void = () => {},
  ): Promise<DiskStateBackend> {
    const { folder } = options
    try {
      return await DiskStateBackend.#open(options)
    } catch (error) {
      if (!isCorrupt(error)) throw error
      onDamaged(error as Error)
      await ClassicLevel.destroy(folder).catch((cause: unknown) => {
        throw diskError(folder, 'Emptying', cause)
      })
      return await DiskStateBackend.#open(options)
    }
  }

  static async #open(options: DiskStateOptions): Promise<DiskStateBackend> {
    const { folder } = options
    const db: Database = new ClassicLevel(folder, { keyEncoding: 'view', valueEncoding: 'view' })
    const backend = new DiskStateBackend(db, options)
    try {
      await db.open()
      await backend.#load()
      return backend
    } catch (error) {
      await db.close()
      throw diskError(folder, 'Opening', error)
    }
  }

  get committedEpoch(): number | undefined {
    return this.#damaged.size > 0 ? undefined : this.#epoch
  }

  get changelogMarks(): ChangelogMarks {
    return this.#marks
  }

  get damaged(): readonly string[] {
    return [...this.#damaged]
  }

  open(store: string): OrderedByteStore {
    return this.#store(store)
  }

  names(prefix: string): readonly string[] {
    return [...this.#stores.values()]
      .filter(({ name, size }) => name.startsWith(prefix) && size > 0)
      .map(({ name }) => name)
      .sort()
  }

  async commit(epoch: number, changes: readonly StoreChanges[], marks: ChangelogMarks = this.#marks): Promise<void> {
    await this.#write(changes, epoch, marks, true)
  }

  async restore(changes: readonly StoreChanges[], marks: ChangelogMarks = new Map()): Promise<void> {
    await this.#write(changes, undefined, marks, false)
  }

  async reset(): Promise<void> {
    await this.#inTurn(async () => {
      await this.#clearing
      const deletions = [...this.#stores.keys()].map((name) => ({ type: 'del' as const, key: storeKey(name) }))
      await this.db.batch([...deletions, this.#head(undefined, new Map(), this.#nextId)], { sync: true })
      await this.db.clear(allPages)
      for (const store of this.#stores.values()) store.replace(0, () => {})
      this.#cache.clear()
      this.#epoch = undefined
      this.#marks = new Map()
      this.#damaged.clear()
    })
  }

  async recover(): Promise<void> {
    const turn = this.#writing.then(async () => {
      if (!this.#isBroken) return
      const { folder } = this.options
      try {
        await this.#reopen()
      } catch (error) {
        const failed = diskError(folder, 'Opening', error)
        if (!isCorrupt(failed)) throw failed
        await this.db.close()
        await ClassicLevel.destroy(folder)
        await this.#reopen()
      }
    })
    this.#writing = turn.catch(() => undefined)
    await turn
  }

  /** Closes the folder for another process, after the write that is under way. */
  async close(): Promise<void> {
    await this.#writing
    await this.#clearing
    await this.db.close()
  }

  // ---- reading ---------------------------------------------------------------------------------

  #store(name: string): DiskStore {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const source = {
      cached: (page: number) => this.#cache.get(page),
      load: (store: DiskStore, first: Uint8Array, page: number) => this.#page(store, first, page),
      nextPage: () => this.#nextPage++,
    }
    const made = new DiskStore(name, source, 0)
    this.#stores.set(name, made)
    return made
  }

  #page(store: DiskStore, first: Uint8Array, number: number): Uint8Array {
    const page = this.#readPage(store, first)
    this.#cache.put(number, page)
    return page
  }

  /** Waits for the disk: only what was not used lately comes here. */
  #readPage(store: DiskStore, first: Uint8Array): Uint8Array {
    const key = pageKey(store.id, first)
    let page: Uint8Array | undefined
    let cause: unknown
    try {
      const sealed = this.db.getSync(key)
      page = sealed === undefined ? undefined : unseal(key, sealed)
      cause = sealed === undefined ? 'a page is missing' : 'the checksum of a page is wrong'
    } catch (error) {
      const failed = diskError(this.options.folder, 'Reading', error)
      if (!isCorrupt(failed)) throw failed
      cause = failed.message
    }
    if (page !== undefined) return page
    this.#damaged.add(store.name)
    throw corrupt(this.options.folder, `${cause} in "${store.name}"`, store.name)
  }

  // ---- writing ---------------------------------------------------------------------------------

  async #write(
    changes: readonly StoreChanges[],
    epoch: number | undefined,
    marks: ChangelogMarks,
    sync: boolean,
  ): Promise<void> {
    await this.#inTurn(async () => {
      const cleared = new Set(changes.flatMap((change) => (change.cleared ? [change.store] : [])))
      const lost = this.damaged.find((store) => !cleared.has(store))
      if (lost !== undefined) throw corrupt(this.options.folder, `a page of "${lost}" could not be read`, lost)
      // Filled piece by piece: one call with ten thousand pages would hold the lanes up for tens of milliseconds.
      const batch = this.db.batch()
      this.#writes = nothing
      try {
        const { plans, nextId } = await this.#fill(batch, byStore(changes))
        const head = this.#head(epoch, marks, nextId)
        batch.put(head.key, head.value)
        this.#writes = factsOf(plans)
        await batch.write({ sync })
        this.#apply(plans)
        this.#nextId = nextId
        this.#epoch = epoch
        this.#marks = marks
        for (const store of cleared) this.#damaged.delete(store)
      } finally {
        await batch.close()
      }
    })
  }

  async #fill(batch: Batch, changes: readonly StoreChanges[]): Promise<{ plans: StorePlan[]; nextId: number }> {
    const { clock } = this.options
    const plans: StorePlan[] = []
    let nextId = this.#nextId
    let pieceStarted = clock.monotonic()
    for (const change of changes) {
      const store = this.#store(change.store)
      const isNew = change.cleared || store.id === 0
      const plan: StorePlan = { store, id: isNew ? nextId++ : store.id, isNew, updates: [] }
      plans.push(plan)
      for (const update of planCommit(store, change)) {
        plan.updates.push(update)
        addPages(batch, plan.id, update)
        if (clock.monotonic() - pieceStarted < PIECE_MS) continue
        await clock.yield()
        pieceStarted = clock.monotonic()
      }
      const head = sealed(storeKey(store.name), toJsonBytes(headAfter(plan)))
      batch.put(head.key, head.value)
    }
    return { plans, nextId }
  }

  /** The batch is durable: from here on it is what is read. All at once, because nobody may see half of it. */
  #apply(plans: readonly StorePlan[]): void {
    const forget = (number: number) => this.#cache.delete(number)
    const keep = (number: number, page: Uint8Array) => this.#cache.put(number, page)
    for (const { store, id, isNew, updates } of plans) {
      const { id: before } = store
      if (isNew) {
        store.replace(id, forget)
        if (before !== 0) this.#clearLater(before)
      }
      store.apply(updates, keep, forget)
    }
  }

  #clearLater(id: number): void {
    this.#clearing = this.#clearing.then(() => this.db.clear(pagesOf(id))).catch(() => undefined)
  }

  #head(epoch: number | undefined, marks: ChangelogMarks, nextId: number): Put {
    const head: StateHead = { format: STATE_FORMAT, epoch: epoch ?? null, marks: Object.fromEntries(marks), nextId }
    return sealed(headKey, toJsonBytes(head))
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(() => {
      if (this.#isBroken) throw notReadAgain(this.options.folder)
      return work()
    })
    const settled = turn.catch(async (error: unknown) => {
      if (error instanceof StreamError) throw error
      // First, so that it tells what was free then.
      const told = await writeError(this.options.folder, error, this.#writes)
      await this.#reopen().catch(() => undefined)
      throw told
    })
    this.#writing = settled.catch(() => undefined)
    await settled
  }

  /**
   * After a write that failed LevelDB takes no other one, and only its log can tell whether the batch counts: what is
   * there is read again.
   */
  async #reopen(): Promise<void> {
    this.#isBroken = true
    await this.db.close()
    this.#cache.clear()
    this.#epoch = undefined
    this.#marks = new Map()
    for (const store of this.#stores.values()) store.replace(0, () => {})
    await this.db.open()
    await this.#load()
    this.#isBroken = false
  }

  // ---- opening ---------------------------------------------------------------------------------

  /** Reads the heads, and where each page begins; what belongs to no store is deleted. */
  async #load(): Promise<void> {
    const sealedHead = await this.db.get(headKey)
    if (sealedHead === undefined) {
      const [anything] = await this.db.keys({ limit: 1 }).all()
      if (anything !== undefined) throw corrupt(this.options.folder, 'its head is missing')
      return
    }
    const head = this.#parse(headKey, sealedHead)
    if (head.format !== STATE_FORMAT) throw corrupt(this.options.folder, `it is written in format ${head.format}`)
    this.#epoch = head.epoch ?? undefined
    this.#marks = new Map(Object.entries(head.marks))
    this.#nextId = head.nextId
    const wanted = new Map<number, { readonly store: DiskStore; readonly head: StoreHead }>()
    for await (const [key, value] of this.db.iterator(storeHeads)) {
      const store = this.#store(storeNameOf(key))
      const bytes = unseal(key, value)
      if (bytes === undefined) {
        this.#damaged.add(store.name)
        continue
      }
      const storeHead = fromJsonBytes(bytes) as StoreHead
      store.replace(storeHead.id, () => {})
      store.setSize(storeHead.size, storeHead.bytes)
      wanted.set(storeHead.id, { store, head: storeHead })
    }
    await this.#loadPages(new Map([...wanted].map(([id, { store }]) => [id, store])))
    for (const { store, head: storeHead } of wanted.values()) {
      if (store.pages !== storeHead.pages) this.#damaged.add(store.name)
    }
  }

  async #loadPages(stores: ReadonlyMap<number, DiskStore>): Promise<void> {
    const leftOver = new Set<number>()
    const keys = this.db.keys(allPages)
    try {
      for (let some = await keys.nextv(KEYS_AT_ONCE); some.length > 0; some = await keys.nextv(KEYS_AT_ONCE)) {
        for (const key of some) {
          const { id, first } = readPageKey(key)
          const store = stores.get(id)
          if (store === undefined) leftOver.add(id)
          else store.addPage(first)
        }
      }
    } finally {
      await keys.close()
    }
    for (const id of leftOver) this.#clearLater(id)
  }

  #parse(key: Uint8Array, sealedValue: Uint8Array): StateHead {
    const bytes = unseal(key, sealedValue)
    if (bytes === undefined) throw corrupt(this.options.folder, 'the checksum of a head is wrong')
    return fromJsonBytes(bytes) as StateHead
  }
}

/** What a commit makes of one store. */
interface StorePlan {
  readonly store: DiskStore
  readonly id: number
  /** What it had before is gone, or there was nothing. */
  readonly isNew: boolean
  readonly updates: PageUpdate[]
}

function headAfter({ store, id, isNew, updates }: StorePlan): StoreHead {
  const head = { id, size: 0, bytes: 0, pages: 0, ...(isNew ? {} : store.head) }
  for (const { at, pages, entries, bytes } of updates) {
    head.size += entries
    head.bytes += bytes
    head.pages += pages.length - (at === undefined ? 0 : 1)
  }
  return head
}

function addPages(batch: Batch, id: number, { at, pages }: PageUpdate): void {
  for (const { first, bytes } of pages) {
    const key = pageKey(id, first)
    batch.put(key, seal(key, bytes))
  }
  if (at !== undefined && pages.length === 0) batch.del(pageKey(id, at))
}

/** What an error tells of a write. */
function factsOf(plans: readonly StorePlan[]): WriteFacts {
  const sizes = plans.map(({ store, updates }) => ({
    store: store.name,
    bytes: updates
      .flatMap(({ pages }) => pages)
      .reduce((sum, { first, bytes }) => sum + first.length + bytes.length, 0),
  }))
  // The one with most to write is named first.
  const bySize = sizes.sort((a, b) => b.bytes - a.bytes)
  return { bytes: bySize.reduce((sum, { bytes }) => sum + bytes, 0), stores: bySize.map(({ store }) => store) }
}
