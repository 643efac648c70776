import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  createEngine,
  type EngineEvent,
  type EngineEventType,
  laneOf,
  logAndSkipOnInvalidTimestamp,
  ManualClock,
  type Position,
  Produced,
  parseConfig,
  type Record,
  SeededRandom,
  Stores,
  StreamError,
  string,
  Topology,
} from '../src/index.js'
import { gate } from './harness.js'
import { ScriptedLog } from './ScriptedLog.js'

type Context = CallbackContext<string, string, string>
type Process = (record: Record<string, string>, ctx: Context) => unknown

interface Hooks {
  readonly init?: (lane: number) => void | Promise<void>
  readonly close?: () => void | Promise<void>
}

function topologyOf(process: Process, hooks: Hooks = {}): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor(
      'work',
      {
        get: () => ({
          init: (context) => hooks.init?.(context.lane),
          process: process as (record: Record<string, string>, ctx: Context) => void,
          close: () => hooks.close?.(),
        }),
      },
      'in',
    )
    .addSink('out', 'out', Produced.with(string, string), 'work')
}

interface Setup {
  readonly process?: Process
  readonly hooks?: Hooks
  readonly partitions?: number
  readonly positions?: readonly Position[]
  readonly config?: { readonly [key: string]: unknown }
  readonly topology?: Topology
  readonly clock?: ManualClock
  readonly transactionTimeoutMs?: number
}

/** An engine on a clock and a log that move only when told to. */
function scripted({ process = pass, hooks = {}, partitions = 1, positions = [], config = {}, ...rest }: Setup = {}) {
  const clock = rest.clock ?? new ManualClock(1_000_000)
  const log = new ScriptedLog({ in: partitions, out: 1 }, positions)
  if (rest.transactionTimeoutMs !== undefined) log.transactionTimeoutMs = rest.transactionTimeoutMs
  const parsed = parseConfig({ 'application.id': 'test', 'lanes.count': 1, ...config })
  const topology = (rest.topology ?? topologyOf(process, hooks)).compile(parsed)
  const engine = createEngine({ topology, config: parsed, log, clock, random: new SeededRandom(1) })
  const events: EngineEvent[] = []
  const types: EngineEventType[] = ['log', 'error', 'state-changed', 'epoch-committed', 'epoch-aborted']
  engine.events.on(types, (event) => events.push(event))
  return { clock, log, engine, events, logged: () => events.flatMap((e) => (e.type === 'log' ? [e.message] : [])) }
}

const pass: Process = (record, ctx) => ctx.forward(record)

/** Lets everything run that can without time passing. */
async function rest(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

const offsets = (log: ScriptedLog) => log.commits.map(({ positions }) => positions.map(({ offset }) => offset))

describe('starting', () => {
  it('[E14] a stop while it starts lets it start and stop at once, and nothing hangs', async () => {
    let closed = 0
    const { engine, log } = scripted({ hooks: { close: () => void closed++ } })
    const starting = engine.start()
    const stopping = engine.stop()
    await Promise.all([starting, stopping])
    expect(engine.state).toBe('stopped')
    expect(await engine.finished).toBeUndefined()
    expect([closed, log.closings]).toEqual([1, 1])
  })

  it('[E14] a stop gives up a start that hangs, after shutdown.timeout-ms', async () => {
    const { engine, log, clock } = scripted({ config: { 'shutdown.timeout-ms': 500 } })
    const hold = gate()
    log.opening = hold.opened
    const starting = engine.start().catch((error: unknown) => error)
    const stopping = engine.stop()
    await rest()
    clock.advance(499)
    await rest()
    expect(engine.state).toBe('starting')
    clock.advance(1)
    await stopping
    expect(engine.state).toBe('failed')
    expect(((await starting) as Error).message).toContain('shutdown.timeout-ms')
    hold.open()
    await rest()
    expect(log.closings).toBe(1)
  })

  it('[G2] an init that throws names node and lane; only what was initialised is closed, the session too', async () => {
    const closed: string[] = []
    const one = (name: string, fails: boolean) => ({
      get: () => {
        let lane = -1
        return {
          init: (context: { lane: number }) => {
            lane = context.lane
            if (fails && lane === 1) throw new Error('no room')
          },
          process: () => undefined,
          close: () => void closed.push(`${name}${lane}`),
        }
      },
    })
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('a', one('a', false), 'in')
      .addProcessor('b', one('b', true), 'in')
      .addProcessor('c', one('c', false), 'in')
    const { engine, log } = scripted({ topology, config: { 'lanes.count': 3 } })
    const failure = await engine.start().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'PROCESSING_FAILED', kind: 'user', context: { node: 'b', lane: 1 } })
    expect((failure as Error).message).toMatch(/"b".*init.*lane 1.*no room/)
    expect(closed).toEqual(['a0', 'a1', 'a2', 'b0'])
    expect(engine.state).toBe('failed')
    expect(await engine.finished).toBe(failure)
    expect(log.closings).toBe(1)
  })

  it('awaits an init that is asynchronous before it processes anything', async () => {
    const order: string[] = []
    const init = async () => {
      await Promise.resolve()
      order.push('init')
    }
    const { engine, log } = scripted({ hooks: { init }, process: () => void order.push('process') })
    log.give('in', 0, 0, [['a', 'x', 1]])
    await engine.start()
    await rest()
    await engine.stop()
    expect(order).toEqual(['init', 'process'])
  })

  it('a supplier that throws is told with its node', async () => {
    let lanes = 0
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'work',
      {
        get: () => {
          if (lanes++ > 2) throw new Error('sold out')
          return { process: () => undefined }
        },
      },
      'in',
    )
    const { engine } = scripted({ topology, config: { 'lanes.count': 8 } })
    await expect(engine.start()).rejects.toMatchObject({
      code: 'TOPOLOGY_INVALID',
      context: { node: 'work' },
      message: expect.stringContaining('sold out'),
    })
  })

  it('a log that does not open ends the run with its error', async () => {
    const { engine, log } = scripted()
    log.openError = new Error('no broker')
    await expect(engine.start()).rejects.toThrow('no broker')
    expect([engine.state, log.closings]).toEqual(['failed', 0])
    await expect(engine.start()).rejects.toThrow(/failed cannot become starting/)
  })

  it('[E1] exactly-once is refused over a log that cannot commit at once', async () => {
    const { engine, log } = scripted()
    log.exactlyOnce = false
    await expect(engine.start()).rejects.toMatchObject({ code: 'GUARANTEE_UNSUPPORTED' })
    const relaxed = scripted({ config: { 'processing.guarantee': 'at-least-once' } })
    relaxed.log.exactlyOnce = false
    await relaxed.engine.start()
    await relaxed.engine.stop()
  })

  it('stopped before it was started, it is over, and cannot be started', async () => {
    const { engine } = scripted()
    await engine.stop()
    expect([engine.state, await engine.finished]).toEqual(['stopped', undefined])
    await expect(engine.start()).rejects.toMatchObject({ code: 'ILLEGAL_STATE' })
    expect(() => engine.snapshot()).toThrow(/not been started/)
  })
})

describe('stopping', () => {
  it('[E14] what is in flight settles and is committed; what is queued is not begun', async () => {
    const hold = gate()
    const begun: string[] = []
    const { engine, log } = scripted({
      process: async (record, ctx) => {
        begun.push(record.value)
        await hold.opened
        void ctx.forward(record)
      },
    })
    log.give('in', 0, 0, [
      ['a', '1', 1],
      ['a', '2', 2],
    ])
    await engine.start()
    await rest()
    const stopping = engine.stop()
    await rest()
    expect(engine.state).toBe('stopping')
    hold.open()
    await stopping
    expect(begun).toEqual(['1'])
    expect(offsets(log)).toEqual([[1]])
    expect(log.commits[0]?.outputs).toHaveLength(1)
  })

  it('[E14] a second stop waits for the first, and the session closes once', async () => {
    const { engine, log } = scripted()
    await engine.start()
    await Promise.all([engine.stop(), engine.stop()])
    await engine.stop()
    expect([engine.state, log.closings]).toEqual(['stopped', 1])
  })

  it('[E14] gives up a callback that does not settle, after shutdown.timeout-ms and not before', async () => {
    const { engine, log, clock } = scripted({
      process: () => new Promise<void>(() => undefined),
      config: { 'shutdown.timeout-ms': 500 },
    })
    log.give('in', 0, 0, [['a', '1', 1]])
    await engine.start()
    await rest()
    const stopping = engine.stop()
    await rest()
    clock.advance(499)
    await rest()
    expect(engine.state).toBe('stopping')
    clock.advance(1)
    await stopping
    expect(engine.state).toBe('failed')
    expect((await engine.finished)?.message).toContain('shutdown.timeout-ms, 500 ms')
    expect(log.commits).toEqual([])
  })

  it('[E14] a commit that never answers does not keep it from ending', async () => {
    const { engine, log, clock } = scripted({ config: { 'shutdown.timeout-ms': 500, 'commit.interval.ms': 1 } })
    log.committing = () => new Promise(() => undefined)
    log.give('in', 0, 0, [['a', '1', 1]])
    await engine.start()
    await rest()
    clock.advance(1)
    await rest()
    expect(log.commits).toHaveLength(1)
    void engine.stop()
    await rest()
    clock.advance(500)
    await rest()
    clock.advance(10_000)
    await engine.finished
    expect(engine.state).toBe('failed')
    expect(log.closings).toBe(1)
  })

  it('closes every processor though some closes fail, and says which failed', async () => {
    let closed = 0
    const { engine, logged } = scripted({
      hooks: {
        close: () => {
          if (++closed !== 2) throw new Error(`stuck ${closed}`)
        },
      },
      config: { 'lanes.count': 3 },
    })
    await engine.start()
    await engine.stop()
    expect(closed).toBe(3)
    expect(engine.state).toBe('stopped')
    const line = logged().find((message) => message.includes('stuck')) as string
    for (const part of ['"work"', 'lane 0', 'stuck 1', 'lane 2', 'stuck 3']) expect(line).toContain(part)
  })

  it('a close that hangs is left behind', async () => {
    const { engine, log, clock, logged } = scripted({ hooks: { close: () => new Promise<void>(() => undefined) } })
    await engine.start()
    const stopping = engine.stop()
    await rest()
    clock.advance(10_000)
    await stopping
    expect([engine.state, log.closings]).toEqual(['stopped', 1])
    expect(logged().some((message) => message.includes('left behind'))).toBe(true)
  })

  it('[E14] waits a second, and not ten, for a commit that the time of the stop has run out on', async () => {
    const { engine, log, clock } = scripted({ config: { 'shutdown.timeout-ms': 500 } })
    log.committing = () => new Promise(() => undefined)
    log.give('in', 0, 0, [['a', '1', 1]])
    await engine.start()
    await rest()
    const stopping = engine.stop()
    await rest()
    clock.advance(500)
    await rest()
    clock.advance(999)
    await rest()
    expect(engine.state).toBe('stopping')
    clock.advance(1)
    await stopping
    expect([engine.state, log.closings]).toEqual(['failed', 1])
    expect((await engine.finished)?.message).toContain('shutdown.timeout-ms')
  })

  it('a fetch that fails once it stops is nobody’s concern', async () => {
    const { engine, log } = scripted()
    await engine.start()
    await rest()
    const stopping = engine.stop()
    log.fail(new Error('connection gone'))
    await stopping
    expect(await engine.finished).toBeUndefined()
  })
})

describe('failing', () => {
  it('a fetch that fails ends the run with its error, and none is asked for after it', async () => {
    const { engine, log, events } = scripted()
    await engine.start()
    await rest()
    log.fail(new Error('connection gone'))
    const failure = await engine.finished
    expect(failure?.message).toBe('connection gone')
    await rest()
    expect(log.requests).toHaveLength(1)
    expect(events.find((event) => event.type === 'epoch-aborted')).toMatchObject({ epoch: 1 })
    expect(events.find((event) => event.type === 'error')).toMatchObject({ fatal: true, message: 'connection gone' })
  })

  it('[E4] an aborted epoch is told with what it had done, and that nothing follows', async () => {
    const { engine, log, clock, events } = scripted()
    log.give('in', 0, 0, [
      ['a', '1', 1],
      ['b', '2', 2],
    ])
    await engine.start()
    await rest()
    clock.advance(7)
    log.fail(new Error('connection gone'))
    await engine.finished
    expect(events.filter((event) => event.type === 'epoch-aborted')).toEqual([
      {
        ...{ type: 'epoch-aborted', epoch: 1, at: 1_000_007, message: 'connection gone' },
        ...{ records: 2, outputs: 2, timersFired: 0, runMs: 7 },
      },
    ])
  })

  it('[E4] [E9] an aborted epoch names the one in doubt before it, and the restart; a start that fails aborts none', async () => {
    const { engine, log, clock, events } = scripted({ config: { 'commit.interval.ms': 10 } })
    const gone = new StreamError('no answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
    const aborts = () => events.filter((event) => event.type === 'epoch-aborted')
    log.committing = () => Promise.reject(gone)
    log.give('in', 0, 0, [['a', '1', 1]])
    await engine.start()
    await rest()
    clock.advance(10)
    await rest()
    expect(aborts()).toMatchObject([
      { epoch: 2, records: 0, outputs: 0, inDoubt: 1, restart: { attempt: 1, of: 5, delayMs: 100 } },
    ])
    log.opening = Promise.reject(gone)
    clock.advance(100)
    await rest()
    expect(aborts()).toHaveLength(1)
    await engine.stop()
    expect(aborts()).toHaveLength(1)
  })

  describe('[E4] a log that does not answer', () => {
    const gone = new StreamError('no answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
    /** A run whose log has failed; `comes` is called once it is reached again. */
    const outage = async (failure = gone) => {
      const scene = scripted()
      let comes: () => void = () => undefined
      let asked = 0
      let opened = 0
      const open = scene.log.open.bind(scene.log)
      Object.assign(scene.log, {
        open: (...of: Parameters<typeof open>) => {
          opened++
          return open(...of)
        },
        reached: () => {
          asked++
          return new Promise<void>((resolve) => {
            comes = resolve
          })
        },
      })
      await scene.engine.start()
      await rest()
      scene.log.fail(failure)
      await rest()
      return { ...scene, comes: () => comes(), asked: () => asked, opened: () => opened }
    }
    it('is waited for, however long it lasts, and costs one restart', async () => {
      const { engine, clock, logged, comes, asked, opened } = await outage()
      clock.advance(99)
      await rest()
      expect(asked()).toBe(0)
      clock.advance(1)
      await rest()
      expect([asked(), opened()]).toEqual([1, 1])
      clock.advance(3_600_000)
      await rest()
      expect([engine.state, opened()]).toEqual(['running', 1])
      comes()
      await rest()
      expect([engine.state, opened(), asked()]).toEqual(['running', 2, 1])
      expect(logged().filter((line) => /restart \d of 5/.test(line))).toHaveLength(1)
      await engine.stop()
    })

    it('is not waited for once a stop is asked for', async () => {
      const { engine, clock, asked } = await outage()
      clock.advance(100)
      await rest()
      expect(asked()).toBe(1)
      await engine.stop()
      expect([engine.state, (await engine.finished)?.message]).toEqual(['failed', 'no answer'])
    })

    it('is not asked for where the stop comes in the pause before', async () => {
      const { engine, asked } = await outage()
      await engine.stop()
      expect([engine.state, asked()]).toEqual(['failed', 0])
    })

    it('is not asked for after another fault', async () => {
      const other = new StreamError('odd', { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true })
      const { engine, clock, asked, opened } = await outage(other)
      clock.advance(100)
      await rest()
      expect([asked(), opened()]).toEqual([0, 2])
      await engine.stop()
    })
  })

  it('a fetch that fails at once ends the run as well', async () => {
    const { engine, log } = scripted()
    log.fetchError = new Error('never')
    await engine.start()
    expect((await engine.finished)?.message).toBe('never')
    expect(engine.state).toBe('failed')
  })

  it('records of a partition that nobody reads end the run instead of hanging it', async () => {
    const { engine, log } = scripted()
    log.give('in', 7, 0, [['a', '1', 1]])
    await engine.start()
    expect(await engine.finished).toMatchObject({ code: 'ILLEGAL_STATE', context: { topic: 'in', partition: 7 } })
  })

  it('[E1] a commit that is refused ends the run; the epoch after it is not committed', async () => {
    const { engine, log, clock } = scripted({ config: { 'commit.interval.ms': 10 } })
    log.committing = () => Promise.reject(new Error('fenced'))
    log.give('in', 0, 0, [['a', '1', 1]])
    await engine.start()
    await rest()
    clock.advance(10)
    expect((await engine.finished)?.message).toBe('fenced')
    expect(log.commits).toHaveLength(1)
    expect(engine.snapshot().epoch).toMatchObject({ number: 2, committed: 0, lastCommitMs: null })
  })

  it('[E8] a cut that waits too long names node, lane, key and coordinates', async () => {
    const { engine, log, clock } = scripted({
      process: (record) => (record.value === 'stuck' ? new Promise(() => undefined) : undefined),
      config: { 'commit.interval.ms': 10, 'epoch.cut-timeout-ms': 100, 'lanes.count': 8 },
    })
    log.give('in', 0, 0, [
      ['a', 'quick', 1],
      ['k0', 'stuck', 2],
    ])
    await engine.start()
    await rest()
    clock.advance(10)
    await rest()
    clock.advance(99)
    await rest()
    expect(engine.state).toBe('running')
    const aborted: string[] = []
    engine.events.on(['epoch-aborted'], (event) => event.type === 'epoch-aborted' && aborted.push(event.message))
    clock.advance(1)
    await rest()
    expect(aborted).toEqual([expect.stringMatching(/100 ms.*process k0 at "work", in-0 @ 1, lane 6/)])
    // A fault: the run is about to start again in place. Stopped now, it ends with what has happened.
    expect(engine.state).toBe('running')
    void engine.stop()
    const failure = await engine.finished
    expect(failure).toMatchObject({
      context: { node: 'work', lane: 6, topic: 'in', partition: 0, offset: 1, key: 'k0' },
    })
    expect(log.commits).toEqual([])
  })

  it('[E8] of several callbacks the one that has waited longest is named, at the node furthest down that waits', async () => {
    const never = new Promise<void>(() => undefined)
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'first',
        { get: () => ({ process: async (record: Record<string, string>, ctx: Context) => ctx.forward(record) }) },
        'in',
      )
      .addProcessor('second', { get: () => ({ process: () => never }) }, 'first')
    const { engine, log, clock } = scripted({
      topology,
      config: { 'commit.interval.ms': 10, 'epoch.cut-timeout-ms': 100, 'lanes.count': 8 },
    })
    await engine.start()
    // Lane 6 first, and lane 0 or another one after it.
    log.give('in', 0, 0, [['k0', '1', 1]])
    await rest()
    clock.advance(5)
    log.give('in', 0, 1, [
      ['"k0"', '2', 2],
      ['k0', '3', 3],
    ])
    await rest()
    const aborted: string[] = []
    engine.events.on(['epoch-aborted'], (event) => event.type === 'epoch-aborted' && aborted.push(event.message))
    // Nothing is done yet, so only the stop cuts.
    void engine.stop()
    await rest()
    clock.advance(100)
    await rest()
    expect(await engine.finished).toMatchObject({ context: { node: 'second', lane: 6, offset: 0, key: 'k0' } })
  })

  it('[E8] each cut reports the callback that it has waited for longest, and none where it has waited for none', async () => {
    const holds = new Map(['slow', 'slower'].map((value) => [value, gate()]))
    const { engine, log, clock, events } = scripted({
      process: (record) => holds.get(record.value)?.opened,
      config: { 'commit.interval.ms': 10, 'lanes.count': 8 },
    })
    await engine.start()
    log.give('in', 0, 0, [
      ['a', 'quick', 1],
      ['k0', 'slower', 2],
    ])
    await rest()
    clock.advance(4)
    log.give('in', 0, 2, [['"k0"', 'slow', 3]])
    await rest()
    clock.advance(6)
    await rest()
    clock.advance(20)
    // The one that settles first has been pending for longer.
    holds.get('slower')?.open()
    await rest()
    clock.advance(1)
    holds.get('slow')?.open()
    await rest()
    log.give('in', 0, 3, [['a', 'quick', 4]])
    await rest()
    clock.advance(10)
    await rest()
    await engine.stop()
    const slowest = events.flatMap((event) => (event.type === 'epoch-committed' ? [event.slowest] : []))
    expect(slowest).toEqual([{ node: 'work', lane: 6, key: 'k0', ms: 30 }, undefined])
  })

  it('names a callback that has been pending for long, once each', async () => {
    const { engine, log, clock, logged } = scripted({
      process: () => new Promise(() => undefined),
      config: { 'watchdog.slow-callback-ms': 1000, 'time.watermark-interval-ms': 999 },
    })
    log.give('in', 0, 0, [['k', '1', 1]])
    await engine.start()
    await rest()
    const named = () => logged().filter((message) => message.includes('process k at "work" on lane 0 has')).length
    clock.advance(999)
    expect(named()).toBe(0)
    clock.advance(999)
    clock.advance(999)
    expect(named()).toBe(1)
  })
})

describe('epochs', () => {
  it('[E3] an epoch that the last waiting record fills does not stall the run', async () => {
    const { engine, log } = scripted({ config: { 'epoch.max-records': 1, 'commit.interval.ms': 60_000 } })
    await engine.start()
    for (let offset = 0; offset < 3; offset++) {
      log.give('in', 0, offset, [['a', 'x', 1]])
      await rest()
    }
    await engine.stop()
    expect(offsets(log)).toEqual([[1], [2], [3]])
  })

  it('[E3] is cut when its time is over and not before, also if the host’s timer is early', async () => {
    class EarlyClock extends ManualClock {
      override after(delayMs: number, fn: () => void) {
        return super.after(Math.max(0, delayMs - 0.5), fn)
      }
    }
    const clock = new EarlyClock(1000)
    const { engine, log } = scripted({ clock, config: { 'commit.interval.ms': 100 } })
    await engine.start()
    log.give('in', 0, 0, [['a', 'x', 1]])
    await rest()
    clock.advance(99.5)
    await rest()
    expect(log.commits).toEqual([])
    clock.advance(0.5)
    await rest()
    await engine.stop()
    expect(offsets(log)).toEqual([[1]])
  })

  it('[E3] is cut once its outputs take up the memory that it may have, and not before', async () => {
    const { engine, log } = scripted({ config: { 'epoch.max-bytes': 10, 'commit.interval.ms': 60_000 } })
    await engine.start()
    // One byte of key and 8 of value are 9 of 10.
    log.give('in', 0, 0, [['a', '12345678', 1]])
    await rest()
    expect(log.commits).toEqual([])
    log.give('in', 0, 1, [['', '1', 1]])
    await rest()
    expect(offsets(log)).toEqual([[2]])
    await engine.stop()
  })

  it('[E3] what an epoch that commits still holds counts with the open one: dispatch stops until it is let go', async () => {
    const seen: string[] = []
    const hold = gate()
    const store = Stores.inMemoryKeyValue('kept', string, string)
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'keep',
      {
        stores: [store],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) => {
            seen.push(record.value)
            ctx.store(store).put(record.key, record.value)
          },
        }),
      },
      'in',
    )
    const { engine, log } = scripted({ topology, config: { 'epoch.max-bytes': 10, 'commit.interval.ms': 60_000 } })
    log.committing = () => hold.opened
    await engine.start()
    log.give('in', 0, 0, [
      ['a', '123456789', 1],
      ['b', 'x', 1],
      ['c', 'y', 1],
    ])
    await rest()
    expect([seen, offsets(log)]).toEqual([['123456789'], [[1]]])
    hold.open()
    await rest()
    expect(seen).toEqual(['123456789', 'x', 'y'])
    await engine.stop()
    expect(offsets(log)).toEqual([[1], [3]])
  })

  it('[E3] what waits at a boundary counts, until it is done', async () => {
    const hold = gate()
    const entered: string[] = []
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('first', { get: () => ({ process: pass as never }) }, 'in')
      .addProcessor(
        'slow',
        {
          stores: [Stores.inMemoryKeyValue('kept', string, string)],
          get: () => ({
            process: async (record: Record<string, string>) => {
              entered.push(record.value)
              await hold.opened
            },
          }),
        },
        'first',
      )
    // Each item weighs 200 and its two bytes; the first is at work and waits no more.
    const config = { 'epoch.max-bytes': 404, 'commit.interval.ms': 60_000, 'default.key.serde': string }
    const { engine, log } = scripted({ topology, config })
    await engine.start()
    log.give(
      'in',
      0,
      0,
      ['1', '2', '3', '4', '5'].map((value, at) => ['k', value, at] as const),
    )
    await rest()
    const read = () => engine.snapshot().nodes.find(({ node }) => node === 'in')?.in
    expect([read(), entered, offsets(log)]).toEqual([3, ['1'], []])
    hold.open()
    await rest()
    expect([read(), entered]).toEqual([5, ['1', '2', '3', '4', '5']])
    await engine.stop()
    expect(offsets(log)).toEqual([[3], [5]])
  })

  it('[E3] timers that wait for the cut count', async () => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'arm',
      {
        timers: ['event-time'] as const,
        get: () => ({
          process: ({ key, timestamp }: Record<string, string>, ctx: Context) => {
            ctx.timers.register({ key, at: timestamp + 1000, domain: 'event-time' })
          },
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    // A hundred, and one byte of key, for each timer.
    const config = { 'epoch.max-bytes': 202, 'commit.interval.ms': 60_000 }
    const { engine, log } = scripted({ topology, config })
    await engine.start()
    log.give('in', 0, 0, [['a', '', 1]])
    await rest()
    expect(offsets(log)).toEqual([])
    log.give('in', 0, 1, [['b', '', 1]])
    await rest()
    expect(offsets(log)).toEqual([[2]])
    await engine.stop()
  })

  it('[E3] is cut early enough for half the transaction time-out of the log', async () => {
    const { engine, log, clock } = scripted({
      config: { 'commit.interval.ms': 60_000 },
      transactionTimeoutMs: 1000,
    })
    await engine.start()
    log.give('in', 0, 0, [['a', 'x', 1]])
    await rest()
    clock.advance(499)
    await rest()
    expect(log.commits).toEqual([])
    clock.advance(1)
    await rest()
    expect(offsets(log)).toEqual([[1]])
    await engine.stop()
  })

  it('[G3] counts what an epoch has dropped when it is known to be committed, not before', async () => {
    const hold = gate()
    const { engine, log, events } = scripted({
      config: { 'processing.exception.handler': 'continue', 'commit.interval.ms': 10, 'epoch.max-records': 1 },
      process: () => {
        throw new Error('cannot take it')
      },
    })
    engine.events.on(['record-dropped'], (event) => events.push(event))
    log.committing = () => hold.opened
    await engine.start()
    log.give('in', 0, 0, [['a', 'x', 1]])
    await rest()
    const counted = () => engine.snapshot().counters['dropped_records_total{reason="processing"}']
    expect(events).toContainEqual(expect.objectContaining({ type: 'record-dropped', reason: 'processing' }))
    expect([log.commits.length, counted()]).toEqual([1, undefined])
    hold.open()
    await rest()
    expect(counted()).toBe(1)
    await engine.stop()
  })

  it('[E3] an idle engine commits nothing, however long', async () => {
    const { engine, log, clock } = scripted({ config: { 'commit.interval.ms': 10 } })
    await engine.start()
    for (let i = 0; i < 5; i++) {
      clock.advance(1000)
      await rest()
    }
    await engine.stop()
    expect(log.commits).toEqual([])
  })

  it('[E2] the next epoch runs while one commits, and waits with its own commit; a full one stops dispatch', async () => {
    const seen: string[] = []
    const hold = gate()
    const { engine, log, clock } = scripted({
      process: (record) => void seen.push(record.value),
      config: { 'commit.interval.ms': 10, 'epoch.max-records': 2 },
    })
    log.committing = () => hold.opened
    await engine.start()
    log.give('in', 0, 0, [['a', '1', 1]])
    await rest()
    clock.advance(10)
    await rest()
    log.give('in', 0, 1, [['a', '2', 1]])
    await rest()
    clock.advance(100)
    await rest()
    expect(seen).toEqual(['1', '2'])
    log.give('in', 0, 2, [
      ['a', '3', 1],
      ['a', '4', 1],
    ])
    await rest()
    expect(seen).toEqual(['1', '2', '3'])
    expect(log.commits).toHaveLength(1)
    hold.open()
    await rest()
    clock.advance(10)
    await rest()
    await engine.stop()
    expect(seen).toEqual(['1', '2', '3', '4'])
    expect(log.commits.map(({ epoch }) => epoch)).toEqual([1, 2, 3])
    expect(offsets(log)).toEqual([[1], [3], [4]])
  })

  it('[E3] tells how long an epoch ran, how long its cut took, and its commit', async () => {
    const callback = gate()
    const commit = gate()
    const { engine, log, clock, events } = scripted({
      process: () => callback.opened,
      config: { 'commit.interval.ms': 10 },
    })
    log.committing = () => commit.opened
    log.give('in', 0, 0, [
      ['a', '1', 1],
      ['a', '2', 1],
    ])
    await engine.start()
    await rest()
    callback.open()
    await rest()
    clock.advance(10)
    await rest()
    clock.advance(7)
    commit.open()
    await rest()
    await engine.stop()
    expect(events.find((event) => event.type === 'epoch-committed')).toMatchObject({
      epoch: 1,
      records: 2,
      runMs: 10,
      cutMs: 0,
      commitMs: 7,
      at: 1_000_017,
    })
    expect(engine.snapshot().epoch).toMatchObject({ committed: 1, lastCommitMs: 7 })
  })

  it('[E8] a cut waits for the callback in flight, and its time is told apart', async () => {
    const hold = gate()
    const { engine, log, clock, events } = scripted({
      process: (record) => (record.value === 'slow' ? hold.opened : undefined),
      config: { 'commit.interval.ms': 10 },
    })
    log.give('in', 0, 0, [
      ['a', 'quick', 1],
      ['a', 'slow', 1],
    ])
    await engine.start()
    await rest()
    clock.advance(10)
    await rest()
    clock.advance(5)
    hold.open()
    await rest()
    await engine.stop()
    expect(events.find((event) => event.type === 'epoch-committed')).toMatchObject({
      records: 2,
      runMs: 10,
      cutMs: 5,
      commitMs: 0,
    })
  })

  it('[E8] goes on from a position with done records, and runs none of them again', async () => {
    const seen: string[] = []
    const { engine, log } = scripted({
      process: (record) => void seen.push(record.value),
      positions: [{ topic: 'in', partition: 0, offset: 5, done: [6] }],
    })
    log.give('in', 0, 5, [
      ['a', 'five', 1],
      ['a', 'six', 1],
      ['a', 'seven', 1],
    ])
    await engine.start()
    await rest()
    await engine.stop()
    expect(seen).toEqual(['five', 'seven'])
    expect(log.commits[0]?.positions).toMatchObject([{ offset: 8, done: [] }])
  })

  it('[W6] what was done moves the clocks again, and what the guard has kept out then does not', async () => {
    const { engine, log } = scripted({
      positions: [{ topic: 'in', partition: 0, offset: 5, done: [6, 7] }],
      // The wall clock says 1,000,000.
      config: { 'time.mode': 'stream-time', 'future-timestamp.max-ahead-ms': 1000 },
    })
    await engine.start()
    const clock = () => engine.snapshot().clocks.partitions[0]?.maxTimestamp
    log.give('in', 0, 5, [
      ['a', 'five', 1],
      ['a', 'six', 1_001_000],
    ])
    await rest()
    expect(clock()).toBe(1_001_000)
    log.give('in', 0, 7, [['a', 'seven', 1_001_001]])
    await rest()
    expect(clock()).toBe(1_001_000)
    await engine.stop()
  })

  it('[L9] [L11] a partition has one lane, whichever keys it holds, and partitions go round', async () => {
    const lanes: string[] = []
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string).laneBy('partition'), 'in')
      .addProcessor('count', { get: () => ({ process: () => undefined }) }, 'in')
    const { engine, log } = scripted({ topology, partitions: 5, config: { 'lanes.count': 2 } })
    engine.events.on(['record-dispatched'], (event) => {
      if (event.type === 'record-dispatched') lanes.push(`${event.coordinates.partition}: ${event.lane}`)
    })
    await engine.start()
    for (const partition of [0, 1, 2, 3, 4]) {
      log.give('in', partition, 0, [
        ['a', 'x', 1],
        [null, 'x', 1],
      ])
      await rest()
    }
    await engine.stop()
    expect(lanes).toEqual(['0: 0', '0: 0', '1: 1', '1: 1', '2: 0', '2: 0', '3: 1', '3: 1', '4: 0', '4: 0'])
  })

  it('[E3] [G3] a record that does not enter counts as one of its epoch, and moves the position by itself', async () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string).withTimestampExtractor(logAndSkipOnInvalidTimestamp), 'in')
      .addSink('out', 'out', Produced.with(string, string), 'in')
    const { engine, log, clock, events } = scripted({ topology, config: { 'commit.interval.ms': 10 } })
    await engine.start()
    const committed = () => events.flatMap((event) => (event.type === 'epoch-committed' ? [event.records] : []))
    log.give('in', 0, 0, [['a', 'x', -1]])
    await rest()
    clock.advance(10)
    await rest()
    expect([committed(), offsets(log)]).toEqual([[1], [[1]]])
    log.give('in', 0, 1, [
      ['a', 'x', -1],
      ['a', 'x', 1],
    ])
    await rest()
    clock.advance(10)
    await rest()
    expect([committed(), offsets(log)]).toEqual([
      [1, 2],
      [[1], [3]],
    ])
    await engine.stop()
  })

  it('[W5] [E8] a schedule of a whole node that waits for a busy lane lets a cut drain what has crossed to its lanes, and comes behind it', async () => {
    const hold = gate()
    const called: number[] = []
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('first', { get: () => ({ process: pass as () => void }) }, 'in')
      .addProcessor<string, string, string, string>(
        'work',
        {
          stores: [Stores.keyValue('seen', string, string)],
          get: () => ({
            init: (context) =>
              void context.schedule(
                5,
                'wall-clock-time',
                (at, ctx) => {
                  called.push(at)
                  void ctx.forward({ key: 'k', value: `at ${at}`, timestamp: 1 })
                },
                { scope: 'node' },
              ),
            process: async (record, ctx) => {
              if (record.value === 'slow') await hold.opened
              void ctx.forward(record)
            },
          }),
        },
        'first',
      )
      .addSink('out', 'out', Produced.with(string, string), 'work')
    const { engine, log, clock } = scripted({
      topology,
      config: { 'lanes.count': 2, 'commit.interval.ms': 8, 'default.key.serde': 'string' },
    })
    const values = () =>
      log.commits.map(({ outputs }) => outputs.map(({ value }) => new TextDecoder().decode(value ?? undefined)))
    await engine.start()
    log.give('in', 0, 0, [
      ['a', 'quick', 1],
      ['a', 'slow', 1],
    ])
    await rest()
    clock.advance(5)
    await rest()
    const lane = (key: string) => laneOf(new TextEncoder().encode(key), 2)
    const other = ['b', 'c', 'd', 'e'].find((key) => lane(key) !== lane('a')) as string
    log.give('in', 0, 2, [[other, 'crossed', 1]])
    await rest()
    expect(called).toEqual([])
    clock.advance(3)
    await rest()
    hold.open()
    await rest()
    expect(values()).toEqual([['quick', 'crossed', 'slow']])
    expect(called).toEqual([1_000_008])
    clock.advance(8)
    await rest()
    expect(values()[1]?.[0]).toBe('at 1000008')
    await engine.stop()
  })

  it('[E10] a record that the log gives twice runs once, and is counted', async () => {
    const seen: string[] = []
    const hold = gate()
    const { engine, log } = scripted({
      process: async (record) => {
        seen.push(record.value)
        await hold.opened
      },
    })
    log.give('in', 0, 0, [['a', 'zero', 1]])
    await engine.start()
    await rest()
    log.give('in', 0, 0, [
      ['a', 'zero', 1],
      ['a', 'one', 1],
    ])
    await rest()
    hold.open()
    await rest()
    const { counters } = engine.snapshot()
    await engine.stop()
    expect(seen).toEqual(['zero', 'one'])
    expect(counters.reread_records_total).toBe(1)
    expect(log.commits.at(-1)?.positions).toMatchObject([{ offset: 2, done: [] }])
  })

  it('[W2] [L7] a partition whose next record waits for room is not idle, however long; once all is done it is', async () => {
    const hold = gate()
    const { engine, log, clock } = scripted({
      process: (record) => (record.value === 'slow' ? hold.opened : undefined),
      config: {
        'time.mode': 'watermark',
        'time.idle-after-ms': 50,
        'time.watermark-interval-ms': 10,
        'lanes.queue-capacity': 1,
      },
    })
    await engine.start()
    const state = () => engine.snapshot().clocks.partitions.map(({ idle, lag }) => [idle, lag])
    // One in flight, one in the queue, and one for which there is no room.
    log.give('in', 0, 0, [
      ['a', 'slow', 1],
      ['a', 'x', 1],
      ['a', 'x', 1],
    ])
    await rest()
    const pass = async () => {
      for (let passed = 0; passed < 100; passed += 10) {
        clock.advance(10)
        await rest()
      }
    }
    await pass()
    expect(state()).toEqual([[false, 3]])
    hold.open()
    await rest()
    expect(state()).toEqual([[false, 0]])
    await pass()
    expect(state()).toEqual([[true, 0]])
    await engine.stop()
  })

  it('[F5] previews what one partition does at once by those that hold the clock; idle ones do not', async () => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) =>
            ctx.timers.register({ key: record.key, at: 500, domain: 'event-time' }),
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    const { engine, log, clock } = scripted({
      topology,
      partitions: 2,
      config: {
        'time.mode': 'watermark',
        'time.max-out-of-orderness-ms': 0,
        'time.idle-after-ms': 50,
        'time.watermark-interval-ms': 10,
        'max.task.idle.ms': -1,
      },
    })
    await engine.start()
    // The log has more of partition 0, and so only the other one can become idle.
    log.give('in', 0, 0, [['a', 'x', 100]], { lastStableOffset: 9 })
    log.give('in', 1, 0, [['a', 'x', 100]])
    await rest()
    const preview = () => {
      const { atOnce, blast } = engine.previewFutureTimestamp(1000, 'in', 0)
      return [atOnce, blast].map(({ timers }) => timers.map(({ count }) => count))
    }
    expect(preview()).toEqual([[], [1]])
    for (let passed = 0; passed < 100; passed += 10) {
      clock.advance(10)
      await rest()
    }
    expect(engine.snapshot().clocks.partitions.map(({ idle }) => idle)).toEqual([false, true])
    expect(preview()).toEqual([[1], [1]])
    await engine.stop()
  })

  it('[F5] [F4] previews that a record beyond the bound passes where it endangers nothing', async () => {
    const { engine } = scripted()
    await engine.start()
    expect(engine.previewFutureTimestamp(1_000_000 + 3_600_001, 'in')).toMatchObject({
      wouldBe: 'passed',
      aheadMs: 3_600_001,
      boundMs: 3_600_000,
    })
    await engine.stop()
  })

  it('[E13] lag counts what the log has and is not done; trailing markers count as passed', async () => {
    const { engine, log } = scripted()
    await engine.start()
    log.give('in', 0, 0, [['a', 'x', 1]], { nextOffset: 1, lastStableOffset: 4 })
    await rest()
    expect(engine.snapshot().clocks.partitions[0]).toMatchObject({ position: 1, lag: 3 })
    log.give('in', 0, 1, [], { nextOffset: 4, lastStableOffset: 4 })
    await rest()
    expect(engine.snapshot().clocks.partitions[0]).toMatchObject({ position: 4, lag: 0 })
    await engine.stop()
  })
})

describe('reading several partitions', () => {
  const times = (setup: Setup = {}) => {
    const seen: number[] = []
    return { seen, ...scripted({ partitions: 2, process: (record) => void seen.push(record.timestamp), ...setup }) }
  }

  it('[W4] waits for a partition that is known to have records on the log, as max.task.idle.ms 0 does', async () => {
    const { engine, log, seen } = times()
    log.give('in', 0, 0, [], { nextOffset: 0, lastStableOffset: 1 })
    log.give('in', 1, 0, [['b', 'x', 20]])
    await engine.start()
    await rest()
    expect(seen).toEqual([])
    log.give('in', 0, 0, [['a', 'x', 10]])
    await rest()
    await engine.stop()
    expect(seen).toEqual([10, 20])
  })

  it('[W4] does not wait at −1', async () => {
    const { engine, log, seen } = times({ config: { 'max.task.idle.ms': -1 } })
    log.give('in', 0, 0, [], { nextOffset: 0, lastStableOffset: 1 })
    log.give('in', 1, 0, [['b', 'x', 20]])
    await engine.start()
    await rest()
    await engine.stop()
    expect(seen).toEqual([20])
  })

  it('[W4] waits max.task.idle.ms for a partition that may get records, and no longer', async () => {
    const { engine, log, clock, seen } = times({ config: { 'max.task.idle.ms': 50 } })
    log.give('in', 1, 0, [['b', 'x', 20]])
    await engine.start()
    await rest()
    clock.advance(49)
    log.give('in', 1, 1, [['b', 'x', 30]])
    await rest()
    expect(seen).toEqual([])
    clock.advance(1)
    log.give('in', 1, 2, [['b', 'x', 40]])
    await rest()
    expect(seen).toEqual([20, 30, 40])
    log.give('in', 0, 0, [['a', 'x', 35]])
    await rest()
    log.give('in', 1, 3, [['b', 'x', 50]])
    await rest()
    await engine.stop()
    expect(seen).toEqual([20, 30, 40, 35])
  })

  it('[L7] leaves alone a partition that has 1,000 records waiting, and asks for the others', async () => {
    const { engine, log } = times({
      process: () => new Promise(() => undefined),
      config: { 'lanes.queue-capacity': 1 },
    })
    // Of partition 0 one runs, one is queued, and one is the head, so 999 wait; of partition 1 only the head does not.
    const many = Array.from({ length: 1003 }, (): [string, string, number] => ['b', 'x', 1])
    log.give('in', 0, 0, many.slice(1))
    await engine.start()
    await rest()
    expect(log.requests.at(-1)?.paused).toEqual([])
    log.give('in', 1, 0, many.slice(2))
    await rest()
    expect(log.requests.at(-1)?.paused).toEqual([{ topic: 'in', partition: 1 }])
    log.give('in', 0, 1002, many.slice(0, 1))
    const before = log.requests.length
    await rest()
    expect(log.requests).toHaveLength(before)
  })
})
