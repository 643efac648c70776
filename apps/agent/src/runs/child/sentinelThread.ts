import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { StallReport } from '../childProtocol.js'
import { type SentinelMemory, type SentinelOrder, viewMemory } from './Sentinel.js'

const order = workerData as SentinelOrder
const memory = viewMemory(order.shared)
let turns = 0
let stalledForMs = 0

setInterval(() => {
  if (process.ppid !== order.parent) process.kill(process.pid, 'SIGKILL')
  const now = Atomics.load(memory.turns, 0)
  if (now !== turns) stalledForMs = 0
  else if (stalledForMs < order.stalledMs) {
    stalledForMs += order.everyMs
    if (stalledForMs >= order.stalledMs) report()
  }
  turns = now
}, order.everyMs)

function report(): void {
  const stall = readPlace(memory)
  if (stall) writeSync(order.reportTo, `${JSON.stringify(stall)}\n`)
}

/** The main thread is stalled, so nobody writes meanwhile. */
function readPlace({ turns: counters, place }: SentinelMemory): StallReport | undefined {
  const length = Atomics.load(counters, 1)
  if (length === 0) return undefined
  const [node = '', lane = '', ...key] = new TextDecoder().decode(place.slice(0, length)).split('\n')
  return { node, lane: Number(lane), key: key.join('\n') }
}
