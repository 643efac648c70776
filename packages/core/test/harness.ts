import {
  createEngine,
  EmbeddedLog,
  type EngineApi,
  type EngineEvent,
  type EngineEventOf,
  type EngineEventType,
  Headers,
  MemoryLogStorage,
  parseConfig,
  type RecordLog,
  SeededRandom,
  type Serde,
  SystemClock,
  string,
  type Topology,
} from '../src/index.js'

export interface Harness {
  readonly engine: EngineApi
  readonly log: EmbeddedLog
  send(
    topic: string,
    records: readonly (readonly [key: string | null, value: string | null, timestamp: number])[],
  ): Promise<void>
  /** What a topic holds, as text, partition after partition. */
  read(topic: string): Promise<{ key: string | null; value: string | null; timestamp: number; partition: number }[]>
  /** Resolves with the first event of this type that passes, from now on or already seen. */
  event<T extends EngineEventType>(type: T, test?: (event: EngineEventOf<T>) => boolean): Promise<EngineEventOf<T>>
  /** Resolves once every record of the source topics is done and committed. */
  drained(): Promise<void>
}

/** A real engine on an embedded log in memory, with keys and values as text. */
export async function harness(
  topology: Topology,
  topics: { readonly [topic: string]: number },
  config: { readonly [key: string]: unknown } = {},
  /** What the engine sees of the log. */
  seenAs: (log: EmbeddedLog) => RecordLog = (log) => log,
): Promise<Harness> {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  for (const [topic, partitions] of Object.entries(topics)) await log.createTopic(topic, partitions)
  const parsed = parseConfig({
    'application.id': 'test',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'commit.interval.ms': 5,
    'time.watermark-interval-ms': 5,
    'time.max-out-of-orderness-ms': 0,
    ...config,
  })
  const engine = createEngine({
    topology: topology.compile(parsed),
    config: parsed,
    log: seenAs(log),
    clock,
    random: new SeededRandom(7),
  })
  const seen: EngineEvent[] = []
  const rare: EngineEventType[] = [
    'epoch-committed',
    'record-dropped',
    'silent-loss',
    'lane-split-proven',
    'lane-split-sampled',
    'future-timestamp',
    'segment-created',
    'segment-expired',
    'clock-advanced',
    'partition-idle',
    'partition-returned',
    'timer-fired',
    'timer-registered',
    'timer-replaced',
    'timer-deleted',
    'boundary-crossed',
    'record-dispatched',
    'log',
    'error',
  ]
  let listeners: ((event: EngineEvent) => void)[] = []
  engine.events.on(rare, (event) => {
    seen.push(event)
    for (const listener of listeners) listener(event)
  })
  let sent = 0
  const event: Harness['event'] = (type, test = () => true) =>
    new Promise((resolve) => {
      type Wanted = EngineEventOf<typeof type>
      const matches = (candidate: EngineEvent): candidate is Wanted =>
        candidate.type === type && test(candidate as Wanted)
      const past = seen.find(matches)
      if (past !== undefined) return resolve(past)
      const listener = (candidate: EngineEvent) => {
        if (!matches(candidate)) return
        listeners = listeners.filter((other) => other !== listener)
        resolve(candidate)
      }
      listeners.push(listener)
    })
  const isDrained = () => {
    const { clocks, epoch } = engine.snapshot()
    // The embedded log has no gaps: all is done once the positions add up to what was sent.
    const done = clocks.partitions.reduce((sum, partition) => sum + partition.position, 0)
    return done === sent && epoch.committed === epoch.number - 1
  }
  return {
    engine,
    log,
    event,
    send: async (topic, records) => {
      sent += records.length
      await log.append(
        records.map(([key, value, timestamp]) => ({
          topic,
          partition: -1,
          key: encode(string, key),
          value: encode(string, value),
          timestamp,
          headers: [],
        })),
      )
    },
    read: async (topic) => {
      const all = []
      for (let partition = 0; partition < (topics[topic] ?? 0); partition++) {
        const { records } = await log.read(topic, partition, 0, 10_000)
        for (const { key, value, timestamp } of records) {
          all.push({ key: decode(key), value: decode(value), timestamp, partition })
        }
      }
      return all
    },
    drained: async () => {
      let committed = -1
      while (!isDrained()) {
        const { epoch } = await event('epoch-committed', (candidate) => candidate.epoch > committed)
        committed = epoch
      }
    },
  }
}

function encode(serde: Serde<string>, value: string | null): Uint8Array | null {
  return value === null ? null : serde.serialize('', Headers.empty, value)
}

function decode(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

/** A promise that the test settles. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
