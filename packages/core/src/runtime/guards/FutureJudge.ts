import { FutureTimestampException } from '../../errors/index.js'
import type { Header } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import { deadLetterHeaders, text } from '../gates/DeadLetters.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { SourceRecord } from '../reading/SourceRecord.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { EndangeredNode, FutureGuard, FutureJudgement } from './FutureGuard.js'
import { describeBlast, futureMessage } from './futureWords.js'

export interface FutureGuarding {
  readonly guard: FutureGuard
  readonly boundMs: number
  readonly outOfOrdernessMs: number
  readonly below: readonly EndangeredNode[]
  /** F2; `latest` is never above `now()`. */
  readonly reference: { now(): number; readonly latest: number }
}

/** Has the guard of future timestamps judge the records of one source, and does what its verdict asks (F3, F4). */
export class FutureJudge {
  #checkLogged = false

  constructor(
    private readonly node: NodeRuntime,
    private readonly runner: TopologyRunner,
    private readonly guarding: FutureGuarding,
  ) {}

  /** Whether a time is further ahead of the reference clock than the source's bound (F2). */
  isAhead(timestamp: number): boolean {
    const { reference, boundMs } = this.guarding
    // Nearly every record is within the bound of a moment ago, and so of now.
    return timestamp - reference.latest > boundMs && timestamp - reference.now() > boundMs
  }

  /**
   * @returns false when the record must not enter: it has been counted, evented, logged, and has its dead letter
   * @throws FutureTimestampException where the verdict is `error`
   */
  admits(source: SourceRecord, key: unknown): boolean {
    const { guard, boundMs, outOfOrdernessMs, below } = this.guarding
    if (!this.isAhead(source.timestamp)) return true
    const reference = this.guarding.reference.now()
    const judged = guard.judge(source.timestamp, boundMs, reference, outOfOrdernessMs, below)
    switch (judged.verdict) {
      case 'pass':
        return true
      case 'checked':
        this.#tell('passed', source, key, judged, reference)
        if (!this.#checkLogged)
          this.runner.log.write(
            'warn',
            this.#message(source, judged, 'It endangers nothing now, so it passes.'),
            this.node.name,
            { coordinates: source },
          )
        this.#checkLogged = true
        return true
      case 'warned':
        this.#tell('warned', source, key, judged, reference)
        this.runner.log.write('warn', this.#message(source, judged, describeBlast(judged.blast)), this.node.name, {
          coordinates: source,
        })
        return true
      case 'rejected':
        this.#reject(source, key, judged, reference)
        return false
      case 'fatal':
        this.#tell('rejected', source, key, judged, reference)
        throw new FutureTimestampException(this.#message(source, judged, describeBlast(judged.blast)), {
          node: this.node.name,
          topic: source.topic,
          partition: source.partition,
          offset: source.offset,
          timestamp: source.timestamp,
          key: keyText(key),
        })
    }
  }

  #reject(source: SourceRecord, key: unknown, judged: FutureJudgement, reference: number): void {
    const message = this.#message(source, judged, describeBlast(judged.blast))
    this.#tell('rejected', source, key, judged, reference)
    this.runner.log.write('error', `Rejected: ${message}`, this.node.name, { coordinates: source })
    const headers = [...deadLetterHeaders(new FutureTimestampException(message, {}), source), ...blastHeaders(judged)]
    this.runner.gates.deadLetter(source, headers, { node: this.node.name, reason: 'future_timestamp' })
    this.runner.losses.dropped('future_timestamp', this.node.name, source, message)
  }

  #message(source: SourceRecord, judged: FutureJudgement, consequence: string): string {
    return futureMessage(this.node.name, source, judged, consequence)
  }

  #tell(
    verdict: 'warned' | 'rejected' | 'passed',
    source: SourceRecord,
    key: unknown,
    judged: FutureJudgement,
    reference: number,
  ): void {
    this.runner.count(`future_timestamp_total{verdict="${verdict}"}`)
    if (!this.runner.events.listening('future-timestamp')) return
    this.runner.events.emit<'future-timestamp'>({
      type: 'future-timestamp',
      verdict,
      source: this.node.name,
      coordinates: source,
      aheadMs: judged.aheadMs,
      boundMs: judged.boundMs,
      referenceClock: reference,
      key: key === null ? null : keyText(key),
      blast: judged.blast,
    })
  }
}

/** The dead letter's own headers (F3): what it would have destroyed. */
function blastHeaders(judged: FutureJudgement): Header[] {
  const { blast } = judged
  return [
    text('__lanescope.future.ahead-ms', String(judged.aheadMs)),
    text('__lanescope.future.bound-ms', String(judged.boundMs)),
    text(
      '__lanescope.future.segments',
      blast.segments.map((s) => `${s.store}[${s.from},${s.to})=${s.entries}`).join(' '),
    ),
    text('__lanescope.future.windows', blast.windows.map((w) => `${w.node}=${w.count}`).join(' ')),
    text('__lanescope.future.timers', blast.timers.map((t) => `${t.node}=${t.count}`).join(' ')),
    text('__lanescope.future.refuses', blast.refuses.map((r) => `${r.where}(${r.from},${r.to})`).join(' ')),
  ]
}
