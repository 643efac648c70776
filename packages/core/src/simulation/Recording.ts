import { StreamError } from '../errors/StreamError.js'
import type { Pick } from './SimulationScheduler.js'
import type { SimulationHeader } from './simulate.js'
import type { TapeContents } from './Tape.js'
import type { SimulatedTopic } from './World.js'

export const RECORDING_FORMAT = 1

/** An input as JSON has it; key and value in hexadecimal. */
export interface RecordedInput {
  readonly topic: string
  readonly partition: number
  readonly key: string | null
  readonly value: string | null
  /** Ms. */
  readonly timestamp: number
  /** Virtual ms. */
  readonly arrivesAtMs: number
}

/** All that a run depended on, besides its code: plain data, to be kept as JSON (D3). */
export interface Recording {
  readonly format: typeof RECORDING_FORMAT
  readonly header: SimulationHeader
  /** The configuration; a serde by its id. */
  readonly config: { readonly [key: string]: unknown }
  /** The topology, described: another one cannot be replayed by it. */
  readonly topology: string
  readonly topics: readonly SimulatedTopic[]
  readonly inputs: readonly RecordedInput[]
  readonly limits: {
    readonly restarts: number
    readonly steps: number
    readonly quietMs: number
    readonly stallMs: number
  }
  /** Whether state outlived crashes. */
  readonly keepsState: boolean
  /** What went on at each step, and when: ticks of the clock, and the order in which callbacks settled. */
  readonly picks: readonly Pick[]
  /** What user code was told. */
  readonly tape: TapeContents
  /** From where it cannot be replayed; null: to its end. */
  readonly notReplayable: { readonly fromStep: number; readonly reason: string } | null
}

/** A recording from its JSON text. @throws StreamError RECORDING_INVALID when it is none, or one of a newer version */
export function parseRecording(text: string): Recording {
  let parsed: Partial<Recording> | null
  try {
    parsed = JSON.parse(text) as Partial<Recording> | null
  } catch (cause) {
    throw invalid('This is no recording: it is no JSON.', cause)
  }
  if (typeof parsed !== 'object' || parsed === null || !Array.isArray(parsed.picks)) {
    throw invalid('This is no recording: it has no steps.')
  }
  if (parsed.format !== RECORDING_FORMAT) {
    throw invalid(
      `This recording has format ${String(parsed.format)}, and this version reads ${RECORDING_FORMAT}. Use the version that made it, or record the run again.`,
    )
  }
  return parsed as Recording
}

function invalid(message: string, cause?: unknown): StreamError {
  return new StreamError(message, { code: 'RECORDING_INVALID', kind: 'user', retriable: false, cause })
}
