import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MacrotaskTurns } from '../time/MacrotaskTurns.js'
import { SimulationClock } from './SimulationClock.js'
import { SimulationScheduler } from './SimulationScheduler.js'

let turns: MacrotaskTurns
beforeEach(() => {
  turns = new MacrotaskTurns()
})
afterEach(() => turns.close())

const never = () => false
const make = (seed: number, options: { isSlow?: (owner: string) => boolean; jitterMs?: number } = {}) =>
  new SimulationScheduler({ seed, turn: turns.turn, ...options })

async function orderOf(seed: number): Promise<string> {
  const scheduler = make(seed)
  let order = ''
  for (const name of 'abcdef') scheduler.ready(name, () => (order += name))
  await scheduler.run(never)
  return order
}

describe('SimulationScheduler', () => {
  it('[D2] runs what is ready in an order that the seed picks, and the same for the same seed', async () => {
    const orders = new Set<string>()
    for (let seed = 1; seed <= 30; seed++) orders.add(await orderOf(seed))
    expect(orders.size).toBeGreaterThan(20)
    expect([...orders].every((order) => [...order].sort().join('') === 'abcdef')).toBe(true)
    expect(await orderOf(7)).toBe(await orderOf(7))
  })

  it('[D2] picks the first of the ready ones as well as the last', async () => {
    const firsts = new Set<string>()
    for (let seed = 1; seed <= 40; seed++) firsts.add((await orderOf(seed))[0] as string)
    expect([...firsts].sort().join('')).toBe('abcdef')
  })

  it('[D2] lets every microtask of a task run out before the next one', async () => {
    const scheduler = make(1)
    const log: string[] = []
    const deep = async (name: string) => {
      for (let i = 0; i < 100; i++) await null
      log.push(name)
    }
    for (const name of ['a', 'b', 'c']) scheduler.ready(name, () => void deep(name).then(() => log.push(`${name}!`)))
    await scheduler.run(never)
    expect(log.filter((_, index) => index % 2 === 1)).toEqual(
      log.filter((_, index) => index % 2 === 0).map((n) => `${n}!`),
    )
  })

  it('[D2] moves time only when nothing is ready, and no further than the next planned call', async () => {
    const scheduler = make(3)
    const log: string[] = []
    scheduler.plan(10, 'late', () => log.push(`late@${scheduler.now}`))
    scheduler.plan(4, 'early', () => {
      log.push(`early@${scheduler.now}`)
      scheduler.ready('more', () => log.push(`more@${scheduler.now}`))
    })
    scheduler.ready('now', () => log.push(`now@${scheduler.now}`))
    await scheduler.run(never)
    expect(log).toEqual(['now@0', 'early@4', 'more@4', 'late@10'])
  })

  it('makes a planned call in the past at once, and none that was cancelled, planned or ready', async () => {
    const scheduler = make(3)
    const log: string[] = []
    scheduler.plan(-5, 'past', () => log.push(`past@${scheduler.now}`))
    scheduler.plan(1, 'planned', () => log.push('planned')).cancel()
    scheduler.ready('ready', () => log.push('ready')).cancel()
    const due = scheduler.plan(2, 'due', () => log.push('due'))
    scheduler.plan(2, 'other', () => log.push('other'))
    scheduler.plan(2, 'canceller', () => due.cancel())
    await scheduler.run(never)
    expect(log.slice(0, 1)).toEqual(['past@0'])
    expect(log).not.toContain('planned')
    expect(log).not.toContain('ready')
    expect(log).toContain('other')
  })

  it('[D2] lets an awaited value go on only when picked, with its outcome', async () => {
    const scheduler = make(5)
    const log: string[] = []
    void scheduler.hold(Promise.resolve(4), 'four').then((value) => log.push(`got ${value}`))
    scheduler.hold(Promise.reject(new Error('no')), 'bad').catch((error: Error) => log.push(error.message))
    await turns.turn()
    expect(log).toEqual([])
    await scheduler.run(never)
    expect(log.sort()).toEqual(['got 4', 'no'])
    expect(scheduler.steps).toBe(2)
  })

  it('[D2] says what waits when nothing can go on', async () => {
    const scheduler = make(5)
    scheduler.as('p0[1]', () => scheduler.hold(new Promise(() => undefined), 'call bank'))
    expect(await scheduler.run(never)).toBe('deadlock')
    expect(scheduler.waiting).toEqual(['p0[1]: call bank'])
    scheduler.as('p0[2]', () => scheduler.plan(7, 'timer', () => undefined))
    expect(scheduler.waiting).toEqual(['p0[1]: call bank', 'p0[2]: timer at 7'])
  })

  it('comes back as soon as its condition holds, before another task', async () => {
    const scheduler = make(5)
    for (const name of ['a', 'b', 'c']) scheduler.ready(name, () => undefined)
    expect(await scheduler.run(() => scheduler.steps === 2)).toBe('done')
    expect(scheduler.steps).toBe(2)
  })

  it('gives what a task begins to the owner of the task', async () => {
    const owners: string[] = []
    const scheduler = new SimulationScheduler({ seed: 1, turn: turns.turn, onPick: (owner) => owners.push(owner) })
    scheduler.as('lane', () =>
      scheduler.await(
        1,
        () => scheduler.plan(1, 'later', () => scheduler.ready('last', () => undefined)),
        () => undefined,
      ),
    )
    expect(scheduler.owner).toBe('engine')
    await scheduler.run(never)
    expect(owners).toEqual(['lane', 'lane', 'lane'])
  })

  it('[E7] lets nothing go on that was abandoned, whatever it waited for', async () => {
    const scheduler = make(1)
    const log: string[] = []
    let settle: (value: number) => void = () => undefined
    void scheduler.hold(new Promise<number>((resolve) => (settle = resolve)), 'open').then(() => log.push('open'))
    scheduler.ready('ready', () => log.push('ready'))
    scheduler.plan(1, 'planned', () => log.push('planned'))
    scheduler.abandon()
    settle(1)
    expect(await scheduler.run(never)).toBe('deadlock')
    expect([log, scheduler.waiting]).toEqual([[], []])
  })

  it('picks a slow owner’s tasks seldom, but does pick them', async () => {
    let slowFirst = 0
    for (let seed = 1; seed <= 200; seed++) {
      const order: string[] = []
      const scheduler = make(seed, { isSlow: (owner) => owner === 'slow' })
      for (const owner of ['slow', 'quick', 'quick'])
        scheduler.as(owner, () => scheduler.ready(owner, () => order.push(owner)))
      await scheduler.run(never)
      if (order[0] === 'slow') slowFirst++
      expect(order).toHaveLength(3)
    }
    expect(slowFirst).toBeGreaterThan(0)
    expect(slowFirst).toBeLessThan(30)
  })

  it('comes late by up to the jitter, never early', async () => {
    const seen = new Set<number>()
    for (let seed = 1; seed <= 60; seed++) {
      const scheduler = make(seed, { jitterMs: 3 })
      scheduler.plan(10, 'timer', () => seen.add(scheduler.now))
      await scheduler.run(never)
    }
    expect([...seen].sort()).toEqual([10, 11, 12, 13])
  })
})

describe('SimulationClock', () => {
  it('[W1] tells virtual time; only its wall clock jumps', async () => {
    const scheduler = make(1)
    const clock = new SimulationClock(scheduler, 1000)
    const log: string[] = []
    clock.after(5, () => {
      log.push(`${clock.now()}/${clock.monotonic()}`)
      clock.jump(-200)
      log.push(`${clock.now()}/${clock.monotonic()}`)
      void clock.yield().then(() => log.push('yielded'))
    })
    await scheduler.run(never)
    expect(log).toEqual(['1005/5', '805/5', 'yielded'])
  })
})
