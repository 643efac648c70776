import type { CaseFile, Expectation } from './CaseFile.js'
import { type Json, type JsonObject, onlyFields, UnknownWord } from './strict.js'

/** What makes the engine's own results differ from Kafka Streams', in a sentence for whoever reads the file. */
const reasons: { readonly [because: string]: string } = {
  'on-window-close-loss': 'S6: what emits on close sends every window on',
  'overlapping-sessions': 'S6: a session lives until it closes, and takes what belongs to it',
  'double-final-result': 'S6: a window whose end is inclusive closes a millisecond later, once',
  'repartition-key-serde': 'S6: a boundary writes keys by the serde that is declared upstream',
  'windowed-default-serde': 'S6: a windowed key is written by a windowed serde, also around the default one',
  lanes: 'B1: records cross to their lanes in memory, so there is no topic, and no serde writes their values',
  changelog: 'E8: the driver of the engine itself shows no changelogs',
  'end-of-time': 'W1: a window is cut at the last time instead of wrapping around',
  gates: 'G1: a value of the wrong type is a record that cannot be written',
  'record-cache': 'There is no record cache: what a store reads it reads by its retention',
  'grace-join': 'A record without a key is joined at once instead of failing',
}

/** The results of one case under `compat: repair`, where they are not Kafka Streams'. */
export interface RepairedFile {
  readonly because: string
  readonly expect: readonly Expectation[]
  readonly stores?: { readonly [store: string]: Json[] }
}

export function parseRepaired(text: string): RepairedFile {
  const parsed = JSON.parse(text) as JsonObject
  onlyFields(parsed, ['because', 'expect', 'stores'], 'the repaired results')
  if (!Object.hasOwn(reasons, String(parsed.because)))
    throw new UnknownWord(`Unknown reason "${String(parsed.because)}".`)
  return parsed as unknown as RepairedFile
}

/** The case with the engine's own results in place of Kafka Streams'. */
export function repairedCase(file: CaseFile, { expect, stores }: RepairedFile): CaseFile {
  const { startError: _startError, stores: _stores, ...rest } = file
  return { ...rest, expect, ...(stores !== undefined && { stores }) }
}
