import { LaneKeySerializationException, StreamError, type StreamErrorCode } from '../../errors/index.js'
import type { DropReason } from '../../events/EngineEvent.js'
import type { Header } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { Record, RecordCoordinates } from '../../model/Record.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import { type DeadLetterHost, DeadLetters, deadLetterHeaders, type Refusal } from './DeadLetters.js'

export interface GateHost extends DeadLetterHost {
  /** Whether a node only fills a global store or table. */
  isGlobal(node: string): boolean
  dropped(
    reason: DropReason,
    node: string,
    coordinates: RecordCoordinates | null,
    detail: string,
    lane: number | undefined,
  ): void
}

type Gate = 'deserialization' | 'processing' | 'production'

const HANDLERS = {
  deserialization: 'default.deserialization.exception.handler',
  processing: 'processing.exception.handler',
  production: 'production.exception.handler',
} as const

const CODES: { readonly [G in Gate]: StreamErrorCode } = {
  deserialization: 'DESERIALIZATION_FAILED',
  processing: 'PROCESSING_FAILED',
  production: 'PRODUCTION_FAILED',
}

/** The three places where one bad record may be let go or stop the run (G1), and its dead letter. */
export class ErrorGates {
  /** Errors that have been through a gate: a processor above the one that failed must not ask again. */
  readonly #gated = new WeakSet<object>()
  /** Those that have passed the processor that they are from. */
  readonly #cast = new WeakSet<object>()
  readonly #letters: DeadLetters

  constructor(private readonly host: GateHost) {
    this.#letters = new DeadLetters(host)
  }

  /**
   * Asks the handler of a gate.
   *
   * @param where what failed where there is no source record, as in "Node x failed …"
   * @param at the time of a dead letter without a source record, in ms
   * @param input the record that failed, whose time and headers a dead letter has
   * @returns the error to throw on, or undefined to go on without this record
   */
  ask(
    gate: Gate,
    error: unknown,
    node: string,
    source: RecordCoordinates | null,
    key: unknown,
    lane?: number,
    where = 'in a timer',
    at = 0,
    input?: Pick<Record<unknown, unknown>, 'timestamp' | 'headers'>,
  ): unknown {
    if (error instanceof StreamError && (error.fatal || isOfState(error))) return error
    if (typeof error === 'object' && error !== null && this.#gated.has(error)) return error
    if (gate === 'production' && this.host.config.compat === 'kafka-streams' && isWrongType(error)) return error
    const wrapped = this.#wrap(gate, error, node, source, key, lane, where)
    if (this.#isUnasked(gate, node)) {
      this.#gated.add(wrapped)
      return wrapped
    }
    if (this.#hasLetter(gate, node))
      this.deadLetter(source, deadLetterHeaders(gate === 'processing' ? asThrown(error) : rootOf(error), source), {
        node,
        lane,
        reason: gate,
        at,
        input,
      })
    if (this.host.config[HANDLERS[gate]] === 'continue') {
      this.host.dropped(gate, node, source, wrapped.message, lane)
      return undefined
    }
    // Kafka Streams throws it through the processors in front of the sink: the nearest of them asks its own handler (C.8).
    if (gate !== 'production' || this.host.config.compat !== 'kafka-streams') this.#gated.add(wrapped)
    return wrapped
  }

  /**
   * Asks the handler about a callback that has failed on an item (gate 2, G1).
   *
   * @returns the error to throw on, or undefined to go on without this item
   */
  processingFailed(error: unknown, node: NodeRuntime, item: WorkItem, input?: Record<unknown, unknown>): unknown {
    const { coordinates, record, timer, lane, punctuation } = item
    if (this.#isCast(error, node)) {
      this.#cast.add(error)
      return error
    }
    const where = punctuation === undefined ? undefined : 'in a punctuator'
    const key = record?.key ?? timer?.key
    return this.ask('processing', error, node.name, coordinates, key, lane, where, punctuation?.at, input)
  }

  /**
   * A key that the buffer of `suppress` cannot write is a ClassCastException in Kafka Streams. The handler of a processor
   * never hears of its own, only that of the processor in front.
   */
  #isCast(error: unknown, { compiled }: NodeRuntime): error is object {
    if (this.host.config.compat !== 'kafka-streams' || compiled.facts?.operator !== 'suppress') return false
    return isWrongType(error) && !this.#cast.has(error as object)
  }

  /** Sends the raw source record to the dead-letter topic, if there is one, in this epoch. */
  deadLetter(source: RecordCoordinates | null, headers: readonly Header[], refusal: Refusal): void {
    this.#letters.send(source, headers, refusal)
  }

  /**
   * Kafka Streams has no producer beside the reader of global tables, and of its own no handler that goes on without an
   * output: a user's writes no letter (C.8).
   */
  #hasLetter(gate: Gate, node: string): boolean {
    const { config } = this.host
    if (config.compat !== 'kafka-streams') return true
    return !this.host.isGlobal(node) && !(gate === 'production' && config[HANDLERS.production] === 'continue')
  }

  /** Of what fills global stores the processing handler hears only when it is told to (C.8). */
  #isUnasked(gate: Gate, node: string): boolean {
    const { config } = this.host
    return gate === 'processing' && this.host.isGlobal(node) && !config['processing.exception.handler.global.enabled']
  }

  /** Said where it is news: not of a record that the handler has just let go. */
  #wayOut(gate: Gate, node: string): string {
    if (this.#isUnasked(gate, node))
      return ' To ask the handler about global stores, set processing.exception.handler.global.enabled to true.'
    if (this.host.config[HANDLERS[gate]] === 'continue') return ''
    return ` To go on without such records, set ${HANDLERS[gate]} to continue.`
  }

  /** Whether the handler asks for another attempt: the run starts again in place, at most so often as E4 allows. */
  #isRetried(gate: Gate): boolean {
    return gate === 'production' && this.host.config[HANDLERS.production] === 'retry'
  }

  #wrap(
    gate: Gate,
    error: unknown,
    node: string,
    source: RecordCoordinates | null,
    key: unknown,
    lane: number | undefined,
    where: string,
  ): StreamError {
    const cause = error instanceof Error ? error : new Error(String(error))
    const at = source === null ? where : `at ${source.topic}-${source.partition} @ ${source.offset}`
    const shown = key === undefined ? undefined : keyText(key)
    const code = error instanceof StreamError && error.code !== 'ILLEGAL_STATE' ? error.code : CODES[gate]
    const message = `Node "${node}" failed ${at}${shown === undefined ? '' : `, key ${shown}`}: ${asSentence(cause)}${this.#wayOut(gate, node)}`
    const context = {
      node,
      ...(lane === undefined ? {} : { lane }),
      ...(shown === undefined ? {} : { key: shown }),
      ...(source === null
        ? {}
        : { topic: source.topic, partition: source.partition, offset: source.offset, timestamp: source.timestamp }),
    }
    return error instanceof LaneKeySerializationException
      ? new LaneKeySerializationException(message, context, error)
      : new StreamError(message, { code, kind: 'user', retriable: this.#isRetried(gate), context, cause: error })
  }
}

/** A value that is not of its serde's type: no handler of Kafka's for outputs ever hears of it (C.8). */
function isWrongType(error: unknown): boolean {
  const root = rootOf(error)
  return root instanceof StreamError && root.code === 'SERIALIZATION_FAILED'
}

/** What Kafka Streams throws on from a sink whose serde has failed, when it is a processor's handler that hears of it. */
function asThrown(error: unknown): unknown {
  if (!(error instanceof StreamError) || error.code !== 'PRODUCTION_FAILED') return error
  const { topic, timestamp } = (error.cause instanceof StreamError ? error.cause : error).context
  if (timestamp === undefined) return error
  const message = `Unable to serialize record. ProducerRecord(topic=[${topic}], partition=[null], timestamp=[${timestamp}]`
  return Object.assign(new Error(message), { name: error.name, stack: error.stack })
}

/** What the user's serde threw: it is not for a dead letter's headers to tell how the engine has put it (C.8). */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootOf(error.cause) : error
}

/** What an error says, so that another sentence can follow: code rarely ends its messages with a full stop. */
function asSentence({ name, message }: Error): string {
  const said = message.trim() === '' ? name : message.trim()
  return /[.!?…]$/.test(said) ? said : `${said}.`
}

/** What the local state has failed at says nothing of the record (E11): it is no handler's to go on without. */
function isOfState({ code }: StreamError): boolean {
  return code === 'STATE_CORRUPT' || code === 'STATE_UNAVAILABLE'
}
