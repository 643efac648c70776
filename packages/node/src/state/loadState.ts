import type { ChangelogMarks, Clock } from '@lanescope/core'
import type { DiskStore } from './DiskStore.js'
import { corrupt } from './diskErrors.js'
import {
  allPieces,
  fromJsonBytes,
  headKey,
  isSealed,
  pieceKey,
  runHeads,
  STATE_FORMAT,
  type StateHead,
  type StoreHead,
  storeHeads,
  storeNameOf,
} from './levelLayout.js'
import { LogPart, storeOfPiece } from './logPieces.js'
import { pausing } from './pausing.js'
import { Run, RunDamaged, type RunHead } from './Run.js'
import type { Runs } from './Runs.js'
import type { Level } from './StateDatabase.js'

/** What is filled with the state that is in a folder. */
export interface LoadTarget {
  readonly db: Level
  readonly folder: string
  readonly clock: Clock
  readonly runs: Runs
  readonly byId: Map<number, DiskStore>
  store(name: string): DiskStore
}

export interface LoadedState {
  readonly epoch: number | undefined
  readonly marks: ChangelogMarks
  readonly nextId: number
  readonly log: LogPart
}

const PIECES_AT_ONCE = 16
/** Others have their turn between pieces of about this length (L12). */
const PIECE_MS = 5

/**
 * Reads what a database holds, and what it says to be in runs. Of each file of a run the index is read.
 *
 * @throws StreamError STATE_CORRUPT when it is not all there
 */
export async function loadState(target: LoadTarget): Promise<LoadedState> {
  const { db, folder } = target
  const sealedHead = await db.get(headKey)
  if (sealedHead === undefined) {
    const [anything] = await db.keys({ limit: 1 }).all()
    if (anything !== undefined) throw corrupt(folder, 'its head is missing')
    return { epoch: undefined, marks: new Map(), nextId: 1, log: new LogPart(0) }
  }
  const head = parse<StateHead>(folder, headKey, sealedHead)
  if (head.format !== STATE_FORMAT) throw corrupt(folder, `it is written in format ${head.format}`)
  for await (const [key, value] of db.iterator(storeHeads)) {
    const storeHead = parse<StoreHead>(folder, key, value)
    const store = target.store(storeNameOf(key))
    store.become(storeHead)
    target.byId.set(storeHead.id, store)
  }
  await loadRuns(target, head)
  const log = await loadLog(target, head)
  return { epoch: head.epoch ?? undefined, marks: new Map(Object.entries(head.marks)), nextId: head.nextId, log }
}

async function loadRuns({ db, folder, runs, byId }: LoadTarget, head: StateHead): Promise<void> {
  for await (const [key, value] of db.iterator(runHeads)) {
    const runHead = parse<RunHead>(folder, key, value)
    try {
      runs.replace([], Run.open(folder, runHead), (store) => byId.has(store))
    } catch (error) {
      throw error instanceof RunDamaged ? corrupt(folder, error.message) : error
    }
  }
  const { length } = runs.all
  if (length !== head.runs) throw corrupt(folder, `${length} of ${head.runs} runs are there`)
}

async function loadLog({ db, folder, clock, byId }: LoadTarget, head: StateHead): Promise<LogPart> {
  const [from, to] = head.log
  const log = new LogPart(from)
  const pause = pausing(clock, PIECE_MS)
  const pieces = db.iterator({ ...allPieces, gte: pieceKey(from) })
  try {
    for (let some = await pieces.nextv(PIECES_AT_ONCE); some.length > 0; some = await pieces.nextv(PIECES_AT_ONCE)) {
      for (const [, value] of some) {
        if (log.to === to) throw corrupt(folder, 'its log is longer than its head says')
        // The key is the one that is due: a gap shows as a checksum that is wrong.
        if (!isSealed(pieceKey(log.to), value)) throw corrupt(folder, 'the checksum of a piece of its log is wrong')
        const piece = new Uint8Array(value)
        const place = log.stage(piece)
        log.count(1)
        await byId.get(storeOfPiece(piece))?.load(log.pieces, place, pause)
      }
    }
  } finally {
    await pieces.close()
  }
  if (log.to !== to) throw corrupt(folder, `its log ends at ${log.to} of ${to}`)
  return log
}

function parse<T>(folder: string, key: Uint8Array, value: Uint8Array): T {
  if (!isSealed(key, value)) throw corrupt(folder, 'the checksum of a head is wrong')
  return fromJsonBytes(value.subarray(0, -4)) as T
}
