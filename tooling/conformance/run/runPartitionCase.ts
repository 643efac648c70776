import { Headers, murmur2, partitionOf, toHex } from '@lanescope/core'
import type { CaseFile, SerdeWord } from '../CaseFile.js'
import { serdeOf } from '../serdes.js'
import { type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { toEngine } from '../values.js'
import type { CaseOutcome, StepOutcome } from './Outcome.js'

/** Which partition the bytes of a key belong to. */
export function runPartitionCase(file: CaseFile): CaseOutcome {
  return { steps: (file.steps ?? []).map(run) }
}

function run(step: JsonObject): StepOutcome {
  onlyFields(step, ['key', 'serde', 'partitions', 'by'], 'a step')
  const word = (step.serde ?? 'string') as SerdeWord
  const serde = serdeOf(word)
  const bytes = serde.serialize('topic', Headers.empty, toEngine(step.key, word))
  const partitions = Number(step.partitions)
  if (step.by === undefined) {
    return { hex: toHex(bytes), murmur2: murmur2(bytes) | 0, partition: partitionOf(bytes, partitions) }
  }
  if (step.by !== 'windowedSink') throw new UnknownWord(`Unknown partitioner "${String(step.by)}".`)
  const hashed = serde.laneBytes?.(bytes) ?? bytes
  return { hex: toHex(bytes), partition: partitionOf(hashed, partitions) }
}
