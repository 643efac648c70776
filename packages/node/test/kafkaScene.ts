import { createRequire } from 'node:module'
import { type LogAdmin, type RecordLog, SystemClock, type Topology } from '@lanescope/core'
import type { Admin, ITopicConfig } from 'kafkajs'
import { type App, openLog, run } from '../src/index.js'
import { counting } from './counting.js'

const clock = new SystemClock()
/** Kafka's number for a topic's settings. */
const TOPIC = 2
const text = (bytes: Uint8Array | null) => new TextDecoder().decode(bytes ?? undefined)

export interface Names {
  readonly from: string
  readonly to: string
  readonly id: string
}

/** What tests on a real broker do again and again: topics, applications that count, records in, outputs out. */
export class KafkaScene {
  readonly #opened: { close(): Promise<void> }[] = []
  readonly #apps: App[] = []
  /** Of all records, about: whatever time a test takes, no timer of half a second fires. */
  readonly #time = clock.now()
  #number = 0

  private constructor(
    readonly bootstrap: string,
    readonly admin: RecordLog & LogAdmin,
  ) {}

  static async open(bootstrap: string): Promise<KafkaScene> {
    return new KafkaScene(bootstrap, await openLog({ 'bootstrap.servers': bootstrap }, { clock }))
  }

  async close(): Promise<void> {
    for (const app of this.#apps) await app.stop()
    for (const log of this.#opened) await log.close()
    await this.admin.close()
  }

  async log(clientId: string, report: (level: string, message: string) => void = () => undefined) {
    const config = { 'bootstrap.servers': this.bootstrap, 'client.id': clientId }
    const log = await openLog(config, { clock, report })
    this.#opened.push(log)
    return log
  }

  /** Two topics with two partitions each, and an application's name. */
  async topics(): Promise<Names> {
    const names = { from: `in-${++this.#number}`, to: `out-${this.#number}`, id: `app-${this.#number}` }
    await this.admin.createTopic(names.from, 2)
    await this.admin.createTopic(names.to, 2)
    return names
  }

  /*
   * A broker's view of the cluster lags behind what it has answered: a topic that was just made may be unknown to it,
   * and one that was just deleted still there. What follows waits for the view.
   */

  async makeTopics(...topics: ITopicConfig[]): Promise<void> {
    await this.#asForeign((admin) => admin.createTopics({ waitForLeaders: false, topics }))
    for (const { topic, numPartitions } of topics) await this.#untilPartitions(topic, numPartitions ?? 1)
  }

  async addPartitions(topic: string, count: number): Promise<void> {
    await this.#asForeign((admin) => admin.createPartitions({ topicPartitions: [{ topic, count }] }))
    await this.#untilPartitions(topic, count)
  }

  async deleteTopic(topic: string): Promise<void> {
    await this.#asForeign((admin) => admin.deleteTopics({ topics: [topic] }))
    while ((await this.#idOf(topic)) !== undefined) await clock.yield()
  }

  /** Deletes a topic and makes another one of its name, with records of these keys in its first partition. */
  async makeAnew(topic: string, keys: readonly string[]): Promise<void> {
    await this.deleteTopic(topic)
    await this.makeTopics({ topic, numPartitions: 2 })
    if (keys.length > 0) await this.send(topic, keys, 0)
  }

  async setTopic(topic: string, name: string, value: string): Promise<void> {
    await this.#asForeign(async (admin) => {
      const configEntries = [{ name, value }]
      await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC, name: topic, configEntries }] })
      for (;;) {
        const asked = [{ type: TOPIC, name: topic, configNames: [name] }]
        const { resources } = await admin.describeConfigs({ resources: asked, includeSynonyms: false })
        if (resources[0]?.configEntries.some(({ configValue }) => configValue === value)) return
      }
    })
  }

  async #idOf(topic: string): Promise<string | undefined> {
    return (await this.admin.traits?.([topic]))?.get(topic)?.id
  }

  async #untilPartitions(topic: string, count: number): Promise<void> {
    const known = async () => (await this.admin.topics([topic]))[0]?.partitions ?? 0
    while ((await known()) < count) await clock.yield()
  }

  async #asForeign<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.foreign().admin()
    await admin.connect()
    try {
      return await work(admin)
    } finally {
      await admin.disconnect()
    }
  }

  /** An application that counts keys, with what its engine says. */
  async start({ from, to, id }: Names, more: object = {}, topology: Topology = counting(from, to)) {
    const said: string[] = []
    const app = await run(
      topology,
      {
        'application.id': id,
        'bootstrap.servers': this.bootstrap,
        'time.mode': 'stream-time',
        'future-timestamp.guard': 'off',
        'state.dir': ':memory:',
        ...more,
      },
      {
        clock,
        report: () => undefined,
        onEngine: (engine) =>
          engine.events.on(['log', 'epoch-aborted'], (event) => {
            if (event.type === 'log') said.push(event.message)
            if (event.type === 'epoch-aborted') said.push(`aborted: ${event.message}`)
          }),
      },
    )
    this.#apps.push(app)
    return { app, said }
  }

  /** A record for each key, of times that rise by 1 ms, to the partition of the key or the one given. */
  async send(topic: string, keys: readonly string[], partition = -1): Promise<void> {
    await this.admin.append(
      keys.map((key, index) => ({
        topic,
        partition,
        key: new TextEncoder().encode(key),
        value: new TextEncoder().encode('x'),
        timestamp: this.#time + index,
        headers: [],
      })),
    )
  }

  /** What a `read_committed` reader sees, sorted, once there are so many. */
  async outputs(topic: string, count: number): Promise<readonly string[]> {
    for (;;) {
      const seen: string[] = []
      for (const partition of [0, 1]) {
        const { records } = await this.admin.read(topic, partition, 0, 10_000)
        for (const { key, value } of records) seen.push(`${text(key)} ${text(value)}`)
      }
      if (seen.length >= count) return seen.sort()
    }
  }

  /** The client as it is for everybody else. */
  foreign() {
    const { Kafka, logLevel } = createRequire(import.meta.url)('kafkajs') as typeof import('kafkajs')
    return new Kafka({ clientId: 'foreign', brokers: [this.bootstrap], logLevel: logLevel.NOTHING })
  }
}
