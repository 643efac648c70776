import {
  Consumed,
  EmbeddedLog,
  type EngineApi,
  type EngineEvent,
  type EngineState,
  EventHub,
  type LogOutage,
  ManualClock,
  MemoryLogStorage,
  StreamError,
  SystemClock,
  string,
  Topology,
} from '@lanescope/core'
import { expect, it } from 'vitest'
import { run } from '../run.js'
import { EngineMonitor } from './EngineMonitor.js'

/** An engine that does as the test says. */
function scene() {
  const events = new EventHub()
  const engine: { state: EngineState; readonly events: EventHub } = { state: 'starting', events }
  const clock = new ManualClock(1_000)
  const monitor = new EngineMonitor(clock)
  const log: { outage?: LogOutage } = {}
  monitor.watch(engine as EngineApi, log)
  const tell = (event: EngineEvent) => events.listening(event.type) && events.emit(event as never)
  const held = { records: 0, outputs: 0, timersFired: 0, runMs: 0 }
  const abort = () => tell({ type: 'epoch-aborted', epoch: 1, at: 0, message: 'why', ...held })
  const open = () => tell({ type: 'epoch-started', epoch: 2, at: 0 })
  const commit = (runMs: number, cutMs: number, commitMs: number) =>
    tell({ type: 'epoch-committed', epoch: 1, at: 0, records: 1, outputs: 0, timersFired: 0, runMs, cutMs, commitMs })
  const become = (to: EngineState) => {
    const from = engine.state
    engine.state = to
    tell({ type: 'state-changed', from, to })
  }
  return { clock, engine, log, monitor, abort, open, commit, become }
}

it('is ready while it runs, and not between a fault and the first epoch after it', () => {
  const { engine, monitor, abort, open } = scene()
  expect([new EngineMonitor(new ManualClock(0)).state, monitor.isReady]).toEqual(['created', false])
  open()
  engine.state = 'running'
  expect([monitor.isReady, monitor.restarts]).toEqual([true, 0])
  abort()
  expect([monitor.isReady, monitor.isReadable, monitor.restarts]).toEqual([false, false, 0])
  // A restart may fail in its turn.
  abort()
  open()
  open()
  expect([monitor.isReady, monitor.restarts, monitor.aborted]).toEqual([true, 1, 2])
  engine.state = 'stopping'
  expect([monitor.isReady, monitor.isReadable]).toEqual([false, true])
  engine.state = 'stopped'
  expect(monitor.isReadable).toBe(false)
})

it('says why it is not ready, and since when', () => {
  const { clock, log, monitor, abort, open, become } = scene()
  expect(new EngineMonitor(clock).notReady).toEqual({
    reason: 'the log and the state are being opened',
    since: 1_000,
  })
  clock.advance(1_000)
  become('running')
  open()
  expect(monitor.notReady).toBeUndefined()
  clock.advance(1_000)
  log.outage = { since: 2_500, reason: 'gone' }
  expect([monitor.notReady, monitor.outageMs]).toEqual([log.outage, 500])
  // A fault says more than what it is about.
  abort()
  clock.advance(1_000)
  abort()
  expect(monitor.notReady).toEqual({ reason: 'it restarts in place: why', since: 3_000 })
  delete log.outage
  open()
  expect([monitor.notReady, monitor.outageMs]).toEqual([undefined, 0])
  become('stopping')
  expect(monitor.notReady).toEqual({ reason: 'it stops', since: 4_000 })
})

it('tells how long the phases of committed epochs took, a bound included', () => {
  const { monitor, commit } = scene()
  commit(5, 5.1, 30_000)
  commit(6, 0, 30_001)
  expect(monitor.committed).toBe(2)
  const filled = (phase: 'run' | 'cut' | 'commit') =>
    monitor.times(phase).counts.flatMap((count, at) => (count === 0 ? [] : [[at, count]]))
  expect([filled('run'), filled('cut'), filled('commit')]).toEqual([
    [
      [0, 1],
      [1, 1],
    ],
    [
      [0, 1],
      [1, 1],
    ],
    [
      [11, 1],
      [12, 1],
    ],
  ])
  expect(monitor.times('run').sum).toBeCloseTo(0.011)
  expect(monitor.times('run').bounds).toHaveLength(12)
})

it('[E4] sees a restart of the real engine begin and end', async () => {
  const clock = new SystemClock()
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock })
  await log.createTopic('in', 1)
  const gone = { topic: 'in', partition: 0, key: null, value: null, timestamp: clock.now(), headers: [] }
  await log.append([gone])
  const monitor = new EngineMonitor(clock)
  const open = log.open.bind(log)
  let isFirst = true
  Object.assign(log, {
    open: async (...of: Parameters<typeof open>) => {
      const session = await open(...of)
      const commit = session.commit.bind(session)
      const failOnce: typeof commit = async (epoch) => {
        if (!isFirst) return commit(epoch)
        isFirst = false
        throw new StreamError('not now', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
      }
      return Object.assign(session, { commit: failOnce })
    },
  })
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string).withMaxAhead(60_000), 'in')
    .addProcessor('end', { get: () => ({ process: () => undefined }) }, 'in')
  const ready: string[] = []
  let committed: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    committed = resolve
  })
  const config = { 'application.id': 'again', 'commit.interval.ms': 10 }
  const onEngine = (engine: EngineApi) => {
    monitor.watch(engine)
    engine.events.on(['epoch-aborted', 'epoch-committed'], ({ type }) => {
      ready.push(`${type} ${monitor.isReady}`)
      if (type === 'epoch-committed') committed()
    })
  }
  const app = await run(topology, config, { clock, log, report: () => undefined, onEngine })
  await done
  expect(ready).toEqual(['epoch-aborted false', 'epoch-committed true'])
  expect([monitor.restarts, monitor.aborted]).toEqual([1, 1])
  await app.stop()
  await log.close()
})
