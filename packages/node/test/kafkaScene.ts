import { createRequire } from 'node:module'
import { type LogAdmin, type RecordLog, SystemClock, type Topology } from '@lanescope/core'
import { type App, openLog, run } from '../src/index.js'
import { counting } from './counting.js'

const clock = new SystemClock()
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
