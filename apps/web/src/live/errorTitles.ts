/** What an error is, by its code, in a few words. A code that is not listed is of no user's making. */
const TITLES: { readonly [code: string]: string } = {
  TOPOLOGY_INVALID: 'The topology cannot run',
  CONFIG_INVALID: 'A setting is not right',
  SERDE_MISSING: 'A serde is missing',
  DESERIALIZATION_FAILED: 'A record could not be read',
  SERIALIZATION_FAILED: 'A record could not be written',
  LANE_KEY_SERIALIZATION: 'A key could not be written for its lane',
  TIMER_LANE_AFFINITY: 'A timer would leave its lane',
  TIMER_INVALID: 'A timer was registered wrongly',
  TIMER_SERDE_CHANGED: 'Stored timers were written by another serde',
  FUTURE_TIMESTAMP: 'A record came from the future',
  TIMESTAMP_INVALID: 'A record has no usable time',
  PROCESSING_FAILED: 'Your code threw an error',
  PRODUCTION_FAILED: 'A record could not be produced',
  CALLBACK_SETTLED: 'A callback was used after it had ended',
  SYNC_CALLBACK_RETURNED_PROMISE: 'A synchronous callback returned a promise',
  STALE_INCARNATION: 'An older run was still writing',
  SAME_KEY_CHANGED: 'A node changed a key that it said it keeps',
  STORE_NOT_CONNECTED: 'A store is not connected to its node',
  STORE_INVALID: 'A store was used wrongly',
  TOPIC_MISSING: 'A topic is missing',
  TOPIC_INVALID: 'A topic is not as it must be',
  STATE_LOCKED: 'Another process has the state',
  STATE_CORRUPT: 'The local state is damaged',
  STATE_UNAVAILABLE: 'The local state cannot be read or written',
  LOG_LOCKED: 'Another process has the log',
  LOG_CORRUPT: 'The log is damaged',
  LOG_UNAVAILABLE: 'Kafka does not answer',
  GUARANTEE_UNSUPPORTED: 'The guarantee is not to be had there',
  REGISTRY_UNAVAILABLE: 'The Schema Registry does not answer',
  REGISTRY_REFUSED: 'The Schema Registry refuses',
  CLOCK_WRONG: 'This machine’s clock is wrong',
  ILLEGAL_STATE: 'Something was done at the wrong moment',
  PROJECT_CODE: 'The code does not load',
  DOCUMENT_INVALID: 'The project’s file cannot be read',
  NAME_TAKEN: 'Another project has that name',
  RUN_ACTIVE: 'The project is running already',
  RUN_CRASHED: 'The run’s process ended',
  RUN_UNRESPONSIVE: 'The run did not answer any more',
  RUN_OUT_OF_MEMORY: 'The run used up its memory',
  NO_RUN: 'There is no such run',
  NOT_SAVED: 'The project is not saved',
  CONNECTION_LOST: 'The connection was lost',
  FILE_SYSTEM: 'A file could not be read or written',
}

export function errorTitle(code: string): string {
  return TITLES[code] ?? 'Lanescope made a mistake'
}

/** The setting that lets a run go on without the records that an error is about; null when none does. */
export function handlerOf(code: string): string | null {
  switch (code) {
    case 'DESERIALIZATION_FAILED':
      return 'default.deserialization.exception.handler'
    case 'PROCESSING_FAILED':
      return 'processing.exception.handler'
    case 'PRODUCTION_FAILED':
    case 'SERIALIZATION_FAILED':
      return 'production.exception.handler'
    default:
      return null
  }
}
