/** Every code that a StreamError may carry. Permanent: a code is never renamed or reused. */
export type StreamErrorCode =
  | 'TOPOLOGY_INVALID'
  | 'CONFIG_INVALID'
  | 'SERDE_MISSING'
  | 'DESERIALIZATION_FAILED'
  | 'SERIALIZATION_FAILED'
  | 'LANE_KEY_SERIALIZATION'
  | 'TIMER_LANE_AFFINITY'
  | 'TIMER_INVALID'
  | 'PUNCTUATION_INVALID'
  | 'TIMER_SERDE_CHANGED'
  | 'FUTURE_TIMESTAMP'
  | 'TIMESTAMP_INVALID'
  | 'PROCESSING_FAILED'
  | 'PRODUCTION_FAILED'
  | 'CALLBACK_SETTLED'
  | 'SYNC_CALLBACK_RETURNED_PROMISE'
  | 'STALE_INCARNATION'
  | 'SAME_KEY_CHANGED'
  | 'STORE_NOT_CONNECTED'
  | 'STORE_INVALID'
  | 'STATE_MISMATCH'
  | 'STATE_LOCKED'
  | 'STATE_CORRUPT'
  | 'STATE_UNAVAILABLE'
  | 'TOPIC_MISSING'
  | 'TOPIC_INVALID'
  | 'LOG_LOCKED'
  | 'LOG_CORRUPT'
  | 'LOG_UNAVAILABLE'
  | 'GUARANTEE_UNSUPPORTED'
  | 'REGISTRY_UNAVAILABLE'
  | 'REGISTRY_REFUSED'
  | 'CLOCK_WRONG'
  | 'NOT_REPLAYABLE'
  | 'RECORDING_INVALID'
  | 'REPLAY_DIVERGED'
  | 'ILLEGAL_STATE'

/** Who has to act: the user's code or data, whoever operates the system, or us. */
export type StreamErrorKind = 'user' | 'operational' | 'bug'

/** Where it happened. Each part is there when it is known. */
export interface StreamErrorContext {
  readonly node?: string
  readonly lane?: number
  readonly subTopology?: number
  readonly store?: string
  readonly topic?: string
  readonly partition?: number
  readonly offset?: number
  readonly timestamp?: number
  /** The key as text, for people. */
  readonly key?: string
}

export interface StreamErrorOptions {
  readonly code: StreamErrorCode
  readonly kind: StreamErrorKind
  /** Whether doing the same thing again may succeed. Always stated. */
  readonly retriable: boolean
  readonly context?: StreamErrorContext
  readonly cause?: unknown
}

/**
 * The one error of the engine. The message says what was wrong, quotes the value and names the fix;
 * `code` and `context` are for programs.
 */
export class StreamError extends Error {
  override readonly name: string = 'StreamError'
  readonly code: StreamErrorCode
  readonly kind: StreamErrorKind
  readonly retriable: boolean
  readonly context: StreamErrorContext

  constructor(message: string, options: StreamErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.kind = options.kind
    this.retriable = options.retriable
    this.context = options.context ?? {}
  }

  /** Whether it bypasses the processing handler and ends the run (A2, F3, E4). */
  get fatal(): boolean {
    return false
  }
}
