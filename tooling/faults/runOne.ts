import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type LogAdmin, type RecordLog, SeededRandom, SystemClock } from '@lanescope/core'
import { openLog } from '@lanescope/node'
import { AppProcess } from './AppProcess.js'
import type { Broker } from './Broker.js'
import { END_KEY, expected, GAP_MS, type Input, type Kind } from './topologies.js'

export interface FaultRun {
  readonly seed: number
  readonly kind: Kind
  readonly fault: string
  readonly app: string
  readonly broker: Broker
  readonly records: number
}

export interface FaultResult {
  /** What came out and should not have, or did not and should have; empty when all is exact. */
  readonly differences: readonly string[]
  readonly said: readonly string[]
  readonly starts: number
  readonly seconds: number
}

interface Scene {
  readonly app: AppProcess
  readonly broker: Broker
  readonly random: SeededRandom
  readonly stateDir: string
}

const PARTITIONS = 4
const KEYS = 200
/** Between two records, at most. */
const STEP_MS = 40
const LONGEST_MS = 120_000
const MOST_STARTS = 12
const clock = new SystemClock()
const sleep = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))
/** Between so many ms and so many. */
const between = (random: SeededRandom, least: number, most: number) =>
  least + Math.floor(random.next() * (most - least))

/** What is done to a run while it works, from its start on. Afterwards the application runs, or is started again. */
export const faults: { readonly [name: string]: (scene: Scene) => Promise<void> } = {
  'killed, three times': async ({ app, random }) => {
    for (let i = 0; i < 3; i++) {
      await sleep(between(random, 300, 3500))
      await app.kill()
      app.start()
    }
  },
  'killed, and its state deleted': async ({ app, random, stateDir }) => {
    await sleep(between(random, 1500, 4000))
    await app.kill()
    await rm(stateDir, { recursive: true, force: true })
    app.start()
  },
  'killed, and its state truncated': async ({ app, random, stateDir }) => {
    await sleep(between(random, 1500, 4000))
    await app.kill()
    await damage(stateDir, random)
    app.start()
  },
  'broker stopped and started': async ({ broker, random }) => {
    await sleep(between(random, 500, 3000))
    await broker.restart('stop')
  },
  'broker killed, then the application': async ({ app, broker, random }) => {
    await sleep(between(random, 500, 3000))
    await broker.restart('kill')
    await sleep(between(random, 0, 2000))
    await app.kill()
    app.start()
  },
  'frozen past its transaction': async ({ app, random }) => {
    await sleep(between(random, 800, 3000))
    app.signal('SIGSTOP')
    await sleep(4000)
    app.signal('SIGCONT')
  },
}

export async function runOne(run: FaultRun): Promise<FaultResult> {
  const started = clock.monotonic()
  const random = new SeededRandom(run.seed)
  const id = `faults-${run.seed}-${randomUUID().slice(0, 6)}`
  const [input, output] = [`${id}-in`, `${id}-out`]
  const stateDir = join(run.broker.dir, '..', id)
  const inputs = inputsOf(random, run.records)
  const log = await openLog(
    { 'bootstrap.servers': run.broker.bootstrap, 'processing.guarantee': 'at-least-once' },
    { clock },
  )
  const args = ['--kind', run.kind, '--bootstrap', run.broker.bootstrap, '--input', input, '--output', output]
  const app = new AppProcess(run.app, [...args, '--id', id, '--state', stateDir, '--transaction', '2500'])
  try {
    await log.createTopic(input, PARTITIONS)
    await log.createTopic(output, PARTITIONS)
    const half = Math.floor(inputs.length / 2)
    await log.append(inputs.slice(0, half).map((each) => toOutput(input, each)))
    app.start()
    const fault = (faults[run.fault] as (scene: Scene) => Promise<void>)({ app, broker: run.broker, random, stateDir })
    const rest = feed(log, input, inputs.slice(half), random)
    await fault
    await rest
    const wanted = expected(run.kind, inputs)
    const differences = await untilExact(log, output, wanted, app)
    return { differences, said: app.said, starts: app.starts, seconds: (clock.monotonic() - started) / 1000 }
  } finally {
    await app.kill()
    await log.close()
  }
}

/** Records in the order of their times, the last ones far ahead in every partition. */
function inputsOf(random: SeededRandom, count: number): Input[] {
  const inputs: Input[] = []
  // Of the last minutes: a broker deletes what is older than its retention.
  let timestamp = clock.now() - count * STEP_MS
  for (let i = 0; i < count; i++) {
    timestamp += Math.floor(random.next() * STEP_MS)
    inputs.push({ key: `k${Math.floor(random.next() * KEYS)}`, timestamp })
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

/** Cuts a file of the state in half, and turns a byte of another around. */
async function damage(stateDir: string, random: SeededRandom): Promise<void> {
  if (!existsSync(stateDir)) return
  const files = (await readdir(stateDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const tables = files.filter(({ name }) => /\.(ldb|log)$/.test(name))
  const chosen = tables[Math.floor(random.next() * tables.length)]
  if (chosen === undefined) return
  const path = join(chosen.parentPath ?? chosen.path, chosen.name)
  await truncate(path, Math.floor((await stat(path)).size / 2))
}
