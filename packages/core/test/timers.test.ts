import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type ProcessorSupplier,
  Produced,
  type Record,
  string,
  type Timer,
  type TimerDomain,
  Topology,
} from '../src/index.js'
import { TopologyTestDriver } from '../src/testing/index.js'
import { harness } from './harness.js'

type Context = CallbackContext<string, string, string>

/**
 * A processor driven by its input: `+name@at` registers, `-name@at` deletes, `.` alone does nothing.
 * The key is the record's unless the command begins with `key:`.
 */
function commands(domain: TimerDomain, onTimer?: (timer: Timer<string>, ctx: Context) => void): Topology {
  const run = (command: string, key: string, ctx: Context) => {
    const [, other, sign, name, at] = /^(?:(\w+):)?([+-])(\w*)@?(-?[\d.eNa]*)$/.exec(command) ?? []
    if (sign === undefined) return
    const target = { key: other ?? key, at: Number(at), domain, ...(name ? { name } : {}) }
    if (sign === '+') ctx.timers.register(target)
    else ctx.timers.delete(target)
  }
  const supplier: ProcessorSupplier<string, string, string, string> = {
    timers: [domain],
    get: () => ({
      process(record: Record<string, string>, ctx: Context) {
        for (const command of record.value.split(' ')) run(command, record.key, ctx)
      },
      onTimer(timer, ctx) {
        if (onTimer) onTimer(timer, ctx)
        else void ctx.forward({ key: timer.key, value: `${timer.name ?? ''}@${timer.at}` })
      },
    }),
  }
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor('timed', supplier, 'in')
    .addSink('out', 'out', Produced.with(string, string), 'timed')
}

function drive(topology: Topology, config: { [key: string]: unknown } = {}) {
  const driver = new TopologyTestDriver(topology, { 'application.id': 't', ...config }, { initialWallClockMs: 1000 })
  const input = driver.createInputTopic('in', string, string)
  const output = driver.createOutputTopic('out', string, string)
  return {
    driver,
    input,
    values: () => output.readRecordsToList().map((record) => `${record.key}=${record.value}`),
    output,
  }
}

describe('keyed timers', () => {
  it('[T1] refuses a domain that the supplier does not declare', async () => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) =>
            ctx.timers.register({ key: record.key, at: 1, domain: 'processing-time' }),
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    const { input } = drive(topology)
    await expect(input.pipeInput('k', '', 1)).rejects.toThrow(/"timed".*"processing-time".*does not declare/s)
  })

  it.each(['NaN', '-1', '1.5', '9007199254740992'])('[T1] refuses the time %s', async (at) => {
    const { driver, input } = drive(commands('event-time'))
    await expect(input.pipeInput('k', `+@${at}`, 1)).rejects.toThrow(/timer/)
    expect(driver.pendingTimers('timed')).toBe(0)
  })

  it('[T1] takes 0 and 2^53−1', async () => {
    const { driver, input } = drive(commands('event-time'))
    await input.pipeInput('k', '+@9007199254740991', 0)
    expect(driver.pendingTimers('timed')).toBe(1)
    await input.pipeInput('k', '+@0', 0)
    expect(driver.pendingTimers('timed')).toBe(1)
  })

  it('[T1] refuses a null key', async () => {
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          process: (record: Record<string, string>, ctx: Context) =>
            ctx.timers.register({ key: record.key, at: 5, domain: 'event-time' }),
          onTimer: () => undefined,
        }),
      },
      'in',
    )
    const { input } = drive(topology)
    await expect(input.pipeInput(null, '', 1)).rejects.toThrow(/null key/)
  })

  it('refuses at the start a processor that declares timers and has no onTimer', () => {
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('timed', { timers: ['event-time'], get: () => ({ process: () => undefined }) }, 'in')
    expect(() => drive(topology)).toThrow(/"timed".*onTimer/)
  })

  it('[T2] [G-89] unnamed: one per key and time; named: one per key and name, moved by registering again', async () => {
    const { input, values } = drive(commands('event-time'))
    await input.pipeInput('a', '+@20 +@20 +@30 +x@20 +x@25 +y@20', 10)
    await input.pipeInput('b', '+@20', 10)
    await input.pipeInput('z', '.', 100)
    expect(values()).toEqual(['a=@20', 'a=y@20', 'b=@20', 'a=x@25', 'a=@30'])
  })

  it('[T5] [G-86] fires at equality and never before, in order of time, key, name', async () => {
    const { input, values } = drive(commands('event-time'))
    await input.pipeInput('b', '+@20 +n@20', 1)
    await input.pipeInput('a', '+@20 +@19', 1)
    await input.pipeInput('z', '.', 18)
    expect(values()).toEqual([])
    await input.pipeInput('z', '.', 19)
    expect(values()).toEqual(['a=@19'])
    await input.pipeInput('z', '.', 20)
    expect(values()).toEqual(['a=@20', 'b=@20', 'b=n@20'])
  })

  it('[T5] fires the timers of all processors and domains of a lane in one order', async () => {
    const fired: string[] = []
    const timed = (name: string, due: readonly (readonly [TimerDomain, number])[]) => ({
      timers: ['event-time', 'processing-time'] as const,
      sameKey: true as const,
      get: () => ({
        process(record: Record<string, string>, ctx: Context) {
          if (record.value === 'arm')
            for (const [domain, at] of due) ctx.timers.register({ key: record.key, at, domain })
          void ctx.forward(record)
        },
        onTimer: ({ domain, at }: Timer<string>) => void fired.push(`${name} ${domain} ${at}`),
      }),
    })
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor(
        'first',
        timed('first', [
          ['event-time', 8],
          ['processing-time', 6],
        ]),
        'in',
      )
      .addProcessor(
        'second',
        timed('second', [
          ['event-time', 5],
          ['processing-time', 7],
        ]),
        'first',
      )
      .addSink('out', 'out', Produced.with(string, string), 'second')
    const { driver, input } = drive(topology)
    // The clocks of both have to be there when all four are registered.
    await input.pipeInput('k', 'move', 10)
    await input.pipeInput('k', 'arm', 10)
    expect(fired).toEqual([
      'second event-time 5',
      'first processing-time 6',
      'second processing-time 7',
      'first event-time 8',
    ])
    await driver.close()
  })

  it.each([
    ['b@x', 'a@x', ['second a x', 'first b x']],
    ['a@x', 'b@x', ['first a x', 'second b x']],
    ['k@y', 'k@x', ['second k x', 'first k y']],
    ['k@x', 'k@y', ['first k x', 'second k y']],
  ])('[T5] of two processors, those of one time fire by key, then name: %s and %s', async (first, second, expected) => {
    const fired: string[] = []
    const timed = (node: string, target: string) => ({
      timers: ['event-time'] as const,
      sameKey: true as const,
      get: () => ({
        process(record: Record<string, string>, ctx: Context) {
          const [key = '', name = ''] = target.split('@')
          if (record.value === 'arm') ctx.timers.register({ key, name, at: 5, domain: 'event-time' })
          void ctx.forward(record)
        },
        onTimer: ({ key, name }: Timer<string>) => void fired.push(`${node} ${key} ${name}`),
      }),
    })
    const topology = new Topology()
      .addSource('in', Consumed.with(string, string), 'in')
      .addProcessor('first', timed('first', first), 'in')
      .addProcessor('second', timed('second', second), 'first')
      .addSink('out', 'out', Produced.with(string, string), 'second')
    const { driver, input } = drive(topology)
    await input.pipeInput('k', 'move', 10)
    await input.pipeInput('k', 'arm', 10)
    expect(fired).toEqual(expected)
    await driver.close()
  })

  it('[T5] a timer in the past fires at once, after the callback that registered it', async () => {
    const { input, values } = drive(commands('event-time'))
    await input.pipeInput('a', '.', 100)
    await input.pipeInput('a', '+@50', 60)
    expect(values()).toEqual(['a=@50'])
  })

  it('[T5] [G-84] fires processing-time timers by the wall clock alone, and never early', async () => {
    const { driver, input, values } = drive(commands('processing-time'))
    await input.pipeInput('a', '+@1010', 50)
    await input.pipeInput('a', '.', 5000)
    await driver.advanceWallClockTime(9)
    expect(values()).toEqual([])
    await driver.advanceWallClockTime(1)
    expect(values()).toEqual(['a=@1010'])
  })

  it('[T5] [G-83] a loop of timers that are due already is bounded to 1,000 before a waiting record gets through', async () => {
    let fired = 0
    let firedBeforeRecord = -1
    let seen = 0
    const topology = new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          async process(record: Record<string, string>, ctx: Context) {
            seen++
            if (record.value === 'loop') {
              ctx.timers.register({ key: record.key, at: 0, domain: 'event-time' })
              await new Promise((resolve) => setImmediate(resolve))
            } else firedBeforeRecord = fired
          },
          onTimer(timer, ctx: Context) {
            if (fired++ < 5000)
              ctx.timers.register({ key: timer.key, at: 0, domain: 'event-time', name: String(fired) })
          },
        }),
      },
      'in',
    )
    const h = await harness(topology, { in: 1 }, { 'lanes.count': 1, 'time.mode': 'stream-time' })
    await h.send('in', [
      ['a', 'first', 10],
      ['a', 'loop', 11],
      ['a', 'next', 12],
    ])
    await h.engine.start()
    await h.drained()
    await h.event('epoch-committed', () => fired > 5000)
    await h.engine.stop()
    expect(seen).toBe(3)
    expect(firedBeforeRecord).toBeGreaterThanOrEqual(1000)
    expect(firedBeforeRecord).toBeLessThanOrEqual(1001)
  })

  it('[T6] [G-88] a due timer that an earlier callback deletes or moves does not fire', async () => {
    const topology = commands('event-time', (timer, ctx) => {
      void ctx.forward({ key: timer.key, value: `${timer.name ?? ''}@${timer.at}` })
      if (timer.name !== 'first') return
      ctx.timers.delete({ key: 'b', domain: 'event-time', name: 'second' })
      ctx.timers.register({ key: 'c', domain: 'event-time', name: 'third', at: 90 })
    })
    const { driver, input, values } = drive(topology)
    await input.pipeInput('a', 'a:+first@20 b:+second@21 c:+third@22', 10)
    await input.pipeInput('z', '.', 50)
    expect(values()).toEqual(['a=first@20'])
    expect(driver.pendingTimers('timed')).toBe(1)
  })

  it('[T7] a timer for another key fires on that key, with its own lane', async () => {
    const h = await harness(commands('event-time'), { in: 1, out: 1 }, { 'lanes.count': 8, 'time.mode': 'stream-time' })
    await h.send('in', [
      ['a', 'k0:+@20', 10],
      ['a', '.', 30],
    ])
    await h.engine.start()
    const fired = await h.event('timer-fired')
    await h.drained()
    await h.engine.stop()
    expect(fired).toMatchObject({ key: 'k0', lane: 6, at: 20, forwarded: 1 })
  })

  it('[T7] the last call of an epoch wins, whichever lane makes it', async () => {
    const { input, values } = drive(commands('event-time'))
    await input.pipeInput('k', '+x@20', 10)
    await input.pipeInput('other', 'k:+x@30', 10)
    await input.pipeInput('k', '-x', 11)
    await input.pipeInput('other', 'k:+x@40', 12)
    await input.pipeInput('z', '.', 100)
    expect(values()).toEqual(['k=x@40'])
  })

  it('[T11] gives onTimer key, time, domain and name, and headers that are empty', async () => {
    const seen: unknown[] = []
    const topology = commands('event-time', (timer, ctx) => {
      seen.push({ ...timer }, ctx.recordMetadata)
      void ctx.forward({ key: timer.key, value: 'x' })
    })
    const { input, output } = drive(topology)
    await input.pipeInput('a', '+n@20', 10)
    await input.pipeInput('a', '.', 20)
    expect(seen).toEqual([{ key: 'a', at: 20, domain: 'event-time', name: 'n' }, undefined])
    expect(output.readRecord().headers.size).toBe(0)
  })

  it('[T12] forwards at the timer time for event time, at the event clock for processing time', async () => {
    const event = drive(commands('event-time'))
    await event.input.pipeInput('a', '+@20', 10)
    await event.input.pipeInput('a', '.', 70)
    expect(event.output.readRecord().timestamp).toBe(20)
    const processing = drive(commands('processing-time'))
    await processing.input.pipeInput('a', '+@1005', 10)
    await processing.input.pipeInput('a', '.', 70)
    await processing.driver.advanceWallClockTime(500)
    expect(processing.output.readRecord().timestamp).toBe(70)
  })

  it('[T4] [T3] reads the key back with the timer key serde that wrote it', async () => {
    const { input, values } = drive(commands('event-time'))
    await input.pipeInput('日本', '+@5', 1)
    await input.pipeInput('a', '.', 5)
    expect(values()).toEqual(['日本=@5'])
  })
})
