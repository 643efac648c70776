import type { DiskStore } from './DiskStore.js'
import { type Change, entryLength, writeEntry } from './entry.js'
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

/** Changes as pieces of the log. @param changes in the order of their keys, each key once */
export function encodePieces(store: number, changes: readonly Change[], number: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let from = 0; from < changes.length; ) {
    let length = ID_BYTES + CHECKSUM_BYTES
    let to = from
    while (to < changes.length && (to === from || length + entryLength(changes[to] as Change) <= PIECE_BYTES)) {
      length += entryLength(changes[to++] as Change)
    }
    const piece = new Uint8Array(length)
    new DataView(piece.buffer).setUint32(0, store)
    let at = ID_BYTES
    for (; from < to; from++) at = writeEntry(piece, at, changes[from] as Change)
    pieces.push(sealInPlace(pieceKey(number + pieces.length), piece))
  }
  return pieces
}

/** The changes of a piece count from now on, those of a store that is gone excepted. */
export function applyPiece(log: LogPart, piece: Uint8Array, stores: ReadonlyMap<number, DiskStore>): void {
  const at = log.add(piece)
  stores.get(new DataView(piece.buffer, piece.byteOffset).getUint32(0))?.apply(log, at)
}

/** Where the entries of a piece are. */
export function entriesOfPiece(piece: Uint8Array): readonly [start: number, end: number] {
  return [ID_BYTES, piece.length - CHECKSUM_BYTES]
}

/** Pieces of the log that are in no run yet, in memory too: reads look here first. */
export class LogPart {
  readonly pieces: Uint8Array[] = []
  #bytes = 0

  /** @param from the number of the first piece */
  constructor(readonly from: number) {}

  /** The number of the piece that comes next. */
  get to(): number {
    return this.from + this.pieces.length
  }

  /** What it takes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  /** @returns its place in `pieces` */
  add(piece: Uint8Array): number {
    this.#bytes += piece.length + PIECE_OVERHEAD
    return this.pieces.push(piece) - 1
  }
}
