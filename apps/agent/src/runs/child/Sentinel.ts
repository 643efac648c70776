import { Worker } from 'node:worker_threads'
import { STALL_FD } from '../childProtocol.js'

const PLACE_BYTES = 1_024

/** Memory that both threads see: turns of the event loop, the length of the place, then the place itself. */
export interface SentinelMemory {
  readonly turns: Int32Array
  readonly place: Uint8Array
}

export function viewMemory(shared: SharedArrayBuffer): SentinelMemory {
  return { turns: new Int32Array(shared, 0, 2), place: new Uint8Array(shared, 8) }
}

export interface SentinelOrder {
  readonly shared: SharedArrayBuffer
  readonly parent: number
  readonly everyMs: number
  readonly stalledMs: number
  readonly reportTo: number
}

/**
 * A thread that goes on turning while user code holds the main one in a loop. It tells the agent where that is,
 * and ends the process when the agent is gone: the main thread could do neither.
 */
export class Sentinel {
  readonly #memory: SentinelMemory
  readonly #worker: Worker
  readonly #encoder = new TextEncoder()

  constructor(everyMs: number, stalledMs: number) {
    const shared = new SharedArrayBuffer(8 + PLACE_BYTES)
    this.#memory = viewMemory(shared)
    const order: SentinelOrder = { shared, parent: process.ppid, everyMs, stalledMs, reportTo: STALL_FD }
    this.#worker = new Worker(new URL('./sentinelThread.js', import.meta.url), { workerData: order, execArgv: [] })
    this.#worker.unref()
  }

  /** The event loop has turned. */
  turn(): void {
    Atomics.add(this.#memory.turns, 0, 1)
  }

  /** A record goes to a node. Called for each record, so it must cost next to nothing. */
  enter(node: string, lane: number, key: string): void {
    const { written } = this.#encoder.encodeInto(`${node}\n${lane}\n${key}`, this.#memory.place)
    Atomics.store(this.#memory.turns, 1, written)
  }
}
