import { Consumed, string, Topology } from '@lanescope/core'
import { TopologyTestDriver } from '@lanescope/core/testing'
import type { CaseFile, SerdeWord } from '../CaseFile.js'
import type { Compat } from '../runFile.js'
import { type Json, type JsonObject, UnknownWord } from '../strict.js'
import { Building } from '../topology/Building.js'
import { storeBuilder } from '../topology/stores.js'
import { toEngine } from '../values.js'
import type { CaseOutcome, StepOutcome } from './Outcome.js'
import { droppedOf } from './runTopologyCase.js'
import { runOperation } from './storeOperations.js'

const name = 's'

/** Attaches a store to a driver that has processed one record at time 0, which does not touch it, and does the steps. */
export async function runStoreCase(file: CaseFile, compat: Compat): Promise<CaseOutcome> {
  const description = file.store as JsonObject
  if (description === undefined) throw new UnknownWord('A case of kind "store" describes no store.')
  let driver: TopologyTestDriver
  try {
    driver = await driverWith(
      storeBuilder({ logging: false, ...description, name }, new Building(undefined)),
      file,
      compat,
    )
  } catch (buildError) {
    return { steps: [], buildError }
  }
  const word = (side: 'key' | 'value') => (description[side] ?? 'string') as SerdeWord
  const words = {
    type: String(description.type),
    key: (json: Json) => toEngine(json, word('key')),
    value: (json: Json) => toEngine(json, word('value')),
  }
  const steps: StepOutcome[] = []
  let before = droppedOf(driver)
  for (const step of file.steps ?? []) {
    const outcome = await runOperation(driver, name, step, words).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: refused(error) }),
    )
    const dropped = droppedOf(driver)
    steps.push({ ...outcome, dropped: dropped - before })
    before = dropped
  }
  await driver.close()
  return { steps }
}

function refused(error: unknown): unknown {
  if (error instanceof UnknownWord || (error as Error).name === 'MissingApi') throw error
  return error
}

async function driverWith(builder: any, file: CaseFile, compat: Compat): Promise<TopologyTestDriver> {
  const topology = new Topology()
    .addSource('source', Consumed.with(string, string), 'in')
    .addProcessor('processor', { get: () => ({ process: () => undefined }) }, 'source')
    .addStateStore(builder, 'processor')
  const driver = new TopologyTestDriver(topology, {
    'application.id': 'app',
    compat,
    'statestore.cache.max.bytes': 0,
    ...file.config,
  })
  await driver.createInputTopic('in', string, string).pipeInput('k', 'v', 0)
  return driver
}
