import { describe, expect, it } from 'vitest'
import type { CompiledSubTopology } from '../../topology/CompiledTopology.js'
import type { Punctuation } from '../firing/Punctuation.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import type { Lane } from './Lane.js'
import { SubTopologyRuntime } from './SubTopologyRuntime.js'

function sub(capacity: number, lanes = 2, running = lanes) {
  const made = new SubTopologyRuntime({ index: 0, laneCount: lanes } as CompiledSubTopology, running, capacity)
  let woken = 0
  const lane = { makeReady: () => woken++ } as unknown as Lane
  const feeder = new SubTopologyRuntime({ index: 1, laneCount: 1 } as CompiledSubTopology, 1, capacity)
  feeder.lanes = [lane]
  feeder.downstream.push(made)
  made.upstream.push(feeder)
  return { made, feeder, woken: () => woken }
}

const item = (name: string) => ({ name, order: -1 }) as unknown as WorkItem
const nameOf = (taken: WorkItem | undefined) => (taken as unknown as { name: string } | undefined)?.name

describe('the queue of a lane', () => {
  it('[L11] gives source and boundary items in the order in which they came', () => {
    const { made } = sub(10)
    for (const [name, boundary] of [
      ['a', false],
      ['B', true],
      ['C', true],
      ['d', false],
    ] as const) {
      made.enqueue(item(name), 0, boundary)
    }
    expect([0, 1, 2, 3, 4].map(() => nameOf(made.shift(0, false)))).toEqual(['a', 'B', 'C', 'd', undefined])
  })

  it('[E8] in a cut gives boundary items alone; source items stay', () => {
    const { made } = sub(10)
    made.enqueue(item('a'), 0, false)
    made.enqueue(item('B'), 0, true)
    expect([nameOf(made.shift(0, true)), nameOf(made.shift(0, true))]).toEqual(['B', undefined])
    expect(nameOf(made.shift(0, false))).toBe('a')
  })

  it('[L7] has room below its capacity, lane by lane, whatever the items are', () => {
    const { made } = sub(2)
    made.enqueue(item('a'), 0, false)
    expect(made.hasRoom(0)).toBe(true)
    made.enqueue(item('B'), 0, true)
    expect([made.hasRoom(0), made.hasRoom(1)]).toEqual([false, true])
    made.shift(0, false)
    expect(made.hasRoom(0)).toBe(true)
  })

  it('[L7] over capacity stops what feeds it, and wakes it when the last queue is back at capacity', () => {
    const { made, feeder, woken } = sub(1)
    for (const lane of [0, 1]) for (const name of ['a', 'b', 'c']) made.enqueue(item(name), lane, true)
    expect([made.overCapacity, feeder.mayStart]).toEqual([2, false])
    made.shift(0, false)
    made.shift(0, false)
    expect([made.overCapacity, feeder.mayStart, woken()]).toEqual([1, false, 0])
    made.shift(1, false)
    expect(made.overCapacity).toBe(1)
    made.shift(1, false)
    expect([made.overCapacity, feeder.mayStart, woken()]).toEqual([0, true, 1])
    made.shift(1, false)
    made.shift(1, false)
    expect([made.overCapacity, woken()]).toEqual([0, 1])
  })

  it('[L7] at capacity it stops nothing yet', () => {
    const { made, feeder } = sub(1)
    made.enqueue(item('a'), 0, true)
    expect([made.overCapacity, feeder.mayStart, made.mayStart]).toEqual([0, true, true])
  })
})

describe('lanes', () => {
  it('[L3] go round for null keys', () => {
    const { made } = sub(1, 3)
    expect([0, 1, 2, 3].map(() => made.nextLane())).toEqual([0, 1, 2, 0])
  })

  it('[A6] are counted as the topology says, though one runs them all', () => {
    const { made: driver } = sub(1, 3, 1)
    expect([driver.laneCount, driver.running(2), driver.queues.length]).toEqual([3, 0, 1])
    const { made: engine } = sub(1, 3)
    expect(engine.running(2)).toBe(2)
  })

  it('[W5] keeps the schedules of each lane in order, and forgets those that were cancelled', () => {
    const runtime = new SubTopologyRuntime({ index: 0, laneCount: 2 } as CompiledSubTopology, 2, 10)
    const made = Array.from({ length: 4 }, () => ({ cancelled: false }) as { cancelled: boolean })
    made.forEach((punctuation, index) => {
      runtime.addPunctuation(index === 3 ? 1 : 0, punctuation as Punctuation)
    })
    expect([runtime.scheduled, runtime.punctuations(0), runtime.punctuations(1)]).toEqual([
      4,
      made.slice(0, 3),
      [made[3]],
    ])
    const [, second, , last] = made as [
      { cancelled: boolean },
      { cancelled: boolean },
      { cancelled: boolean },
      { cancelled: boolean },
    ]
    second.cancelled = true
    last.cancelled = true
    runtime.dropCancelled(0)
    expect([runtime.scheduled, runtime.punctuations(0)]).toEqual([3, [made[0], made[2]]])
    expect(runtime.punctuations(1)).toEqual([made[3]])
  })
})
