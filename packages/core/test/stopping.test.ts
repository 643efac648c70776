import { describe, expect, it } from 'vitest'
import {
  Consumed,
  createEngine,
  ManualClock,
  Produced,
  parseConfig,
  SeededRandom,
  StreamError,
  string,
  Topology,
} from '../src/index.js'
import { gate } from './harness.js'
import { ScriptedLog } from './ScriptedLog.js'

/** Knows what it has yet to call. */
class CountingClock extends ManualClock {
  waiting = 0

  override after(delayMs: number, fn: () => void) {
    let isOver = false
    const over = () => {
      if (!isOver) this.waiting--
      isOver = true
    }
    this.waiting++
    const planned = super.after(delayMs, () => {
      over()
      fn()
    })
    return {
      cancel: () => {
        over()
        planned.cancel()
      },
    }
  }
}

/** Lets everything run that can without time passing. */
async function rest(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A run over a log of Kafka's kind, whose topics are looked through while it runs. */
async function running(process: () => void | Promise<void>) {
  const clock = new CountingClock(1000)
  const log = new ScriptedLog({ in: 1, out: 1 })
  log.kind = 'kafka'
  const config = parseConfig({ 'application.id': 'test', 'lanes.count': 1 })
  const topology = new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor('work', { get: () => ({ process }) }, 'in')
    .addSink('out', 'out', Produced.with(string, string), 'work')
  const engine = createEngine({ topology: topology.compile(config), config, log, clock, random: new SeededRandom(1) })
  await engine.start()
  return { engine, log, clock }
}

describe('a stop', () => {
  it('[E14] ends the fetch that waits at once, whatever a callback does', async () => {
    const hold = gate()
    const { engine, log } = await running(() => hold.opened)
    log.give('in', 0, 0, [['k', 'x', 1]])
    await rest()
    expect(log.isAsked).toBe(true)
    const stopping = engine.stop()
    await rest()
    expect([engine.state, log.isAsked, log.closings]).toEqual(['stopping', false, 0])
    hold.open()
    await stopping
  })

  it('[E4] [E14] ends a restart that is still looking for its topics, and waits for no time to pass', async () => {
    const { engine, log, clock } = await running(() => undefined)
    const hold = gate()
    const topics = log.topics.bind(log)
    let isLooking = false
    log.topics = async (names) => {
      isLooking = true
      await hold.opened
      return topics(names)
    }
    log.fail(new StreamError('no answer', { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true }))
    await rest()
    clock.advance(100)
    await rest()
    expect([engine.state, isLooking]).toEqual(['running', true])
    const stopping = engine.stop()
    await rest()
    hold.open()
    await rest()
    expect([engine.state, clock.waiting]).toEqual(['stopped', 0])
    await stopping
    expect(await engine.finished).toBeUndefined()
  })

  it('[E14] leaves nothing behind that the clock has yet to call', async () => {
    const { engine, log, clock } = await running(() => undefined)
    log.give('in', 0, 0, [['k', 'x', 1]])
    await rest()
    expect(clock.waiting).toBeGreaterThan(1)
    await engine.stop()
    expect([await engine.finished, clock.waiting]).toEqual([undefined, 0])
  })
})
