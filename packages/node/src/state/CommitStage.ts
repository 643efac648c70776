import type { DiskStore } from './DiskStore.js'
import { pieceKey, storeKey } from './levelLayout.js'
import type { LogPart, PieceWriter } from './logPieces.js'
import { type Batch, putHead } from './StateDatabase.js'
import { NONE, type StageTarget, type StorePlan, type StoreWrites, stageCommit } from './stageCommit.js'

/** A commit that is made ready: its changes are in a batch, and in memory, where nobody sees them yet. */
export class CommitStage implements StageTarget {
  readonly #plans: StorePlan[] = []
  #pieces = 0
  #bytes = 0

  constructor(
    private readonly log: LogPart,
    readonly writer: PieceWriter,
    private readonly batch: Batch,
    /** Gives others their turn when it is time for it. */
    readonly pause: () => Promise<void>,
  ) {}

  get plans(): readonly StorePlan[] {
    return this.#plans
  }

  /** Of its pieces. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of the piece of the log that comes behind it. */
  get to(): number {
    return this.log.to + this.#pieces
  }

  get pieces(): readonly Uint8Array[] {
    return this.log.pieces
  }

  endPiece(store: number): number {
    const piece = this.writer.take(store, this.to)
    this.batch.put(pieceKey(this.to), piece)
    this.#pieces++
    this.#bytes += piece.length
    return this.log.stage(piece)
  }

  /** @param id the store's with this commit */
  async add(store: DiskStore, { changes }: StoreWrites, id: number): Promise<void> {
    const plan = await stageCommit(store, changes, id, this)
    this.#plans.push(plan)
    if (plan.head.id === NONE.id) this.batch.del(storeKey(store.name))
    else putHead(this.batch, storeKey(store.name), plan.head)
  }

  /**
   * The batch is durable: from here on it is what is read. All at once, because nobody may see half of it.
   *
   * @param replaced is told of each store that gets another id
   */
  show(replaced: (store: DiskStore, id: number) => void): void {
    for (const { store, head, staged } of this.#plans) {
      if (store.id !== head.id) replaced(store, head.id)
      store.become(head, staged)
    }
    this.log.count(this.#pieces)
  }

  /** Gives back what nobody sees any more. */
  async sweep(): Promise<void> {
    for (const { staged } of this.#plans) await staged?.sweep(this.pause)
  }

  /** Nothing of it comes to count. */
  abandon(): void {
    for (const { staged } of this.#plans) staged?.abandon()
  }
}
