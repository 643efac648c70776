import { describe, expect, it } from 'vitest'
import {
  createEngine,
  EmbeddedLog,
  type EngineApi,
  fromHex,
  Headers,
  json,
  MemoryLogStorage,
  parseConfig,
  SeededRandom,
  SystemClock,
  type TimerLaneAffinityException,
} from '../src/index.js'
import { sessionize } from './sessionize.js'

const CONFIG = {
  'application.id': 'sessions',
  'default.key.serde': 'string',
  'lanes.count': 8,
  'time.max-out-of-orderness-ms': 0,
  'time.watermark-interval-ms': 10,
  'commit.interval.ms': 10,
}

async function open(source: 'deserializer' | 'declared', config: { [key: string]: unknown } = {}) {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('events', 2)
  await log.createTopic('sessions', 1)
  const parsed = parseConfig({ ...CONFIG, ...config })
  const engine = createEngine({
    topology: sessionize(source).compile(parsed),
    config: parsed,
    log,
    clock,
    random: new SeededRandom(1),
  })
  const send = (key: string, timestamp: number) =>
    log.append([
      {
        topic: 'events',
        partition: -1,
        key: json<string>().serialize('events', Headers.empty, key),
        value: json<number>().serialize('events', Headers.empty, 1),
        timestamp,
        headers: [],
      },
    ])
  return { engine, log, send, now: clock.now() }
}

/** Resolves once `test` holds after an event of these types. */
function until(engine: EngineApi, types: Parameters<EngineApi['events']['on']>[0], test: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const off = engine.events.on(types, () => {
      if (!test()) return
      off()
      resolve()
    })
  })
}

describe('the engine on the embedded log', () => {
  it('[A2] [G-90] [H-5] fails on the first proven split and commits nothing of its epoch', async () => {
    const { engine, log, send, now } = await open('deserializer')
    await send('k0', now)
    await engine.start()
    const failure = await engine.finished
    expect((failure as TimerLaneAffinityException).split).toMatchObject({
      key: 'k0',
      recordBytes: fromHex('226b3022'),
      timerBytes: fromHex('6b30'),
      recordLane: 0,
      timerLane: 6,
    })
    expect(engine.state).toBe('failed')
    const session = await log.open('sessions', ['events'], 'earliest')
    expect(session.assignment.map((position) => position.offset)).toEqual([0, 0])
  })

  it('[T5] [E1] fires timers on their records lanes and commits what they forward', async () => {
    const { engine, log, send, now } = await open('declared')
    await engine.start()
    const fired: { key: string; lane: number }[] = []
    engine.events.on(['timer-fired'], (event) => {
      if (event.type === 'timer-fired') fired.push({ key: event.key, lane: event.lane })
    })
    await send('k0', now)
    // The watermark is the smallest of the two partitions, so both must move.
    for (const key of ['a', 'b', 'c', 'd']) await send(key, now + 5000)
    await until(engine, ['epoch-committed'], () => fired.length > 0)
    await engine.stop()
    expect(fired[0]).toEqual({ key: 'k0', lane: 0 })
    const { records } = await log.read('sessions', 0, 0, 10)
    expect(new TextDecoder().decode(records[0]?.key as Uint8Array)).toBe('k0')
  })
})
