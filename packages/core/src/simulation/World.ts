import { EmbeddedLog } from '../runtime/embedded/EmbeddedLog.js'
import { decodeEpochRecord, epochTopicOf } from '../runtime/epoch/EpochRecord.js'
import type { LogRecord } from '../runtime/RecordLog.js'
import type { Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import { SimulatedStorage } from './SimulatedStorage.js'
import type { SimulationScheduler } from './SimulationScheduler.js'

export interface SimulatedTopic {
  readonly topic: string
  readonly partitions: number
}

/** A record that somebody outside the topology produces. Those of one partition are produced in their order. */
export interface SimulationInput {
  readonly topic: string
  readonly partition: number
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  /** Ms. */
  readonly timestamp: number
  /** Virtual ms before which it is not produced. Default: 0, it is there before the engine starts. */
  readonly arrivesAtMs?: number
}

/** A record as a topic holds it at the end. */
export interface SimulatedRecord extends LogRecord {
  readonly partition: number
}

/** What outlives an engine: the disk, the topics on it, and those who produce to them. Engines come and go. */
export class World {
  readonly storage = new SimulatedStorage()
  #log: EmbeddedLog | undefined
  readonly #inputs = new Map<string, SimulationInput[]>()

  private constructor(private readonly clock: Clock) {}

  /** Makes the topics, and all that is in them from the start. */
  static async create(
    clock: Clock,
    topics: readonly SimulatedTopic[],
    inputs: readonly SimulationInput[],
  ): Promise<World> {
    const world = new World(clock)
    const log = await world.open()
    for (const { topic, partitions } of topics) await log.createTopic(topic, partitions)
    for (const input of inputs) {
      const place = placeOf(input)
      const others = world.#inputs.get(place)
      if (others) others.push(input)
      else world.#inputs.set(place, [input])
    }
    for (const sequence of world.#inputs.values()) {
      const later = sequence.findIndex((input) => (input.arrivesAtMs ?? 0) > 0)
      await log.append(sequence.slice(0, later < 0 ? sequence.length : later).map(toOutput))
    }
    await world.#makeDurable()
    return world
  }

  /** The log over the disk; opened when there is none. */
  async open(): Promise<EmbeddedLog> {
    this.#log ??= await EmbeddedLog.open({ storage: this.storage, clock: this.clock })
    return this.#log
  }

  /** How many records a partition gets from outside. */
  expected(topic: string, partition: number): number {
    return this.#inputs.get(placeOf({ topic, partition }))?.length ?? 0
  }

  /** The last epoch that the log holds, whoever knows of it; undefined while it holds none. */
  async lastEpoch(applicationId: string): Promise<number | undefined> {
    const log = await this.open()
    const topic = epochTopicOf(applicationId)
    const known = await log.topics([topic])
    const last = known.length === 0 ? undefined : await log.internal.last(topic)
    return last?.value ? decodeEpochRecord(last.value, topic).epoch : undefined
  }

  /** Lets everybody produce what is not there yet: an offset is an input's place in its partition. */
  async startProducers(scheduler: SimulationScheduler): Promise<void> {
    const log = await this.open()
    for (const sequence of this.#inputs.values()) {
      const { topic, partition } = sequence[0] as SimulationInput
      const { lastStableOffset } = await log.read(topic, partition, 0, 0)
      this.#produceNext(sequence, lastStableOffset, scheduler)
    }
  }

  /** The host dies. @returns bytes that are gone */
  async crash(random: Random, scheduler: SimulationScheduler): Promise<number> {
    this.restart(scheduler)
    return this.storage.crash(random)
  }

  /** The process ends and another begins; the disk is as it was. */
  restart(scheduler: SimulationScheduler): void {
    scheduler.abandon()
    this.storage.use(undefined)
    this.#log = undefined
  }

  /** Everything in a topic, partition after partition. */
  async contents({ topic, partitions }: SimulatedTopic): Promise<readonly SimulatedRecord[]> {
    const log = await this.open()
    const records: SimulatedRecord[] = []
    for (let partition = 0; partition < partitions; partition++) {
      const batch = await log.read(topic, partition, 0, Number.MAX_SAFE_INTEGER)
      for (const record of batch.records) records.push({ ...record, partition })
    }
    return records
  }

  #produceNext(sequence: readonly SimulationInput[], index: number, scheduler: SimulationScheduler): void {
    const input = sequence[index]
    if (input === undefined) return
    const place = `${input.topic}-${input.partition} @ ${index}`
    scheduler.as('producer', () =>
      scheduler.plan((input.arrivesAtMs ?? 0) - scheduler.now, `produce ${place}`, () => {
        scheduler.await(
          this.#produce(input),
          () => this.#produceNext(sequence, index + 1, scheduler),
          (error) => {
            throw error
          },
          `produced ${place}`,
          'inside',
        )
      }),
    )
  }

  async #produce(input: SimulationInput): Promise<void> {
    const log = await this.open()
    await log.append([toOutput(input)])
    await this.#makeDurable()
  }

  async #makeDurable(): Promise<void> {
    for (const file of await this.storage.list()) await this.storage.sync(file)
  }
}

function toOutput({ topic, partition, key, value, timestamp }: SimulationInput) {
  return { topic, partition, key, value, timestamp, headers: [] }
}

function placeOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic} ${partition}`
}
