import { describe, expect, it } from 'vitest'
import type { CompiledSubTopology } from '../../topology/CompiledTopology.js'
import type { Punctuation } from '../firing/Punctuation.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import { Lane, type LaneHost } from './Lane.js'
import { SubTopologyRuntime } from './SubTopologyRuntime.js'

const item = (name: string) => ({ name, order: -1 }) as unknown as WorkItem
const nameOf = (taken: WorkItem | undefined) => (taken as unknown as { name: string } | undefined)?.name ?? '-'

/** A lane over sub-topologies, most downstream first, whose host writes down what happens. */
function lane(subs: readonly SubTopologyRuntime[], overrides: Partial<LaneHost> = {}) {
  const trace: string[] = []
  const host: LaneHost & { halted: boolean; cutting: boolean } = {
    halted: false,
    cutting: false,
    takeDueTimer: () => undefined,
    takeDuePunctuation: () => undefined,
    atRest: () => undefined,
    run: (taken) => void trace.push(nameOf(taken)),
    finished: () => undefined,
    awaited: () => undefined,
    failed: (error, taken) => void trace.push(`failed ${nameOf(taken)}: ${(error as Error).message}`),
    ready: (ready) => ready.work(),
    monotonic: () => 0,
    overBudget: () => false,
    defer: () => void trace.push('defer'),
    ...overrides,
  }
  return { made: new Lane(0, subs, host), trace, host }
}

const sub = () => new SubTopologyRuntime({ index: 0, laneCount: 1 } as CompiledSubTopology, 1, 10)
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('Lane', () => {
  it('[L8] runs what is there to its end without waiting', () => {
    const only = sub()
    const { made, trace } = lane([only])
    for (const name of ['a', 'b']) only.enqueue(item(name), 0, false)
    made.makeReady()
    expect(trace).toEqual(['a', 'b'])
    expect(made.busy).toBe(false)
  })

  it('[L1] takes its next item when the promise has settled, and counts the time', async () => {
    const only = sub()
    let now = 100
    let settle: () => void = () => undefined
    const begun: string[] = []
    const { made } = lane([only], {
      monotonic: () => now,
      run: (taken) => {
        begun.push(nameOf(taken))
        return new Promise<void>((resolve) => {
          settle = resolve
        })
      },
    })
    for (const name of ['a', 'b']) only.enqueue(item(name), 0, false)
    made.makeReady()
    made.makeReady()
    made.work()
    expect([begun, made.busy, made.pendingSince]).toEqual([['a'], true, 100])
    now = 130
    settle()
    await tick()
    expect([begun, made.busyMs]).toEqual([['a', 'b'], 30])
  })

  it('[L7] serves the most downstream queue first', () => {
    const [down, up] = [sub(), sub()]
    const { made, trace } = lane([down, up])
    up.enqueue(item('up'), 0, false)
    down.enqueue(item('down'), 0, true)
    made.makeReady()
    expect(trace).toEqual(['down', 'up'])
  })

  it('[L7] passes over a sub-topology whose downstream is over capacity', () => {
    const [full, up, other] = [sub(), sub(), sub()]
    up.downstream.push(full)
    full.overCapacity = 1
    const { made, trace } = lane([up, other])
    up.enqueue(item('held'), 0, false)
    other.enqueue(item('free'), 0, false)
    made.makeReady()
    expect(trace).toEqual(['free'])
  })

  it('[E8] in a cut runs boundary items alone, and the timers before them', () => {
    const only = sub()
    only.timerNodes.push({} as NodeRuntime)
    const due = [item('timer')]
    const { made, trace, host } = lane([only], { takeDueTimer: () => due.shift() })
    host.cutting = true
    only.enqueue(item('source'), 0, false)
    made.makeReady()
    expect(trace).toEqual([])
    only.enqueue(item('boundary'), 0, true)
    made.makeReady()
    expect(trace).toEqual(['timer', 'boundary'])
  })

  it('[W5] while held starts nothing but what it is held for, and says when it rests', async () => {
    const only = sub()
    let settle: () => void = () => undefined
    const rested: boolean[] = []
    const { made, trace } = lane([only], {
      run: (taken) => {
        trace.push(nameOf(taken))
        return nameOf(taken) === 'slow' ? new Promise<void>((resolve) => (settle = resolve)) : undefined
      },
      atRest: () => rested.push(made.busy),
    })
    for (const name of ['slow', 'waits']) only.enqueue(item(name), 0, false)
    made.makeReady()
    made.held = true
    expect(rested).toEqual([])
    settle()
    await tick()
    expect([trace, rested]).toEqual([['slow'], [false]])
    made.first = item('first')
    made.makeReady()
    made.makeReady()
    expect(trace).toEqual(['slow', 'first'])
    made.held = false
    made.makeReady()
    expect(trace).toEqual(['slow', 'first', 'waits'])
  })

  it('[W5] asks for schedules after timers and before records, where there are any, and not in a cut', () => {
    const [plain, only] = [sub(), sub()]
    only.timerNodes.push({} as NodeRuntime)
    only.addPunctuation(0, { cancelled: false } as Punctuation)
    const due = { timer: [item('timer')], schedule: [item('schedule')] }
    const asked: unknown[] = []
    const { made, trace, host } = lane([plain, only], {
      takeDueTimer: () => due.timer.shift(),
      takeDuePunctuation: (_lane, of) => {
        asked.push(of)
        return due.schedule.shift()
      },
    })
    host.cutting = true
    only.enqueue(item('boundary'), 0, true)
    made.makeReady()
    expect([trace, asked]).toEqual([['timer', 'boundary'], []])
    host.cutting = false
    due.timer.push(item('second timer'))
    only.enqueue(item('record'), 0, false)
    made.makeReady()
    expect(trace.slice(2)).toEqual(['second timer', 'schedule', 'record'])
    expect(asked.every((of) => of === only)).toBe(true)
  })

  it('[W5] a lane that its own schedule holds takes no record instead', () => {
    const only = sub()
    only.addPunctuation(0, { cancelled: false } as Punctuation)
    const { made, trace } = lane([only], {
      takeDuePunctuation: (asking) => {
        asking.held = true
        return undefined
      },
    })
    only.enqueue(item('record'), 0, false)
    made.makeReady()
    expect(trace).toEqual([])
  })

  it('[T5] asks for timers before each record, and says whether one waits', () => {
    const only = sub()
    only.timerNodes.push({} as NodeRuntime)
    const asked: boolean[] = []
    const { made } = lane([only], {
      takeDueTimer: (_lane, _sub, recordsWait) => {
        asked.push(recordsWait)
        return undefined
      },
    })
    only.enqueue(item('a'), 0, false)
    made.makeReady()
    expect(asked).toEqual([true, false])
  })

  it('starts nothing once the run is halted', () => {
    const only = sub()
    const { made, trace, host } = lane([only])
    host.halted = true
    only.enqueue(item('a'), 0, false)
    made.makeReady()
    expect(trace).toEqual([])
  })

  it('[L12] over budget it goes on in a later macrotask, if it has more to do', () => {
    const only = sub()
    const { made, trace } = lane([only], { overBudget: () => true })
    for (const name of ['a', 'b']) only.enqueue(item(name), 0, false)
    made.makeReady()
    expect(trace).toEqual(['a', 'defer'])
    made.makeReady()
    expect(trace).toEqual(['a', 'defer', 'b'])
    const timed = sub()
    timed.timerNodes.push({} as NodeRuntime)
    const withTimers = lane([timed], { overBudget: () => true })
    timed.enqueue(item('a'), 0, false)
    withTimers.made.makeReady()
    expect(withTimers.trace).toEqual(['a', 'defer'])
  })

  it('[L12] over budget it lets others in between callbacks that settle, too', async () => {
    const only = sub()
    let spent = false
    const begun: string[] = []
    const { made, trace } = lane([only], {
      overBudget: () => spent,
      run: (taken) => {
        begun.push(nameOf(taken))
        return Promise.resolve()
      },
    })
    for (const name of ['a', 'b', 'c']) only.enqueue(item(name), 0, false)
    made.makeReady()
    await tick()
    expect([begun, trace]).toEqual([['a', 'b', 'c'], []])
    spent = true
    for (const name of ['d', 'e']) only.enqueue(item(name), 0, false)
    made.makeReady()
    await tick()
    expect([begun.slice(3), trace]).toEqual([['d'], ['defer']])
    made.makeReady()
    await tick()
    expect([begun.slice(3), trace]).toEqual([['d', 'e'], ['defer']])
  })

  it('[G2] tells what failed and with which item, at once or later, and goes on when the run does', async () => {
    const only = sub()
    const { made, trace } = lane([only], {
      run: (taken) => {
        if (nameOf(taken) === 'now') throw new Error('x')
        return Promise.reject(new Error('y'))
      },
    })
    only.enqueue(item('now'), 0, false)
    made.makeReady()
    expect(trace).toEqual(['failed now: x', 'defer'])
    only.enqueue(item('later'), 0, false)
    made.makeReady()
    await tick()
    expect(trace.slice(2)).toEqual(['failed later: y'])
    expect(made.busy).toBe(false)
  })

  it('what goes wrong behind an item is told without it, so that it does not finish twice', async () => {
    const only = sub()
    const fail = () => {
      throw new Error('behind')
    }
    const now = lane([only], { finished: fail })
    only.enqueue(item('a'), 0, false)
    now.made.makeReady()
    expect(now.trace).toEqual(['a', 'failed -: behind', 'defer'])
    const later = lane([only], { finished: fail, run: () => Promise.resolve() })
    only.enqueue(item('b'), 0, false)
    later.made.makeReady()
    await tick()
    expect(later.trace).toEqual(['failed -: behind'])
  })
})

describe('a lane that is idle', () => {
  it('[L8] runs an item at once, past its queue', () => {
    const finished: string[] = []
    const { made, trace } = lane([sub()], { finished: (taken) => void finished.push(nameOf(taken)) })
    expect(made.isIdle).toBe(true)
    expect(made.runAtOnce(item('a'))).toBe(true)
    expect([trace, finished, made.busy, made.isIdle]).toEqual([['a'], ['a'], false, true])
  })

  it.each<[string, (parts: ReturnType<typeof lane>, subs: readonly SubTopologyRuntime[]) => void]>([
    ['an item waits for its source', (_, [, up]) => up?.enqueue(item('x'), 0, false)],
    ['an item waits at its boundary', (_, [, up]) => up?.enqueue(item('x'), 0, true)],
    ['an item waits in another sub-topology of the lane', (_, [down]) => down?.enqueue(item('x'), 0, true)],
    ['it has keyed timers', (_, [, up]) => up?.timerNodes.push({} as NodeRuntime)],
    ['another sub-topology of the lane has keyed timers', (_, [down]) => down?.timerNodes.push({} as NodeRuntime)],
    ['it has a schedule', (_, [, up]) => up?.addPunctuation(0, {} as Punctuation)],
    ['it is held', ({ made }) => Object.assign(made, { held: true })],
    ['the run has failed', ({ host }) => Object.assign(host, { halted: true })],
    ['a cut is under way', ({ host }) => Object.assign(host, { cutting: true })],
    [
      'what it feeds is over capacity',
      (_, [down, up]) => up?.downstream.push(Object.assign(down ?? sub(), { overCapacity: 1 })),
    ],
  ])('[L8] is not idle when %s', (_name, change) => {
    const subs = [sub(), sub()]
    const parts = lane(subs)
    expect(parts.made.isIdle).toBe(true)
    change(parts, subs)
    expect(parts.made.isIdle).toBe(false)
  })

  it('[L1] is not idle while it runs, is about to, or a callback of it is pending', async () => {
    const seen: boolean[] = []
    let settle: () => void = () => undefined
    const parts = lane([sub()], {
      ready: () => undefined,
      run: () => {
        seen.push(parts.made.isIdle)
        return new Promise<void>((resolve) => {
          settle = resolve
        })
      },
    })
    const { made } = parts
    expect(made.runAtOnce(item('a'))).toBe(false)
    seen.push(made.isIdle)
    settle()
    await tick()
    seen.push(made.isIdle)
    expect(seen).toEqual([false, false, false])
    made.work()
    expect(made.isIdle).toBe(true)
  })

  it('[L1] goes on with what its item has queued on it', () => {
    const only = sub()
    const { made, trace } = lane([only], {
      run: (taken) => {
        trace.push(nameOf(taken))
        if (nameOf(taken) !== 'a') return
        only.enqueue(item('b'), 0, true)
        made.makeReady()
        trace.push('a is over')
      },
    })
    expect(made.runAtOnce(item('a'))).toBe(true)
    expect(trace).toEqual(['a', 'a is over', 'b'])
  })

  it('[G2] tells which item has failed, and that it has not run to its end', () => {
    const { made, trace } = lane([sub()], {
      run: () => {
        throw new Error('no')
      },
    })
    expect(made.runAtOnce(item('a'))).toBe(false)
    expect([trace, made.busy]).toEqual([['failed a: no'], false])
    const late = lane([sub()], {
      finished: () => {
        throw new Error('late')
      },
    })
    expect(late.made.runAtOnce(item('b'))).toBe(false)
    expect(late.trace).toEqual(['b', 'failed -: late'])
  })
})
