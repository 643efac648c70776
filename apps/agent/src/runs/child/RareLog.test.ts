import type { UnnumberedRareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { RareLog } from './RareLog.js'

const log = (message: string): UnnumberedRareEvent => ({ type: 'log', at: 1, level: 'info', message })
const dropped = (node: string, reason = 'null_key', count = 1): UnnumberedRareEvent => ({
  type: 'dropped',
  at: 1,
  reason,
  node,
  coordinates: null,
  detail: '',
  count,
})

describe('rare events of a frame', () => {
  it('are numbered over the run, from 1 without gaps', () => {
    const rare = new RareLog()
    rare.add(log('a'))
    rare.add(log('b'))
    expect(rare.take().map(({ n }) => n)).toEqual([1, 2])
    rare.add(log('c'))
    expect(rare.take().map(({ n }) => n)).toEqual([3])
    expect(rare.take()).toEqual([])
  })

  it('hold drops of one reason at one node as one with a count, within a frame', () => {
    const rare = new RareLog()
    rare.add(dropped('a'))
    rare.add(dropped('b'))
    rare.add(dropped('a', 'null_key', 2))
    rare.add(dropped('a', 'late_window'))
    expect(rare.take()).toMatchObject([
      { n: 1, node: 'a', count: 3 },
      { n: 2, node: 'b', count: 1 },
      { n: 3, node: 'a', reason: 'late_window', count: 1 },
    ])
    rare.add(dropped('a'))
    expect(rare.take()).toMatchObject([{ n: 4, node: 'a', count: 1 }])
  })

  it('are cut at a thousand, but for those that explain a run; the gap in n says how many', () => {
    const rare = new RareLog()
    for (let n = 0; n < 1_000; n++) rare.add(log(''))
    rare.add(log('cut'))
    rare.add(dropped('cut'))
    rare.add(dropped('cut'))
    rare.add({ type: 'state', at: 1, from: 'running', to: 'failed' })
    const taken = rare.take()
    expect(taken).toHaveLength(1_001)
    expect(taken.at(-2)?.n).toBe(1_000)
    expect(taken.at(-1)).toMatchObject({ n: 1_004, type: 'state' })
  })
})
