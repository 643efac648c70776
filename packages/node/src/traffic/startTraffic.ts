import { type Cancellable, type Clock, Headers, type OutputRecord } from '@lanescope/core'
import { fillTemplate } from './fillTemplate.js'
import type { TrafficGenerator } from './TrafficGenerator.js'
import type { TrafficTarget } from './TrafficTarget.js'
import { keyFromText, toSerdeInput } from './toSerdeInput.js'
import { eventTimeAt, keyTextAt, newestToGoOnFrom, type PlannedRecord, plannedRecord } from './trafficPlan.js'

const TICK_MS = 50
/** So that a start after a pause, or a slow log, makes no batch without bound. */
const MOST_A_TICK = 1000

/** Traffic under way. */
export interface Traffic {
  /** Ends it; resolves once nothing more is on its way. */
  stop(): Promise<void>
  /** Records handed to the log so far. */
  sent(): number
  /** Resolves behind the last record of all generators, or after `stop`, or with the error that ended it. Never rejects. */
  readonly finished: Promise<Error | undefined>
}

/**
 * Makes the generators' topics and begins to send, paced by the clock. Event time that a generator makes up goes on from
 * the newest in its topic: a second start repeats the pace and the keys, and not the past.
 *
 * @throws StreamError TOPIC_INVALID when a topic exists with another partition count
 */
export async function startTraffic(
  generators: readonly TrafficGenerator[],
  target: TrafficTarget,
  clock: Clock,
): Promise<Traffic> {
  for (const { topic, partitions } of generators) await target.createTopic(topic, partitions)
  const newest = await Promise.all(generators.map((generator) => newestOfPlan(generator, target, clock)))
  const streams = generators.map((generator, i) => new TrafficStream(generator, target, clock, newest[i]))
  const stop = () => {
    for (const stream of streams) stream.stop()
  }
  const finished = Promise.all(
    streams.map(async (stream) => {
      const error = await stream.run()
      // One that fails ends the others too: half of a scenario's traffic misleads.
      if (error !== undefined) stop()
      return error
    }),
  ).then((errors) => errors.find((error) => error !== undefined))
  return {
    finished,
    sent: () => streams.reduce((sum, stream) => sum + stream.sent, 0),
    stop: async () => {
      stop()
      await finished
    },
  }
}

/** What a generator with an event time of its own goes on from. All are asked before any sends: two may share a topic. */
async function newestOfPlan(
  { topic, time }: TrafficGenerator,
  target: TrafficTarget,
  clock: Clock,
): Promise<number | undefined> {
  return time === undefined ? undefined : target.newestTime(topic, newestToGoOnFrom(clock.now(), time))
}

class TrafficStream {
  sent = 0
  #stopped = false
  #sleep: { readonly timer: Cancellable; readonly end: () => void } | undefined

  constructor(
    private readonly generator: TrafficGenerator,
    private readonly target: TrafficTarget,
    private readonly clock: Clock,
    private readonly newest: number | undefined,
  ) {}

  async run(): Promise<Error | undefined> {
    const startedAt = this.clock.now()
    const started = this.clock.monotonic()
    try {
      while (this.#goesOn()) {
        const batch = this.#due(this.clock.monotonic() - started, startedAt)
        if (batch.length > 0) await this.target.append(batch)
        this.sent += batch.length
        if (!this.#goesOn()) break
        if (batch.length < MOST_A_TICK) await this.#pause()
        else await this.clock.yield()
      }
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  stop(): void {
    this.#stopped = true
    this.#sleep?.timer.cancel()
    this.#sleep?.end()
  }

  #goesOn(): boolean {
    return !this.#stopped && plannedRecord(this.generator.phases, this.sent) !== undefined
  }

  #due(elapsedMs: number, startedAt: number): OutputRecord[] {
    const batch: OutputRecord[] = []
    while (batch.length < MOST_A_TICK) {
      const n = this.sent + batch.length
      const planned = plannedRecord(this.generator.phases, n)
      if (planned === undefined || planned.dueMs > elapsedMs) break
      batch.push(this.#record(n, planned, startedAt))
    }
    return batch
  }

  #record(n: number, { phase, indexInPhase, dueMs }: PlannedRecord, startedAt: number): OutputRecord {
    const { topic, key, value, template, time } = this.generator
    const keyText = keyTextAt(phase, indexInPhase).replaceAll('{n}', String(n))
    const content = toSerdeInput(value.id, fillTemplate(template, n))
    return {
      topic,
      partition: -1,
      key: key.serialize(topic, Headers.empty, keyFromText(key.id, keyText)),
      value: content === null ? null : value.serialize(topic, Headers.empty, content),
      timestamp: eventTimeAt(startedAt, dueMs, time, this.newest),
      headers: [],
    }
  }

  #pause(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    return new Promise((resolve) => {
      this.#sleep = { timer: this.clock.after(TICK_MS, resolve), end: resolve }
    })
  }
}
