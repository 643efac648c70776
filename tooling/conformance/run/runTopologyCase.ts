import { byteArray, type Headers } from '@lanescope/core'
import { TopologyTestDriver } from '@lanescope/core/testing'
import type { CaseFile, SerdeWord } from '../CaseFile.js'
import type { Compat } from '../runFile.js'
import { serdeOf } from '../serdes.js'
import { call, type Json, type JsonObject, MissingApi, onlyFields, UnknownWord } from '../strict.js'
import type { Building, Note } from '../topology/Building.js'
import { buildDsl } from '../topology/buildDsl.js'
import { buildPapi } from '../topology/buildPapi.js'
import { fromEngine, headersOf, headersToJson, timeOf, toEngine } from '../values.js'
import { configOf } from './driverConfig.js'
import type { CaseOutcome, StepOutcome } from './Outcome.js'
import { readStores } from './readStores.js'
import { runOperation } from './storeOperations.js'

/** Builds the topology of a case, pipes its steps, and reads its stores. */
export async function runTopologyCase(file: CaseFile, compat: Compat): Promise<CaseOutcome> {
  const seen: Json[][] = []
  const note: Note = (tag, key, value) => seen.push([tag, fromEngine(key), fromEngine(value)])
  const config = configOf(file, compat, note)
  let building: Building
  let topology: any
  try {
    const build = file.api === 'papi' ? buildPapi : buildDsl
    building = build(file.topology ?? [], config.building, note)
    topology = file.api === 'papi' ? building.target : call(building.target, 'build', config.build)
  } catch (buildError) {
    return { steps: [], buildError: engineError(buildError) }
  }
  const described = describe(topology)
  const facts = { ...described, ...(Object.keys(building.branches).length > 0 && { branches: building.branches }) }
  let driver: TopologyTestDriver
  try {
    driver = new TopologyTestDriver(topology, config.driver, config.options)
    await driver.started()
  } catch (startError) {
    return { ...facts, steps: [], startError: engineError(startError) }
  }
  const run = new TopologyRun(file, building, driver, seen)
  const steps = await run.steps()
  const stores = await run.stores(steps.length)
  await driver.close()
  return { ...facts, steps, stores }
}

function describe(topology: any): Pick<CaseOutcome, 'describe' | 'describeError'> {
  try {
    return { describe: topology.describe() }
  } catch (describeError) {
    return { describeError: engineError(describeError) }
  }
}

/** What the runner itself cannot do is no error of the engine. */
function engineError(error: unknown): unknown {
  if (error instanceof UnknownWord || error instanceof MissingApi) throw error
  return error
}

class TopologyRun {
  #dropped = 0

  constructor(
    private readonly file: CaseFile,
    private readonly building: Building,
    private readonly driver: TopologyTestDriver,
    private readonly seen: Json[][],
  ) {}

  async steps(): Promise<StepOutcome[]> {
    const outcomes: StepOutcome[] = []
    for (const step of this.file.steps ?? []) {
      const outcome = await this.step(step)
      outcomes.push(outcome)
      if (outcome.error !== undefined && this.file.continueAfterError !== true) break
    }
    return outcomes
  }

  /** @param executed of so many steps the keys have been piped in */
  stores(executed: number): Promise<{ [store: string]: Json }> {
    const steps = (this.file.steps ?? []).slice(0, executed)
    const pipes = steps.flatMap(({ pipe }) => (pipe === undefined ? [] : [pipe as Json[]]))
    const keys = pipes.map(([topic, key]) => toEngine(key as Json, this.serdes(String(topic)).key))
    return readStores(this.driver, keys)
  }

  private async step(step: JsonObject): Promise<StepOutcome> {
    let result: Json | undefined
    let error: unknown
    try {
      result = await this.run(step)
    } catch (thrown) {
      error = engineError(thrown)
    }
    return {
      ...this.takeSideEffects(),
      // What a failing step has sent appears with the next one.
      out: error === undefined ? this.takeOutputs() : [],
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error }),
    }
  }

  private async run(step: JsonObject): Promise<Json | undefined> {
    if (step.pipe !== undefined) {
      onlyFields(step, ['pipe'], 'a step')
      await this.pipe(step.pipe as Json[])
      return undefined
    }
    if (step.advanceWallClock !== undefined) {
      onlyFields(step, ['advanceWallClock'], 'a step')
      await this.driver.advanceWallClockTime(timeOf(step.advanceWallClock))
      return undefined
    }
    const { store, ...operation } = step
    if (store === undefined) throw new UnknownWord(`Unknown step ${JSON.stringify(step)}.`)
    return runOperation(this.driver, String(store), operation)
  }

  private async pipe([topic, key, value, timestamp, headers, ...more]: Json[]): Promise<void> {
    if (more.length > 0) throw new UnknownWord('A pipe has too many elements.')
    const serdes = this.serdes(String(topic))
    const input = this.driver.createInputTopic(String(topic), serdeOf(serdes.key), serdeOf(serdes.value))
    const record = [toEngine(key, serdes.key), toEngine(value, serdes.value)] as const
    await input.pipeInput(...record, timeOf(timestamp), headersOf(headers))
  }

  private serdes(topic: string): { readonly key: SerdeWord; readonly value: SerdeWord } {
    return { key: 'string', value: 'string', ...this.file.topics?.[topic] }
  }

  private takeSideEffects(): Omit<StepOutcome, 'out'> {
    const dropped = droppedOf(this.driver)
    const increase = dropped - this.#dropped
    this.#dropped = dropped
    const { printed } = this.building
    return { dropped: increase, seen: this.seen.splice(0), printed: printed.splice(0) }
  }

  private takeOutputs(): Json[][] {
    const watched = this.file.watch ?? []
    return [...this.driver.producedTopicNames()]
      .filter((topic: string) => !topic.startsWith('app-') || watched.includes(topic))
      .sort()
      .flatMap((topic: string) => this.read(topic))
  }

  private read(topic: string): Json[][] {
    const { key, value } = this.serdes(topic)
    const side = (serde: SerdeWord, bytes: Uint8Array | null, headers: Headers) =>
      bytes === null ? null : fromEngine(serdeOf(serde).deserialize(topic, headers, bytes))
    const output = this.driver.createOutputTopic(topic, byteArray, byteArray)
    return output
      .readRecordsToList()
      .map((record) => [
        topic,
        side(key, record.key, record.headers),
        side(value, record.value, record.headers),
        record.timestamp,
        ...(record.headers.size === 0 ? [] : [headersToJson(record.headers)]),
      ])
  }
}

/** What Kafka counts in `dropped-records-total`. */
export function droppedOf(driver: TopologyTestDriver): number {
  return driver.metrics().get('dropped-records-total') ?? 0
}
