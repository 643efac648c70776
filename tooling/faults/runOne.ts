import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type LogAdmin, type RecordLog, SeededRandom, SystemClock } from '@lanescope/core'
import { openLog } from '@lanescope/node'
import { SmallDisk } from '../../packages/node/test/smallDisk.js'
import { AppProcess } from './AppProcess.js'
import type { Broker } from './Broker.js'
import { between, type Fault, type Scene, sleep } from './faults.js'
import { END_KEY, expected, expectedLetters, FAR_KEY, GAP_MS, type Input, type Kind } from './topologies.js'

export interface FaultRun {
  readonly seed: number
  readonly kind: Kind
  readonly fault: Fault
  readonly app: string
  readonly broker: Broker
  readonly records: number
}

export interface FaultResult {
  /** What came out and should not have, or did not and should have; empty when all is exact. */
  readonly differences: readonly string[]
  readonly said: readonly string[]
  readonly starts: number
  /** In place. */
  readonly restarts: number
  /** Stores that a start or restart has read changelogs for. */
  readonly restored: number
  readonly seconds: number
}

const PARTITIONS = 4
const KEYS = 200
const FAR_EVERY = 300
const FAR_MS = 10 * 365 * 86_400_000
const DISK_BYTES = 48 << 20
/** Between two records, at most. */
const STEP_MS = 40
const LONGEST_MS = 120_000
const MOST_STARTS = 12
const clock = new SystemClock()
export async function runOne(run: FaultRun): Promise<FaultResult> {
  const started = clock.monotonic()
  const { broker, fault } = run
  const random = new SeededRandom(run.seed)
  const id = `faults-${run.seed}-${randomUUID().slice(0, 6)}`
  const [input, output, letters] = [`${id}-in`, `${id}-out`, `${id}-letters`]
  const disk = fault.smallDisk ? SmallDisk.mount(DISK_BYTES) : undefined
  const stateDir = disk?.dir ?? join(broker.dir, '..', id)
  const inputs = inputsOf(random, run.records, fault.farFuture === true)
  const log = await openLog(
    { 'bootstrap.servers': broker.bootstrap, 'processing.guarantee': 'at-least-once' },
    { clock },
  )
  const args = ['--kind', run.kind, '--bootstrap', broker.proxy.bootstrap, '--input', input, '--output', output]
  if (fault.farFuture) args.push('--letters', letters)
  const instance = (state: string) =>
    new AppProcess(run.app, [...args, '--id', id, '--state', state, '--transaction', '2500'])
  const apps = [instance(stateDir)]
  const startAnother = () => {
    const other = instance(`${stateDir}-${apps.length}`)
    apps.push(other)
    other.start()
    return other
  }
  const scene: Scene = { app: apps[0] as AppProcess, broker, proxy: broker.proxy, random, stateDir, disk, startAnother }
  try {
    for (const topic of [input, output, letters]) await log.createTopic(topic, PARTITIONS)
    const half = Math.floor(inputs.length / 2)
    await log.append(inputs.slice(0, half).map((each) => toOutput(input, each)))
    scene.app.start()
    // On a slow machine, too, there is something to break.
    await scene.app.running
    const happening = fault.happens(scene)
    const rest = feed(log, input, inputs.slice(half), random)
    await happening
    await rest
    const differences = [...(await untilExact(log, output, expected(run.kind, inputs), scene.app))]
    differences.push(...differencesOf(await outputsOf(log, letters), expectedLetters(run.kind, inputs)))
    const said = apps.flatMap((each) => each.said)
    const starts = apps.reduce((sum, each) => sum + each.starts, 0)
    const seconds = (clock.monotonic() - started) / 1000
    const count = (words: RegExp) => said.filter((line) => words.test(line)).length
    return { differences, said, starts, restarts: count(/; restart \d of 5/), restored: count(/Rebuilt "/), seconds }
  } finally {
    broker.proxy.fate = () => 'pass'
    for (const each of apps) await each.kill()
    await log.close()
    disk?.unmount()
  }
}

/**
 * Records in the order of their times, the last ones ahead in every partition.
 *
 * @param farFuture whether some of the second half are years ahead
 */
function inputsOf(random: SeededRandom, count: number, farFuture: boolean): Input[] {
  const inputs: Input[] = []
  // Of the last minutes: a broker deletes what is older than its retention.
  let timestamp = clock.now() - count * STEP_MS
  for (let i = 0; i < count; i++) {
    timestamp += Math.floor(random.next() * STEP_MS)
    inputs.push({ key: `k${Math.floor(random.next() * KEYS)}`, timestamp })
    if (farFuture && i > count / 2 && i % FAR_EVERY === 0) {
      inputs.push({ key: `${FAR_KEY}${i}`, timestamp: timestamp + FAR_MS })
    }
  }
  for (let i = 0; i < 40; i++) inputs.push({ key: `${END_KEY}${i}`, timestamp: timestamp + 10 * GAP_MS })
  return inputs
}

function toOutput(topic: string, { key, timestamp }: Input) {
  const bytes = new TextEncoder().encode(key)
  return { topic, partition: -1, key: bytes, value: bytes, timestamp, headers: [] }
}

/** The second half comes while things break; a send that fails is not known to be there, so it is looked for first. */
async function feed(
  log: RecordLog & LogAdmin,
  topic: string,
  inputs: readonly Input[],
  random: SeededRandom,
): Promise<void> {
  for (let at = 0; at < inputs.length; ) {
    const size = between(random, 50, 400)
    const before = await ends(log, topic)
    const batch = inputs.slice(at, at + size).map((each) => toOutput(topic, each))
    try {
      await log.append(batch)
    } catch {
      await sleep(200)
      if (!(await hasGrown(log, topic, before))) continue
    }
    at += size
    await sleep(between(random, 20, 200))
  }
}

async function ends(log: RecordLog & LogAdmin, topic: string): Promise<number> {
  for (;;) {
    try {
      let sum = 0
      for (let partition = 0; partition < PARTITIONS; partition++) {
        sum += (await log.read(topic, partition, 0, 0)).lastStableOffset
      }
      return sum
    } catch {
      await sleep(200)
    }
  }
}

async function hasGrown(log: RecordLog & LogAdmin, topic: string, before: number): Promise<boolean> {
  return (await ends(log, topic)) > before
}

/** Until what has to be there is there, then once more, since what comes twice may come late. */
async function untilExact(
  log: RecordLog & LogAdmin,
  topic: string,
  wanted: ReadonlyMap<string, readonly string[]>,
  app: AppProcess,
): Promise<readonly string[]> {
  const total = [...wanted.values()].reduce((sum, values) => sum + values.length, 0)
  const deadline = clock.monotonic() + LONGEST_MS
  while (clock.monotonic() < deadline) {
    // It gives up after too many faults; whoever operates it starts it again.
    if (!app.isAlive) {
      if (app.starts >= MOST_STARTS) return [`gave up ${app.starts} times`]
      app.start()
    }
    const seen = await outputsOf(log, topic)
    const count = [...seen.values()].reduce((sum, values) => sum + values.length, 0)
    if (count >= total) {
      await sleep(700)
      return differencesOf(await outputsOf(log, topic), wanted)
    }
    await sleep(300)
  }
  return [`not done after ${LONGEST_MS} ms`, ...differencesOf(await outputsOf(log, topic), wanted)]
}

async function outputsOf(log: RecordLog & LogAdmin, topic: string): Promise<Map<string, string[]>> {
  const seen = new Map<string, string[]>()
  const text = (bytes: Uint8Array | null) => (bytes === null ? 'null' : new TextDecoder().decode(bytes))
  for (let partition = 0; partition < PARTITIONS; partition++) {
    let from = 0
    for (;;) {
      const { records, nextOffset, lastStableOffset } = await log.read(topic, partition, from, 100_000)
      for (const { key, value } of records) {
        const values = seen.get(text(key)) ?? []
        seen.set(text(key), values)
        values.push(text(value))
      }
      if (nextOffset >= lastStableOffset || nextOffset === from) break
      from = nextOffset
    }
  }
  return seen
}

function differencesOf(
  seen: ReadonlyMap<string, readonly string[]>,
  wanted: ReadonlyMap<string, readonly string[]>,
): string[] {
  const differences: string[] = []
  for (const key of new Set([...seen.keys(), ...wanted.keys()])) {
    const [got, want] = [seen.get(key) ?? [], wanted.get(key) ?? []]
    const at = want.findIndex((value, index) => got[index] !== value)
    if (at >= 0 || got.length !== want.length) {
      const index = at >= 0 ? at : want.length
      differences.push(
        `${key}: ${got.length} outputs, ${want.length} expected; output ${index} is "${got[index]}", expected "${want[index]}"`,
      )
    }
  }
  return differences
}
