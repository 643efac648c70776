import { StreamError } from '../errors/StreamError.js'
import { type RecordedValue, readValue, writeValue } from './recordedValue.js'

/** What a `ctx.call` came to. */
export type RecordedCall =
  | { readonly name: string; readonly returned: RecordedValue }
  | { readonly name: string; readonly threw: { readonly name: string; readonly message: string } }

/** What user code was told by the world: written down in a recorded run, told again in a replay (D3). */
export interface Tape {
  /** @param fn is called when a run is recorded, not when it is replayed */
  call<T>(name: string, fn: () => Promise<T> | T): Promise<T>
  /** A reading of the clock or of chance. @param value what it would be without a tape */
  read(what: 'now' | 'random', value: number): number
}

/** What a tape holds, in the order in which it was asked for. */
export interface TapeContents {
  readonly calls: readonly (RecordedCall | null)[]
  readonly now: readonly number[]
  readonly random: readonly number[]
}

/** Writes down. */
export class RecordingTape implements Tape {
  /** Null: the call had not come back when the recording ended. */
  readonly calls: (RecordedCall | null)[] = []
  readonly now: number[] = []
  readonly random: number[] = []

  /** @param onLost told why a result cannot be kept: a replay cannot go on where it came back */
  constructor(private readonly onLost: (reason: string) => void) {}

  async call<T>(name: string, fn: () => Promise<T> | T): Promise<T> {
    const index = this.calls.push(null) - 1
    try {
      const value = await fn()
      this.calls[index] = this.#returned(name, value)
      return value
    } catch (error) {
      this.calls[index] = { name, threw: errorFacts(error) }
      throw error
    }
  }

  read(what: 'now' | 'random', value: number): number {
    this[what].push(value)
    return value
  }

  #returned(name: string, value: unknown): RecordedCall | null {
    const written = writeValue(value)
    if (written !== undefined) return { name, returned: written }
    this.onLost(`ctx.call "${name}" returned something that is no data, so it cannot be recorded`)
    return null
  }
}

/** Tells again. */
export class ReplayTape implements Tape {
  #calls = 0
  readonly #reads = { now: 0, random: 0 }

  constructor(private readonly contents: TapeContents) {}

  async call<T>(name: string, _fn: () => Promise<T> | T): Promise<T> {
    const call = this.contents.calls[this.#calls++]
    // It had not come back when the recording ended, so nothing went on behind it.
    if (call === null) return new Promise<never>(() => undefined)
    if (call === undefined || call.name !== name) throw diverged(`ctx.call "${name}"`)
    if ('returned' in call) return readValue(call.returned) as T
    throw Object.assign(new Error(call.threw.message), { name: call.threw.name })
  }

  read(what: 'now' | 'random', _value: number): number {
    const value = this.contents[what][this.#reads[what]++]
    if (value === undefined) throw diverged(`ctx.${what}`)
    return value
  }
}

function errorFacts(error: unknown) {
  return error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }
}

function diverged(what: string): StreamError {
  return new StreamError(
    `The replay asks for ${what}, which the recorded run did not do there. Replay with the code of the recording.`,
    { code: 'REPLAY_DIVERGED', kind: 'user', retriable: false },
  )
}
