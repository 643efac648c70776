import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  EmbeddedLog,
  type EngineApi,
  Headers,
  MemoryLogStorage,
  MemoryStateBackend,
  parseConfig,
  type ReadOnlyKeyValueStore,
  type Record,
  type RecordLog,
  type RestoreFacts,
  SeededRandom,
  type StateBackend,
  type StoreChanges,
  Stores,
  SystemClock,
  string,
  type TopicTraits,
  Topology,
} from '../src/index.js'

const left = Stores.keyValue('left', string, string)
const right = Stores.keyValue('right', string, string)
const unlogged = Stores.keyValue('unlogged', string, string).withLoggingDisabled()
const LEFT = 'app-left-changelog'
const RIGHT = 'app-right-changelog'
const DAY = 86_400_000

function keeping(): Topology {
  const supplier = {
    stores: [left, right, unlogged],
    get: () => ({
      process: ({ key, value }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
        for (const store of [left, right, unlogged]) {
          if (value === 'gone') ctx.store(store).delete(key)
          else ctx.store(store).put(key, value)
        }
      },
    }),
  }
  return new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor('keep', supplier, 'in')
}

interface Life {
  readonly state: StateBackend
  readonly traits?: ReadonlyMap<string, TopicTraits>
  readonly records?: readonly (readonly [key: string, value: string])[]
  readonly look?: (engine: EngineApi) => Promise<void>
  readonly tamper?: (log: EmbeddedLog) => RecordLog
  readonly tell?: (line: string) => void
}

/** A process of its own: it works off what there is and ends. @returns what it said of its restore */
async function life(storage: MemoryLogStorage, { state, traits, records = [], look, tamper, tell }: Life) {
  const clock = new SystemClock()
  const embedded = await EmbeddedLog.open({ storage, clock })
  await embedded.createTopic('in', 2)
  const log: RecordLog = {
    kind: 'embedded',
    exactlyOnce: true,
    internal: (tamper?.(embedded) ?? embedded).internal as NonNullable<RecordLog['internal']>,
    topics: (names) => embedded.topics(names),
    topicsMatching: (pattern) => embedded.topicsMatching(pattern),
    open: (id, topics, reset, resets, found) => embedded.open(id, topics, reset, resets, found),
    ...(traits && { traits: async () => traits }),
    close: () => embedded.close(),
  }
  const config = parseConfig({
    'application.id': 'app',
    'commit.interval.ms': 5,
    'future-timestamp.guard': 'off',
  })
  const engine = createEngine({
    topology: keeping().compile(config),
    config,
    log,
    clock,
    random: new SeededRandom(1),
    state,
  })
  const rebuilt: RestoreFacts[] = []
  const warned: string[] = []
  engine.events.on(['restore-progress', 'log'], (event) => {
    if (event.type === 'restore-progress' && event.left === 0) rebuilt.push(event)
    if (event.type === 'log') tell?.(event.message)
    if (event.type === 'log' && event.level === 'warn') warned.push(event.message)
  })
  const text = (value: string) => string.serialize('', Headers.empty, value)
  await embedded.append(
    records.map(([key, value]) => ({
      topic: 'in',
      partition: -1,
      key: text(key),
      value: text(value),
      timestamp: clock.now(),
      headers: [],
    })),
  )
  const committed = new Promise<void>((resolve) => {
    let done = 0
    engine.events.on(['epoch-committed'], (event) => {
      if (event.type === 'epoch-committed') done += event.records
      if (done >= records.length) resolve()
    })
    if (records.length === 0) resolve()
  })
  try {
    await engine.start()
    await committed
    await look?.(engine)
    await engine.stop()
    expect(await engine.finished).toBeUndefined()
  } finally {
    await embedded.close()
  }
  return { warned, rebuilt: rebuilt.map(({ owner, records: count }) => `${owner} ${count}`).sort() }
}

const held = async (engine: EngineApi, name: string) =>
  (await (engine.store(name) as ReadOnlyKeyValueStore<string, string>).all().toArray()).map(
    ([key, value]) => key + value,
  )

/** Marks of the state as `change` makes them. */
async function remark(state: MemoryStateBackend, topic: string, change: object): Promise<void> {
  const marks = new Map(
    [...state.changelogMarks].map(([name, mark]) => [name, name === topic ? { ...mark, ...change } : mark]),
  )
  await state.commit(state.committedEpoch as number, [], marks)
}

const ids = new Map([
  [LEFT, { id: 'c/left', deleteRetentionMs: DAY }],
  [RIGHT, { id: 'c/right', deleteRetentionMs: DAY }],
])
const two: readonly (readonly [string, string])[] = [
  ['a', '1'],
  ['b', '2'],
]

describe('local state at a start', () => {
  it('[E11] is gone on with where nothing speaks against it', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    expect(await life(storage, { state, traits: ids })).toEqual({ warned: [], rebuilt: [] })
  })

  it('[E11] asks the changelog for nothing where it is of the last epoch, and for what is missing where it is not', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    // As where markers of transactions stand behind the last records.
    await remark(state, LEFT, { ends: [0, 0] })
    expect((await life(storage, { state, traits: ids })).rebuilt).toEqual([])
    expect(state.changelogMarks.get(LEFT)?.ends).not.toEqual([0, 0])
    await remark(state, LEFT, { ends: [0, 0], epoch: 0 })
    expect(await life(storage, { state, traits: ids })).toEqual({ warned: [], rebuilt: ['left 2'] })
  })

  it('[E6] is told of once it is rebuilt, and not before anything has been read', async () => {
    const storage = new MemoryLogStorage()
    await life(storage, { state: new MemoryStateBackend(), records: two })
    const told: string[] = []
    await life(storage, { state: new MemoryStateBackend(), tell: (line) => told.push(line) })
    expect(told.filter((line) => line.startsWith('Rebuil')).sort()).toEqual([
      expect.stringMatching(/^Rebuilt "left" from its changelog: 2 records, \d+ bytes/),
      expect.stringMatching(/^Rebuilt "right" from its changelog: 2 records, \d+ bytes/),
    ])
  })

  it('[E11] is rebuilt for the one store that is half of delete.retention.ms old, from the log start into nothing', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    await remark(state, LEFT, { at: new SystemClock().now() - DAY / 2 })
    await remark(state, RIGHT, { at: new SystemClock().now() - DAY / 2 + 60_000 })
    // A key that its tombstone does not delete any more, because compaction has taken it.
    const ghost: StoreChanges[] = ['left', 'right'].map((store) => ({
      store,
      cleared: false,
      entries: [[Uint8Array.of(103), Uint8Array.of(57)]],
    }))
    await state.commit(state.committedEpoch as number, ghost)
    const { warned, rebuilt } = await life(storage, {
      state,
      traits: ids,
      look: async (engine) => {
        expect(await held(engine, 'left')).toEqual(['a1', 'b2'])
        expect(await held(engine, 'right')).toEqual(['a1', 'b2', 'g9'])
        expect(await held(engine, 'unlogged')).toEqual(['a1', 'b2'])
      },
    })
    expect(rebuilt).toEqual(['left 2'])
    expect(warned).toEqual([
      expect.stringMatching(/^Rebuilds "left" from the beginning of its changelog: the local state is/),
    ])
  })

  it('[E11] counts its age from the stop, however long there was nothing to do', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    const old = new SystemClock().now() - DAY / 2 + 60_000
    const epoch = state.committedEpoch
    await life(storage, {
      state,
      traits: ids,
      look: async () => {
        for (const topic of [LEFT, RIGHT]) await remark(state, topic, { at: old })
      },
    })
    expect(state.committedEpoch).toBe(epoch)
    for (const topic of [LEFT, RIGHT]) expect(state.changelogMarks.get(topic)?.at).toBeGreaterThan(old)
    expect(state.changelogMarks.get(LEFT)).toMatchObject({ epoch, topicId: 'c/left' })
  })

  it('[E11] of another cluster is left, with what no changelog has', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    await remark(state, LEFT, { topicId: 'other/left' })
    const { rebuilt, warned } = await life(storage, {
      state,
      traits: ids,
      look: async (engine) => expect(await held(engine, 'unlogged')).toEqual([]),
    })
    expect(rebuilt).toEqual(['left 2'])
    expect(warned.join()).toMatch(/is of another cluster, or of another topic of this name/)
  })

  it.each([
    ['behind the log is gone on with, and so is what no changelog has', -1, ['a1', 'b2'], []],
    ['of the log’s last epoch is gone on with, and so is what no changelog has', 0, ['a1', 'b2'], []],
    ['that the log knows nothing of is left, with what no changelog has', 1, [], ['left 2', 'right 2']],
  ])('[E11] of an epoch %s', async (_, by, kept, expected) => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    const epoch = (state.committedEpoch as number) + by
    const marks = new Map([...state.changelogMarks].map(([topic, mark]) => [topic, { ...mark, epoch }]))
    await state.commit(epoch, [], marks)
    const { rebuilt } = await life(storage, {
      state,
      traits: ids,
      look: async (engine) => {
        expect(await held(engine, 'unlogged')).toEqual(kept)
        expect(await held(engine, 'left')).toEqual(['a1', 'b2'])
      },
    })
    expect(rebuilt).toEqual(expected)
  })

  it('[E6] [E9] that a rebuild has left is emptied where the log has no epoch', async () => {
    const state = new MemoryStateBackend()
    const bytes = (text: string) => string.serialize('', Headers.empty, text)
    await state.restore([{ store: 'left', cleared: false, entries: [[bytes('z'), bytes('9')]] }])
    expect([state.committedEpoch, state.changelogMarks.size, state.names('')]).toEqual([undefined, 0, ['left']])
    await life(new MemoryLogStorage(), {
      state,
      look: async (engine) => expect(await held(engine, 'left')).toEqual([]),
    })
  })

  it('[E11] [E13] is not gone on with over a changelog that was made anew: the start says what is gone', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    const anew = new Map([...ids, [RIGHT, { id: 'c/later', deleteRetentionMs: DAY }]])
    await expect(life(storage, { state, traits: anew })).rejects.toMatchObject({
      code: 'STATE_MISMATCH',
      message: expect.stringMatching(/"app-right-changelog" was made anew.*what was kept in "right" is gone/),
    })
  })

  it('[E13] is not gone on with over a changelog that has lost its end', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, records: two })
    const tamper = (log: EmbeddedLog): RecordLog => ({
      ...(log as unknown as RecordLog),
      internal: {
        ...log.internal,
        bounds: async (topic) =>
          (await log.internal.bounds(topic)).map(({ start, end }) => ({ start, end: topic === LEFT ? 0 : end })),
      },
    })
    await expect(life(storage, { state, tamper })).rejects.toMatchObject({
      code: 'STATE_MISMATCH',
      message: expect.stringMatching(/"app-left-changelog" has lost [12] records or more/),
    })
  })

  it('[E11] after a rebuild that did not end is gone on with for the stores that were not in it', async () => {
    const storage = new MemoryLogStorage()
    const state = new MemoryStateBackend()
    await life(storage, { state, traits: ids, records: two })
    await remark(state, LEFT, { epoch: 999 })
    const tamper = (log: EmbeddedLog): RecordLog => ({
      ...(log as unknown as RecordLog),
      internal: {
        ...log.internal,
        replay: async (topic, spans, take) => {
          if (topic !== LEFT) return log.internal.replay(topic, spans, take)
          throw new Error('the process dies')
        },
      },
    })
    await expect(life(storage, { state, traits: ids, tamper })).rejects.toThrow(/the process dies/)
    expect([state.committedEpoch, [...state.changelogMarks.keys()]]).toEqual([undefined, [RIGHT]])
    const { rebuilt } = await life(storage, {
      state,
      traits: ids,
      look: async (engine) => {
        expect(await held(engine, 'left')).toEqual(['a1', 'b2'])
        expect(await held(engine, 'right')).toEqual(['a1', 'b2'])
      },
    })
    expect(rebuilt).toEqual(['left 2'])
  })

  it('[E11] that is damaged in one store is rebuilt in that one', async () => {
    const storage = new MemoryLogStorage()
    class Damaged extends MemoryStateBackend {
      #lost: readonly string[] = []
      override get damaged() {
        return this.#lost
      }
      override get committedEpoch() {
        return this.#lost.length > 0 ? undefined : super.committedEpoch
      }
      lose(store: string) {
        this.#lost = [store]
      }
      override async restore(changes: readonly StoreChanges[], marks?: ReadonlyMap<string, never>) {
        if (changes.some(({ store, cleared }) => cleared && this.#lost.includes(store))) this.#lost = []
        expect(this.#lost).toEqual([])
        await super.restore(changes, marks)
      }
    }
    const state = new Damaged()
    await life(storage, { state, traits: ids, records: two })
    state.lose('right')
    const { rebuilt, warned } = await life(storage, {
      state,
      traits: ids,
      look: async (engine) => expect(await held(engine, 'right')).toEqual(['a1', 'b2']),
    })
    expect(rebuilt).toEqual(['right 2'])
    expect(warned).toEqual([
      'Rebuilds "right" from the beginning of its changelog: a checksum of the local state is wrong.',
    ])
  })
})
