import { StreamError, type StreamErrorCode } from '@lanescope/core'
import type { ExpectedError } from '../CaseFile.js'
import type { Difference } from './compareCase.js'

/** What kind of thing went wrong. Texts may differ, kinds may not. */
type ErrorKind = 'user function' | 'serde' | 'topology' | 'state' | 'time' | 'any'

/** The kind of each class that Kafka Streams throws. JVM errors of types and nulls say only that something failed. */
const kinds: { readonly [javaClass: string]: readonly ErrorKind[] } = {
  IllegalStateException: ['user function'],
  SerializationException: ['serde'],
  ConfigException: ['serde'],
  TopologyException: ['topology'],
  UnsupportedOperationException: ['state'],
  ProcessorStateException: ['state'],
  InvalidStateStoreException: ['state'],
}

/** The kind of each code of ours. */
const codes: { readonly [code in StreamErrorCode]?: ErrorKind } = {
  TOPOLOGY_INVALID: 'topology',
  CONFIG_INVALID: 'topology',
  TOPIC_MISSING: 'topology',
  SERDE_MISSING: 'serde',
  DESERIALIZATION_FAILED: 'serde',
  SERIALIZATION_FAILED: 'serde',
  LANE_KEY_SERIALIZATION: 'serde',
  PRODUCTION_FAILED: 'serde',
  PROCESSING_FAILED: 'user function',
  STORE_INVALID: 'state',
  STORE_NOT_CONNECTED: 'state',
  TIMESTAMP_INVALID: 'time',
  PUNCTUATION_INVALID: 'time',
}

/** Whether there is an error where one is expected, and of a kind that fits. */
export function compareError(where: string, expected: ExpectedError | undefined, actual: unknown): Difference[] {
  if (expected === undefined && actual === undefined) return []
  if (expected === undefined || actual === undefined) return [{ where, expected, actual: describe(actual) }]
  // What a function of the case has thrown, be it called by itself or inside the engine.
  if (innermost(actual).name === expected.class) return []
  // Whatever the engine throws is one of its own errors; anything else is a fault of the engine or of this runner.
  if (!(actual instanceof StreamError)) return [{ where, expected, actual: describe(actual) }]
  const allowed = kinds[expected.class]
  if (allowed === undefined || kindsOf(actual).some((kind) => allowed.includes(kind))) return []
  return [{ where, expected, actual: describe(actual) }]
}

function innermost(error: unknown): { readonly name?: unknown } {
  if (!(error instanceof Error)) return {}
  return error.cause === undefined ? error : innermost(error.cause)
}

/** The kinds of an error and of what caused it: a serde that fails in a processor is both. */
function kindsOf(error: StreamError): ErrorKind[] {
  const kind = codes[error.code] ?? 'any'
  return error.cause instanceof StreamError ? [kind, ...kindsOf(error.cause)] : [kind]
}

function describe(error: unknown): string {
  if (error === undefined) return 'no error'
  if (error instanceof StreamError) return `${error.code}: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
