import type { ChangeView } from '@lanescope/core'
import { entryLength, writeEntry } from './entry.js'
import { pieceKey, sealInPlace } from './levelLayout.js'

/*
 * A piece of the log: changes of one store, of one commit.
 *
 *   store id int32 ∥ entries in the order of their keys ∥ checksum
 */

const ID_BYTES = 4
const CHECKSUM_BYTES = 4
/** A piece with more than one entry is no longer. */
const PIECE_BYTES = 256 * 1024
/** What an array of its own costs. */
const PIECE_OVERHEAD = 200

/** Makes pieces of the log: of one store after the other, its changes in the order of their keys. */
export class PieceWriter {
  readonly #usual = new Uint8Array(PIECE_BYTES)
  #bytes = this.#usual
  #end = ID_BYTES

  get isEmpty(): boolean {
    return this.#end === ID_BYTES
  }

  /** Whether a change has room in this piece. A piece may have any length if it has nothing else. */
  fits(change: ChangeView): boolean {
    return this.isEmpty || this.#end + entryLength(change) + CHECKSUM_BYTES <= PIECE_BYTES
  }

  /** @returns where its entry begins in the piece */
  add(change: ChangeView): number {
    const start = this.#end
    if (this.isEmpty) {
      const needed = start + entryLength(change) + CHECKSUM_BYTES
      this.#bytes = needed > PIECE_BYTES ? new Uint8Array(needed) : this.#usual
    }
    this.#end = writeEntry(this.#bytes, start, change)
    return start
  }

  /** What was added, as the piece of this number. The next one begins. */
  take(store: number, number: number): Uint8Array {
    const piece = this.#bytes.slice(0, this.#end + CHECKSUM_BYTES)
    this.drop()
    new DataView(piece.buffer).setUint32(0, store)
    return sealInPlace(pieceKey(number), piece)
  }

  /** Forgets what was added. */
  drop(): void {
    this.#end = ID_BYTES
    this.#bytes = this.#usual
  }
}

/** Of which store a piece is, by its id. */
export function storeOfPiece(piece: Uint8Array): number {
  return new DataView(piece.buffer, piece.byteOffset).getUint32(0)
}

/** Where the entries of a piece are. */
export function entriesOfPiece(piece: Uint8Array): readonly [start: number, end: number] {
  return [ID_BYTES, piece.length - CHECKSUM_BYTES]
}

/** Pieces of the log that are in no run yet, in memory too: reads look here first. */
export class LogPart {
  /** What commits that came to nothing have left is among them. */
  readonly pieces: Uint8Array[] = []
  #length = 0
  #bytes = 0

  /** @param from the number of the first piece */
  constructor(readonly from: number) {}

  /** The number of the piece that comes next. */
  get to(): number {
    return this.from + this.#length
  }

  /** What it takes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** A piece that does not count yet. @returns its place in `pieces` */
  stage(piece: Uint8Array): number {
    this.#bytes += piece.length + PIECE_OVERHEAD
    return this.pieces.push(piece) - 1
  }

  /** So many of the pieces staged count from now on. */
  count(pieces: number): void {
    this.#length += pieces
  }
}
