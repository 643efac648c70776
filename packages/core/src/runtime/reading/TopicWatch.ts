import { StreamError } from '../../errors/StreamError.js'
import type { Cancellable } from '../../time/Clock.js'
import type { EngineOptions } from '../EngineApi.js'
import type { EngineLog } from '../EngineLog.js'
import { asStreamError } from '../engineErrors.js'
import type { TopicInfo } from '../RecordLog.js'
import { findTopics } from './findTopics.js'

/** What is read by now. */
interface KnownTopics {
  readonly sources: readonly string[]
  readonly topics: ReadonlyMap<string, TopicInfo>
}

/**
 * Looks every `metadata.max.age.ms` whether there are topics that a pattern finds by now, or more partitions (P3, E13).
 * Topics of the embedded log keep their partitions, so that only patterns are looked for there.
 */
export class TopicWatch {
  #timer: Cancellable | undefined
  #ended = false

  private constructor(
    private readonly options: EngineOptions,
    private readonly known: KnownTopics,
    private readonly log: EngineLog,
    private readonly onChanged: (error: StreamError) => void,
  ) {}

  /** @param onChanged there is more to read, or less: a restart reads it, or says what is wrong */
  static start(
    options: EngineOptions,
    known: KnownTopics,
    log: EngineLog,
    onChanged: (error: StreamError) => void,
  ): TopicWatch {
    const watch = new TopicWatch(options, known, log, onChanged)
    const hasPattern = options.topology.nodes.some(({ source }) => source?.pattern !== undefined)
    if (options.log.kind === 'kafka' || hasPattern) watch.#plan()
    return watch
  }

  stop(): void {
    this.#ended = true
    this.#timer?.cancel()
  }

  #plan(): void {
    if (this.#ended) return
    const { clock, config } = this.options
    // It reports what it finds, and never rejects.
    this.#timer = clock.after(config['metadata.max.age.ms'], () => void this.#look())
  }

  async #look(): Promise<void> {
    const { topology, config, log } = this.options
    try {
      const { sources, topics } = await findTopics(topology, config, log)
      const news = sources.flatMap((topic) => this.#newsOf(topic, topics.get(topic)?.partitions ?? 0))
      if (news.length > 0 && !this.#ended) this.onChanged(grown(news))
    } catch (error) {
      if (this.#ended) return
      const failure = asStreamError(error)
      if (failure.code !== 'LOG_UNAVAILABLE') return this.onChanged(failure)
      this.log.warnOncePerMinute('topics', `Whether there is more to read is not known: ${failure.message}`)
    }
    this.#plan()
  }

  #newsOf(topic: string, partitions: number): readonly string[] {
    if (!this.known.sources.includes(topic)) return [`topic "${topic}"`]
    const known = this.known.topics.get(topic)?.partitions ?? 0
    return partitions > known ? [`${partitions - known} more partitions of "${topic}"`] : []
  }
}

function grown(news: readonly string[]): StreamError {
  return new StreamError(`There is more to read: ${news.join(', ')}.`, {
    code: 'TOPIC_INVALID',
    kind: 'operational',
    retriable: true,
  })
}
