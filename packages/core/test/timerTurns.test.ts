import { describe, expect, it } from 'vitest'
import {
  type CallbackContext,
  Consumed,
  type ProcessorSupplier,
  Produced,
  type Record,
  string,
  type Timer,
  Topology,
} from '../src/index.js'
import { laneOf } from '../src/lanes/murmur3.js'
import { harness } from './harness.js'

type Context = CallbackContext<string, string, string>
type Supplier = ProcessorSupplier<string, string, string, string>

const start = () => new Topology().addSource('in', Consumed.with(string, string), 'in')
const oneLane = { 'lanes.count': 1, 'time.mode': 'stream-time' }

describe('the turns of timers', () => {
  it('[T5] go by time, then key, over all nodes of a lane', async () => {
    const fired: string[] = []
    const armedBy = (node: string): Supplier => ({
      timers: ['event-time'],
      get: () => ({
        process({ key, value }: Record<string, string>, ctx: Context) {
          if (value === node || value === 'both') ctx.timers.register({ key, at: 100, domain: 'event-time' })
        },
        onTimer(timer: Timer<string>) {
          fired.push(`${node} ${timer.key}`)
        },
      }),
    })
    const topology = start().addProcessor('one', armedBy('one'), 'in').addProcessor('two', armedBy('two'), 'in')
    const h = await harness(topology, { in: 1 }, oneLane)
    await h.send('in', [
      ['b', 'one', 1],
      ['a', 'two', 2],
      ['c', 'both', 3],
      ['d', 'one', 4],
      ['e', 'two', 5],
      ['x', 'none', 100],
      ['x', 'none', 101],
    ])
    await h.engine.start()
    await h.drained()
    await h.engine.stop()
    expect(fired).toEqual(['two a', 'one b', 'one c', 'two c', 'one d', 'two e'])
  })

  it('[T5] all come before the next record where they were pending before, however many they are', async () => {
    let fired = 0
    let firedBefore = -1
    let nextWaits: () => void = () => undefined
    const waiting = new Promise<void>((resolve) => {
      nextWaits = resolve
    })
    const topology = start().addProcessor(
      'timed',
      {
        timers: ['event-time'],
        get: () => ({
          async process({ key, value }: Record<string, string>, ctx: Context) {
            if (value === 'arm') ctx.timers.register({ key, at: 100, domain: 'event-time' })
            if (value === 'hold') await waiting
            if (value === 'next') firedBefore = fired
          },
          onTimer() {
            fired++
          },
        }),
      },
      'in',
    )
    const h = await harness(topology, { in: 1 }, oneLane)
    const armed = Array.from({ length: 1_500 }, (_, i) => [`k${i}`, 'arm', 1] as const)
    await h.send('in', [...armed, ['hold', 'hold', 200], ['next', 'next', 200]])
    const dispatched = h.event('record-dispatched', (event) => event.key === 'next')
    await h.engine.start()
    await dispatched
    nextWaits()
    await h.drained()
    await h.engine.stop()
    expect([fired, firedBefore]).toEqual([1_500, 1_500])
  })

  it('[T12] two that wait on two lanes at once keep their own times, after others that have not waited', async () => {
    const lane = (key: string) => laneOf(new TextEncoder().encode(key), 2)
    const other = ['b', 'c', 'd', 'e', 'f', 'g'].find((key) => lane(key) !== lane('a')) as string
    let started = 0
    let bothWait: () => void = () => undefined
    const both = new Promise<void>((resolve) => {
      bothWait = resolve
    })
    const topology = start()
      .addProcessor(
        'timed',
        {
          timers: ['event-time'],
          get: () => ({
            process({ key, value }: Record<string, string>, ctx: Context) {
              for (const at of value.split(' ')) {
                if (at !== 'go') ctx.timers.register({ key, at: Number(at), domain: 'event-time' })
              }
            },
            onTimer(timer: Timer<string>, ctx: Context) {
              if (timer.at < 20) return undefined
              if (++started === 2) bothWait()
              return both.then(() => ctx.forward({ key: timer.key, value: String(timer.at) }))
            },
          }),
        },
        'in',
      )
      .addSink('out', 'out', Produced.with(string, string), 'timed')
    const h = await harness(topology, { in: 1, out: 1 }, { 'lanes.count': 2, 'time.mode': 'stream-time' })
    await h.send('in', [
      ['a', '10 20', 1],
      [other, '11 30', 1],
      ['a', 'go', 100],
    ])
    await h.engine.start()
    await h.drained()
    await h.event('epoch-committed', () => started === 2)
    await h.engine.stop()
    const times = (await h.read('out')).map(({ value, timestamp }) => `${value} ${timestamp}`)
    expect(times.sort()).toEqual(['20 20', '30 30'])
  })
})
