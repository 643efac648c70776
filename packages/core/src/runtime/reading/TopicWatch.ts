import { StreamError } from '../../errors/StreamError.js'
import type { Cancellable } from '../../time/Clock.js'
import type { EngineOptions } from '../EngineApi.js'
import type { EngineLog } from '../EngineLog.js'
import { asStreamError } from '../engineErrors.js'
import type { TopicInfo } from '../RecordLog.js'
import { findTopics } from './findTopics.js'

/** What is read by now. */
export interface KnownTopics {
  readonly sources: readonly string[]
  /** By topic, where the log has such. */
  readonly topicIds: { readonly [topic: string]: string }
  readonly topics: ReadonlyMap<string, TopicInfo>
}

/**
 * Looks every `metadata.max.age.ms` whether there are topics that a pattern finds by now, or more partitions, and whether
 * those that are read are still the same (P3, E13).
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
      const { sources, topics } = await findTopics(topology, config, log, true)
      const news = sources.flatMap((topic) => this.#newsOf(topic, topics.get(topic)?.partitions ?? 0))
      const madeAnew = await this.#madeAnew()
      if (this.#ended) return
      if (madeAnew.length > 0) return this.onChanged(this.#notTheSame(madeAnew))
      if (news.length > 0) this.onChanged(grown(news))
    } catch (error) {
      if (this.#ended) return
      const failure = asStreamError(error)
      if (failure.code !== 'LOG_UNAVAILABLE') return this.onChanged(failure)
      this.log.warnOncePerMinute('topics', `Whether there is more to read is not known: ${failure.message}`)
    }
    this.#plan()
  }

  /** Those that are read and are other topics by now, though their names are the same. */
  async #madeAnew(): Promise<readonly string[]> {
    const { topicIds } = this.known
    const names = Object.keys(topicIds)
    if (names.length === 0) return []
    const traits = await this.options.log.traits?.(names)
    return names.filter((topic) => {
      const id = traits?.get(topic)?.id
      return id !== undefined && id !== topicIds[topic]
    })
  }

  #notTheSame(topics: readonly string[]): StreamError {
    const names = topics.map((topic) => `"${topic}"`).join(', ')
    return new StreamError(
      `${names} ${topics.length === 1 ? 'was' : 'were'} made anew while being read, so the positions are not those of what is ` +
        'there now. A start tells the gap; to go on at the beginning of what is there, set source.offset-gap: accept.',
      // Where gaps are accepted, the restart goes on at the beginning.
      {
        code: 'STATE_MISMATCH',
        kind: 'operational',
        retriable: this.options.config['source.offset-gap'] === 'accept',
        context: { topic: topics.join(',') },
      },
    )
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
