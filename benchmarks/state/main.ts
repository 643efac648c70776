import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import {
  Consumed,
  createEngine,
  Grouped,
  type LogRecord,
  Materialized,
  parseConfig,
  SeededRandom,
  StreamsBuilder,
  SystemClock,
  string,
} from '@lanescope/core'
import { DiskStateBackend } from '@lanescope/node'
import { Feed } from '../engine/Feed.js'
import { cpuSeconds, peakResidentMb } from '../kafka/processCosts.js'
import { residentMb } from './residentMb.js'

/*
 * State larger than memory: counts so many distinct keys into a store on disk, in no order of the keys; at each size
 * counts some of them again at random, and reads some at random. In the end it opens the state anew. The log gives
 * records out and forgets what is committed.
 */

const { values } = parseArgs({
  options: {
    /** Numbers of keys at which it stops and looks, the largest last. */
    keys: { type: 'string', default: '1000000,5000000,20000000' },
    /** How many are counted again, and read, at each size. */
    again: { type: 'string', default: '300000' },
  },
})
const SIZES = values.keys.split(',').map(Number)
const KEYS = SIZES[SIZES.length - 1] as number
const AGAIN = Number(values.again)
const CHUNK = 100_000
const STORE = 'counts'
const text = new TextEncoder()
const none: readonly [] = []
const value = text.encode('x')
const keyOf = (number: number) => text.encode(`key-${String(number).padStart(9, '0')}`)

const folder = join(await mkdtemp(join(tmpdir(), 'lanescope-state-')), 'state')
const clock = new SystemClock()
let state = await DiskStateBackend.open({ folder, clock })
const builder = new StreamsBuilder()
builder
  .stream('in', Consumed.with(string, string))
  .groupByKey(Grouped.with(string, string))
  .count(Materialized.as(STORE))
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
const random = new SeededRandom(7)
const print = (line: string) => process.stdout.write(`${line}\n`)
try {
  await engine.start()
  print(
    '| keys in state | | records/s | CPU s a million | resident MB: own / files / most so far | disk MB | a read, CPU µs |',
  )
  print('| ---: | --- | ---: | ---: | ---: | ---: | ---: |')
  let offset = 0
  let keys = 0
  for (const size of SIZES) {
    const from = keys
    // In no order of the keys: each falls between others that are there.
    offset = await measure(size, 'new keys', size - from, offset, (index) => scatter(from + index, KEYS))
    keys = size
    offset = await measure(size, 'again', AGAIN, offset, () => scatter(Math.floor(random.next() * size), KEYS))
  }
  await engine.stop()
  await measureStart()
} finally {
  await engine.stop()
  await state.close()
  await rm(join(folder, '..'), { recursive: true, force: true })
}

async function measure(
  keys: number,
  what: string,
  count: number,
  first: number,
  keyAt: (index: number) => number,
): Promise<number> {
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
  const { own, files } = residentMb()
  const memory = `${own.toFixed(0)} / ${files.toFixed(0)} / ${peakResidentMb('self').toFixed(0)}`
  const rate = Math.round(count / seconds).toLocaleString('en')
  const disk = ((await diskBytes()) / 1024 / 1024).toFixed(0)
  const read = what === 'again' ? readMicros(keys).toFixed(1) : ''
  print(`| ${keys.toLocaleString('en')} | ${what} | ${rate} | ${micros.toFixed(1)} | ${memory} | ${disk} | ${read} |`)
  return first + count
}

/** What one committed count costs that is not in the cache, most of them; with what else goes on behind the commits. */
function readMicros(keys: number): number {
  const store = state.open(STORE)
  const count = Math.min(AGAIN, 100_000)
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const key = keyOf(scatter(Math.floor(random.next() * keys), KEYS))
    if (store.get(key) === undefined) throw new Error('a key is not there')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}

async function measureStart(): Promise<void> {
  await state.settled()
  await state.close()
  const started = performance.now()
  const before = process.cpuUsage()
  state = await DiskStateBackend.open({ folder, clock })
  const { user, system } = process.cpuUsage(before)
  const ms = performance.now() - started
  if (state.open(STORE).size !== KEYS) throw new Error(`${state.open(STORE).size} keys are there`)
  print('')
  print(`Opened anew in ${ms.toFixed(0)} ms, CPU ${((user + system) / 1e6).toFixed(1)} s.`)
}

async function diskBytes(): Promise<number> {
  const sizes = await Promise.all(
    (await readdir(folder)).map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
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
