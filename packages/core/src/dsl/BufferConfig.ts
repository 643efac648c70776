import { topologyError } from '../topology/topologyError.js'

type WhenFull = 'emit-early' | 'shut-down'

interface BufferOptions {
  readonly maxRecords: number
  readonly maxBytes: number
  readonly whenFull: WhenFull
  readonly logging: boolean
  readonly topicConfig?: { readonly [key: string]: string }
}

const unbounded = Number.POSITIVE_INFINITY

/**
 * How much a `suppress` may hold back, and what it does when that is full: let the oldest row go early (`Strict` false),
 * or fail. A strict one never lets a row go early: it is unbounded, or fails. Immutable.
 */
export class BufferConfig<Strict extends boolean = boolean> {
  /** Makes strict and eager ones different types; declarations forget the type of what is private. */
  declare protected readonly strict: Strict

  private constructor(readonly options: BufferOptions) {}

  /** Whether nothing ever comes out early. */
  get isStrict(): boolean {
    const { maxRecords, maxBytes, whenFull } = this.options
    return whenFull === 'shut-down' || (maxRecords === unbounded && maxBytes === unbounded)
  }

  /** As much as there is: only the memory limit of the epoch's state bounds it. */
  static unbounded(): BufferConfig<true> {
    return new BufferConfig({ maxRecords: unbounded, maxBytes: unbounded, whenFull: 'shut-down', logging: true })
  }

  /** At most so many rows; one more, and the oldest is let go early, unless it says otherwise. */
  static maxRecords(maxRecords: number): BufferConfig<false> {
    checkLimit('records', maxRecords)
    return new BufferConfig({ maxRecords, maxBytes: unbounded, whenFull: 'emit-early', logging: true })
  }

  /** At most so many bytes of keys, values, times and headers; more, and the oldest is let go early, unless it says otherwise. */
  static maxBytes(maxBytes: number): BufferConfig<false> {
    checkLimit('bytes', maxBytes)
    return new BufferConfig({ maxRecords: unbounded, maxBytes, whenFull: 'emit-early', logging: true })
  }

  withMaxRecords(maxRecords: number): BufferConfig<Strict> {
    checkLimit('records', maxRecords)
    return new BufferConfig({ ...this.options, maxRecords })
  }

  withMaxBytes(maxBytes: number): BufferConfig<Strict> {
    checkLimit('bytes', maxBytes)
    return new BufferConfig({ ...this.options, maxBytes })
  }

  withNoBound(): BufferConfig<true> {
    return new BufferConfig({ ...this.options, maxRecords: unbounded, maxBytes: unbounded, whenFull: 'shut-down' })
  }

  /** Full: the processor fails, and the epoch with it, rather than let a row go early. */
  shutDownWhenFull(): BufferConfig<true> {
    return new BufferConfig({ ...this.options, whenFull: 'shut-down' })
  }

  /** Full: the oldest rows are let go early. */
  emitEarlyWhenFull(): BufferConfig<false> {
    return new BufferConfig({ ...this.options, whenFull: 'emit-early' })
  }

  /** The buffer has a changelog (default), with Kafka's settings of its topic. */
  withLoggingEnabled(topicConfig: { readonly [key: string]: string } = {}): BufferConfig<Strict> {
    return new BufferConfig({ ...this.options, logging: true, topicConfig })
  }

  /** No changelog: what is held back is lost with the local state. */
  withLoggingDisabled(): BufferConfig<Strict> {
    return new BufferConfig({ ...this.options, logging: false })
  }
}

function checkLimit(what: string, limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 0) return
  throw topologyError(`The buffer of a suppress cannot be limited to ${limit} ${what}. Give an integer of at least 0.`)
}
