import { describe, expect, it } from 'vitest'
import type { InternalTopics } from '../RecordLog.js'
import { Trimming } from './Trimming.js'

const none = new Map<string, readonly number[]>()

/** Topics of one partition that tell what was deleted, and end where the test says. */
function trimming(starts: readonly (readonly [string, readonly number[]])[] = [['log', [5]]]) {
  const ends = new Map([
    ['log', 50],
    ['epochs', 7],
  ])
  const calls: string[] = []
  const told: string[] = []
  let refuse: Error | undefined
  let held: Promise<void> | undefined
  const internal = {
    deleteBelow: async (topic: string, offsets: readonly number[]) => {
      calls.push(`${topic} ${offsets.join(',')}`)
      await held
      if (refuse !== undefined) throw refuse
    },
    bounds: async (topic: string) => [{ start: 0, end: ends.get(topic) as number }],
  } as unknown as InternalTopics
  const made = new Trimming(internal, 'epochs', new Map(starts), {
    ends: (topic, offsets) => told.push(`${topic} ends at ${offsets.join(',')}`),
    failed: (topic, error) => told.push(`${topic}: ${(error as Error).message}`),
  })
  return {
    made,
    calls,
    told,
    ends,
    fail: (error: Error | undefined) => {
      refuse = error
    },
    hold: () => {
      let go = () => {}
      held = new Promise((resolve) => {
        go = resolve
      })
      return go
    },
    commit: async (needed: ReadonlyMap<string, readonly number[]> = none) => {
      made.committed(needed)
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('[E12] trimming', () => {
  it('deletes what is not needed, once, and hears where the log ends', async () => {
    const { commit, calls, told } = trimming()
    await commit(new Map([['log', [6]]]))
    await commit(new Map([['log', [6]]]))
    expect(calls).toEqual(['log 6'])
    expect(told).toEqual(['log ends at 50'])
  })

  it('asks for nothing below where the log begins', async () => {
    const { commit, calls } = trimming([['log', [5]]])
    await commit(new Map([['log', [5]]]))
    expect(calls).toEqual([])
  })

  it('asks again as soon as one partition has more to give', async () => {
    const { commit, calls } = trimming([['log', [5, 5]]])
    await commit(new Map([['log', [6, 5]]]))
    await commit(new Map([['log', [6, 6]]]))
    expect(calls).toEqual(['log 6,5', 'log 6,6'])
  })

  it('catches up with what has become free while it was at work', async () => {
    const { commit, calls, hold } = trimming()
    const go = hold()
    await commit(new Map([['log', [6]]]))
    await commit(new Map([['log', [8]]]))
    await commit(new Map([['log', [9]]]))
    expect(calls).toEqual(['log 6'])
    go()
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).toEqual(['log 6', 'log 9'])
  })

  it('tells of a failure, leaves it, and tries again when there is more to go', async () => {
    const { commit, calls, told, fail } = trimming()
    fail(new Error('not now'))
    await commit(new Map([['log', [6]]]))
    await commit(new Map([['log', [6]]]))
    expect(told).toEqual(['log: not now'])
    fail(undefined)
    await commit(new Map([['log', [7]]]))
    expect(calls.filter((call) => call.startsWith('log'))).toEqual(['log 6', 'log 7'])
  })

  it('waits at the close for what is under way, and does no more', async () => {
    const { made, commit, calls, hold } = trimming()
    const go = hold()
    await commit(new Map([['log', [6]]]))
    await commit(new Map([['log', [9]]]))
    let closed = false
    const closing = made.close().then(() => {
      closed = true
    })
    await Promise.resolve()
    expect(closed).toBe(false)
    go()
    await closing
    await commit(new Map([['log', [10]]]))
    expect(calls).toEqual(['log 6'])
  })
})

describe('[E9] [E12] epoch records', () => {
  it('of earlier runs go once two epochs have committed behind them', async () => {
    const { commit, calls, ends } = trimming()
    await commit()
    ends.set('epochs', 9)
    await commit()
    expect(calls).toEqual([])
    await commit()
    expect(calls).toEqual(['epochs 7'])
  })

  it('are looked for again soon while the log knows of none', async () => {
    const { commit, calls, ends } = trimming()
    ends.set('epochs', 0)
    for (let i = 0; i < 3; i++) await commit()
    ends.set('epochs', 5)
    await commit()
    expect(calls).toEqual([])
    for (let i = 0; i < 3; i++) await commit()
    expect(calls).toEqual(['epochs 5'])
  })

  it('of this run go a thousand epochs later', async () => {
    const { commit, calls, ends } = trimming()
    for (let i = 0; i < 3; i++) await commit()
    ends.set('epochs', 2000)
    for (let i = 0; i < 999; i++) await commit()
    expect(calls).toEqual(['epochs 7'])
    await commit()
    expect(calls).toEqual(['epochs 7', 'epochs 7'])
    for (let i = 0; i < 1000; i++) await commit()
    expect(calls.at(-1)).toBe('epochs 2000')
  })

  it('stay where the log does not tell where they end', async () => {
    const { made, calls, told } = trimming()
    const failing = new Trimming(
      {
        bounds: async () => {
          throw new Error('no answer')
        },
        deleteBelow: async () => calls.push('deleted'),
      } as unknown as InternalTopics,
      'epochs',
      none,
      { ends: () => undefined, failed: (topic, error) => told.push(`${topic}: ${(error as Error).message}`) },
    )
    for (let i = 0; i < 10; i++) {
      failing.committed(none)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await made.close()
    expect(calls).toEqual([])
    expect(told).toEqual(['epochs: no answer'])
  })
})
