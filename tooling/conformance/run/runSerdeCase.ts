import { fromHex, Headers, toHex } from '@lanescope/core'
import type { CaseFile, SerdeWord } from '../CaseFile.js'
import { serdeOf } from '../serdes.js'
import { type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { fromEngine, isWindowed, textOf, timesNearTheEnd, toEngine } from '../values.js'
import type { CaseOutcome, StepOutcome } from './Outcome.js'

const topic = 'topic'

/** Writes and reads values by one serde. Null never reaches it (F.1). */
export function runSerdeCase(file: CaseFile): CaseOutcome {
  if (file.serde === undefined) throw new UnknownWord('A case of kind "serde" names no serde.')
  const word = file.serde
  return { steps: (file.steps ?? []).map((step) => attempt(() => run(step, word))) }
}

function attempt(run: () => StepOutcome): StepOutcome {
  try {
    return run()
  } catch (error) {
    if (error instanceof UnknownWord) throw error
    return { error }
  }
}

function run(step: JsonObject, word: SerdeWord): StepOutcome {
  const serde = serdeOf(word)
  if ('serialize' in step) {
    onlyFields(step, ['serialize'], 'a step')
    const value = toEngine(step.serialize, word)
    return { hex: value === null ? null : toHex(serde.serialize(topic, Headers.empty, value)) }
  }
  if (!('deserialize' in step)) throw new UnknownWord(`Unknown step ${JSON.stringify(step)}.`)
  onlyFields(step, ['deserialize'], 'a step')
  if (step.deserialize === null) return { value: null }
  const value = serde.deserialize(topic, Headers.empty, bytesOf(String(step.deserialize), word))
  return { value: isWindowed(value) ? textOf(value) : fromEngine(value) }
}

/** How many times end the bytes of each windowed serde. */
const times: { readonly [word: string]: number } = { timeWindowed: 1, sessionWindowed: 2 }

function bytesOf(hex: string, word: SerdeWord): Uint8Array {
  const bytes = fromHex(hex)
  const windowed = typeof word === 'object' ? Object.keys(times).find((name) => name in word) : undefined
  return windowed === undefined ? bytes : timesNearTheEnd(bytes, times[windowed] as number)
}
