import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import {
  Consumed,
  createEngine,
  Grouped,
  type LogRecord,
  parseConfig,
  SeededRandom,
  StreamsBuilder,
  SystemClock,
  string,
} from '@lanescope/core'
import { DiskStateBackend } from '@lanescope/node'
import { Feed } from '../engine/Feed.js'
import { cpuSeconds, peakResidentMb } from '../kafka/processCosts.js'

/*
 * State larger than memory: counts so many distinct keys into a store on disk, then some of them again at random, and
 * says what it took. The log gives records out and forgets what is committed.
 */

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '20000000' }, again: { type: 'string', default: '500000' } },
})
const KEYS = Number(values.keys)
const AGAIN = Number(values.again)
const CHUNK = 100_000
const text = new TextEncoder()
const none: readonly [] = []
const value = text.encode('x')
const keyOf = (number: number) => text.encode(`key-${String(number).padStart(9, '0')}`)

const folder = await mkdtemp(join(tmpdir(), 'lanescope-state-'))
const clock = new SystemClock()
const state = await DiskStateBackend.open({ folder: join(folder, 'state'), clock })
const builder = new StreamsBuilder()
builder.stream('in', Consumed.with(string, string)).groupByKey(Grouped.with(string, string)).count()
const config = parseConfig({
  'application.id': 'bench',
  'future-timestamp.guard': 'off',
  'future-timestamp.check': 'off',
})
const feed = new Feed()
const engine = createEngine({
  topology: builder.build().compile(config),
  config,
  log: feed,
  clock,
  random: new SeededRandom(1),
  state,
})
const print = (line: string) => process.stdout.write(`${line}\n`)
try {
  await engine.start()
  print('| keys in state | records/s | CPU µs a record | RSS MB | peak RSS MB |')
  print('| ---: | ---: | ---: | ---: | ---: |')
  let offset = 0
  const step = Math.max(CHUNK, Math.ceil(KEYS / 10))
  for (let from = 0; from < KEYS; from += step) {
    const count = Math.min(step, KEYS - from)
    // In no order of the keys: each falls between others that are there.
    offset = await measure(from + count, count, offset, (index) => scatter(from + index, KEYS))
  }
  const random = new SeededRandom(7)
  print('Again, keys at random:')
  await measure(KEYS, AGAIN, offset, () => Math.floor(random.next() * KEYS))
} finally {
  await engine.stop()
  await state.close()
  await rm(folder, { recursive: true, force: true })
}

async function measure(keys: number, count: number, first: number, keyAt: (index: number) => number): Promise<number> {
  const started = performance.now()
  const cpu = cpuSeconds('self')
  for (let done = 0; done < count; done += CHUNK) {
    const size = Math.min(CHUNK, count - done)
    const records: LogRecord[] = Array.from({ length: size }, (_, index) => ({
      offset: first + done + index,
      timestamp: done,
      key: keyOf(keyAt(done + index)),
      value,
      headers: none,
    }))
    await Promise.race([feed.give(records), failed()])
  }
  const seconds = (performance.now() - started) / 1000
  const micros = ((cpuSeconds('self') - cpu) / count) * 1e6
  const resident = process.memoryUsage.rss() / 1024 / 1024
  print(
    `| ${keys.toLocaleString('en')} | ${Math.round(count / seconds).toLocaleString('en')} | ${micros.toFixed(1)} | ${resident.toFixed(0)} | ${peakResidentMb('self').toFixed(0)} |`,
  )
  return first + count
}

async function failed(): Promise<never> {
  throw (await engine.finished) ?? new Error('the engine stopped')
}

/** A number of 0 … size − 1 for each index, each once, far from its neighbours. */
function scatter(index: number, size: number): number {
  // Prime, so that it shares no factor with the size unless that is a multiple of it.
  const step = 7_368_787
  return Number((BigInt(index) * BigInt(step)) % BigInt(size))
}
