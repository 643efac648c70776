import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SystemClock } from '@lanescope/core'
import { DiskStateBackend } from '@lanescope/node'
import { peakResidentMb } from '../kafka/processCosts.js'
import { collectedHeapMb } from './collectedHeapMb.js'
import { PendingTimers } from './PendingTimers.js'

/*
 * What pending timers cost where they are many (T10): so many are registered over ten days ahead, with state on disk,
 * and some of them fire, at 100,000 pending, at ten times as many, and so on.
 */

const { values } = parseArgs({
  options: {
    timers: { type: 'string', default: '10000000' },
    backend: { type: 'string', default: 'hybrid' },
    fired: { type: 'string', default: '50000' },
  },
})
const MOST = Number(values.timers)
const FIRED = Number(values.fired)

const folder = await mkdtemp(join(tmpdir(), 'lanescope-timers-'))
const clock = new SystemClock()
const state = await DiskStateBackend.open({ folder: join(folder, 'state'), clock })
const timers = await PendingTimers.start(state, clock, values.backend)
try {
  print(`timers.backend ${values.backend}, state on disk`)
  print(row('pending', 'register CPU µs', 'fire CPU µs', 'heap MB', 'buffers MB', 'RSS MB', 'peak RSS MB'))
  print(row('---:', '---:', '---:', '---:', '---:', '---:', '---:'))
  print(row('0', '', '', ...memory()))
  for (const size of sizes(MOST)) {
    // The cost at this size: of the last tenth on the way there.
    await timers.register(Math.max(timers.registered, timers.fired + Math.floor(0.9 * size)))
    const register = await timers.register(timers.fired + size)
    const figures = memory()
    const fire = await timers.fire(Math.min(FIRED, size / 2))
    print(row(size.toLocaleString('en'), register.toFixed(1), fire.toFixed(1), ...figures))
  }
} finally {
  await timers.stop()
  await state.close()
  await rm(folder, { recursive: true, force: true })
}

/** 100,000, ten times as many, and so on, up to `most`. */
function sizes(most: number): number[] {
  const found: number[] = []
  for (let size = 100_000; size < most; size *= 10) found.push(size)
  return [...found, most]
}

function memory(): string[] {
  const heap = collectedHeapMb()
  const { arrayBuffers, rss } = process.memoryUsage()
  return [heap, arrayBuffers / 1024 / 1024, rss / 1024 / 1024, peakResidentMb('self')].map((mb) => mb.toFixed(0))
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
