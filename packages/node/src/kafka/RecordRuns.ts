import type { OutputView } from '@lanescope/core'
import type { Message, RecordMetadata, TopicMessages } from 'kafkajs'
import { RecordRun } from './records/RecordRun.js'

/** Every record has its partition. */
export const givenPartition = () => (given: { readonly message: Message }) => given.message.partition as number

/**
 * Records on their way to the broker, by partition: runs, each within the bytes that its topic allows a batch (kafkajs
 * never splits). The first runs of all partitions go in one request, then the second ones: each partition keeps its order.
 */
export class RecordRuns {
  readonly #rounds: RecordRun[][] = []
  readonly #partitions = new Map<string, Last[]>()
  #topic: string | undefined
  #lasts: Last[] = []
  #mostBytes = 0

  constructor(private readonly maxBytesOf: (topic: string) => number) {}

  /** @returns the run that the record is in, as its last one */
  add(record: OutputView): RecordRun {
    if (record.topic !== this.#topic) this.#turnTo(record.topic)
    const last = this.#lasts[record.partition]
    if (last?.run.add(record, this.#mostBytes)) return last.run
    const round = last === undefined ? 0 : last.round + 1
    const run = new RecordRun(record.topic, record.partition)
    run.add(record, this.#mostBytes)
    this.#lasts[record.partition] = { run, round }
    const others = this.#rounds[round]
    if (others === undefined) this.#rounds.push([run])
    else others.push(run)
    return run
  }

  /** What is to be sent, one round after the other. */
  *rounds(): Generator<{ readonly runs: readonly RecordRun[]; readonly topicMessages: TopicMessages[] }> {
    for (const runs of this.#rounds) yield { runs, topicMessages: byTopic(runs) }
  }

  #turnTo(topic: string): void {
    this.#topic = topic
    this.#mostBytes = this.maxBytesOf(topic)
    const known = this.#partitions.get(topic)
    this.#lasts = known ?? []
    if (known === undefined) this.#partitions.set(topic, this.#lasts)
  }
}

/** The newest run of a partition. */
interface Last {
  readonly run: RecordRun
  readonly round: number
}

/**
 * Those that were not sent: kafkajs leaves out, without a word, what goes to a partition that it has not heard of, since
 * the topic got it later than the client asked.
 */
export function unsent(runs: readonly RecordRun[], answers: readonly RecordMetadata[]): readonly RecordRun[] {
  const sent = new Set(answers.map(({ topicName, partition }) => `${topicName} ${partition}`))
  return runs.filter(({ topic, partition }) => !sent.has(`${topic} ${partition}`))
}

/** As kafkajs takes them: it asks of a message that it has a value and a length, and hands it on to `produceRequest`. */
export function byTopic(runs: readonly RecordRun[]): TopicMessages[] {
  const topics = new Map<string, RecordRun[]>()
  for (const run of runs) {
    const list = topics.get(run.topic)
    if (list === undefined) topics.set(run.topic, [run])
    else list.push(run)
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages: messages as unknown as Message[] }))
}
