import type { Cancellable, Clock } from '@lanescope/core'
import type { AnalysisInput, AnalysisPhase, AnalysisResult, Overrun } from '@lanescope/shared'
import type { AnalysisCall, AnalysisNote } from './analysisMessages.js'
import { failedResult, overrunMessage, stillHolds } from './overruns.js'

/** How long one step of an analysis may take before its worker is ended, in ms. */
export const STEP_LIMIT_MS = 2_000
/** The same for the user's serdes on the sample keys. The worker itself complains above 100 ms. */
export const SAMPLES_LIMIT_MS = 500
/** Each evaluated text stays in the worker's memory; after so many analyses a fresh worker takes over. */
export const ANALYSES_PER_WORKER = 500

/** The part of a `Worker` that the client uses. */
export interface AnalysisPort {
  postMessage(call: AnalysisCall): void
  onmessage: ((event: MessageEvent<AnalysisNote>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  terminate(): void
}

export interface AnalysisClientOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly createWorker: () => AnalysisPort
  /** Told the result of the newest input; results that a newer input has overtaken are dropped. */
  readonly onResult: (result: AnalysisResult) => void
}

export interface AnalysisClient {
  /** Asks for an analysis. The newest input wins: one that waits is replaced. */
  analyse(input: AnalysisInput): void
  dispose(): void
}

/** The page's end of the analysis worker: it ends and restarts a worker whose user code does not come back. */
export function createAnalysisClient(options: AnalysisClientOptions): AnalysisClient {
  return new Client(options)
}

class Client implements AnalysisClient {
  readonly #options: AnalysisClientOptions
  #worker: AnalysisPort
  #isReady = false
  #isDead = false
  #served = 0
  #seq = 0
  #running: { readonly input: AnalysisInput; phase: AnalysisPhase | undefined } | undefined
  #waiting: AnalysisInput | undefined
  #limit: Cancellable | undefined
  #overruns: readonly (Overrun & { readonly input: AnalysisInput })[] = []

  constructor(options: AnalysisClientOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  analyse(input: AnalysisInput): void {
    this.#waiting = input
    this.#next()
  }

  dispose(): void {
    this.#isDead = true
    this.#limit?.cancel()
    this.#worker.terminate()
  }

  #start(): AnalysisPort {
    const worker = this.#options.createWorker()
    this.#isReady = false
    this.#served = 0
    worker.onmessage = ({ data }) => this.#onNote(data)
    worker.onerror = (event) => this.#fail(`The analysis cannot run: ${event.message || 'its worker did not start'}.`)
    return worker
  }

  #next(): void {
    if (this.#isDead || this.#running !== undefined || this.#waiting === undefined) return
    const input = this.#waiting
    this.#waiting = undefined
    this.#overruns = this.#overruns.filter((overrun) => stillHolds(overrun, overrun.input, input))
    this.#running = { input, phase: undefined }
    this.#seq += 1
    this.#worker.postMessage({ seq: this.#seq, input: { ...input, overruns: this.#overruns.map(toOverrun) } })
    if (this.#isReady) this.#limitStep(STEP_LIMIT_MS)
  }

  #onNote(note: AnalysisNote): void {
    if (note.type === 'ready') {
      this.#isReady = true
      if (this.#running !== undefined) this.#limitStep(STEP_LIMIT_MS)
      return
    }
    if (this.#running === undefined || note.seq !== this.#seq) return
    if (note.type === 'phase') {
      this.#running.phase = note.phase
      this.#limitStep(note.phase.step === 'samples' ? SAMPLES_LIMIT_MS : STEP_LIMIT_MS)
    } else if (note.type === 'result') this.#finish(note.result)
    else this.#fail(`The analysis failed: ${note.message}`)
  }

  #limitStep(ms: number): void {
    this.#limit?.cancel()
    this.#limit = this.#options.clock.after(ms, () => this.#onOverrun(ms))
  }

  #onOverrun(ms: number): void {
    const running = this.#running
    if (running === undefined) return
    this.#worker.terminate()
    this.#worker = this.#start()
    const { phase, input } = running
    const message = overrunMessage(phase, ms)
    if (phase === undefined || phase.step === 'build') {
      // Nothing that could be left out is known, so another try would only take as long.
      this.#finish(failedResult(message))
      return
    }
    this.#running = undefined
    this.#overruns = [...this.#overruns, { phase, message, input }]
    this.#waiting ??= input
    this.#next()
  }

  #fail(message: string): void {
    if (this.#running === undefined) return
    this.#finish(failedResult(message))
  }

  #finish(result: AnalysisResult): void {
    this.#limit?.cancel()
    this.#running = undefined
    this.#served += 1
    if (this.#waiting === undefined) {
      this.#options.onResult(result)
      if (this.#served >= ANALYSES_PER_WORKER) this.#retire()
    }
    this.#next()
  }

  #retire(): void {
    this.#worker.terminate()
    this.#worker = this.#start()
  }
}

function toOverrun({ phase, message }: Overrun): Overrun {
  return { phase, message }
}
