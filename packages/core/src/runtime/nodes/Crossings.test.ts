import { expect, it } from 'vitest'
import { Crossings } from './Crossings.js'
import type { WorkItem } from './WorkItem.js'

let made = 0
/** An item of this time that shows its name; `to` is the node that it goes to. */
const itemOf = (name: string, timestamp: number, to = `node${made++}`) =>
  ({ name, record: { timestamp }, entry: to, coordinates: name }) as unknown as WorkItem

function taken(crossings: Crossings): string[] {
  const names: string[] = []
  for (let items = crossings.take(); items.length > 0; items = crossings.take()) {
    names.push(items.map((item) => (item as unknown as { name: string }).name).join('+'))
  }
  return names
}

const add = (crossings: Crossings, topic: string, item: WorkItem) => crossings.add(topic, item, item.record)

it('[D1] takes the topic whose first record is the earliest, and each topic in its order', () => {
  const crossings = new Crossings()
  expect(crossings.earliest).toBeUndefined()
  add(crossings, 'a', itemOf('a9', 9))
  add(crossings, 'a', itemOf('a1', 1))
  add(crossings, 'b', itemOf('b5', 5))
  add(crossings, 'c', itemOf('c7', 7))
  expect(crossings.earliest).toBe(5)
  expect(taken(crossings)).toEqual(['b5', 'c7', 'a9', 'a1'])
  expect(crossings.earliest).toBeUndefined()
})

it("[D1] has topics of equal times in the order of Java's heap, not of their waiting", () => {
  const crossings = new Crossings()
  for (const topic of ['a', 'b', 'c', 'd']) for (const n of [1, 2]) add(crossings, topic, itemOf(`${topic}${n}`, 3))
  // Observed with java.util.PriorityQueue: poll, and offer again while the topic has more.
  expect(taken(crossings)).toEqual(['a1', 'd1', 'a2', 'd2', 'c1', 'b1', 'c2', 'b2'])
})

it('[D1] takes one record to all nodes that read it, at once', () => {
  const crossings = new Crossings()
  const first = itemOf('x', 1, 'n1')
  const { record } = first
  const written = { timestamp: 1 } as NonNullable<WorkItem['record']>
  first.record = written
  crossings.add('t', first, record)
  const second = { ...itemOf('y', 1, 'n2'), record } as WorkItem
  expect(crossings.join('u', second)).toBe(false)
  expect(crossings.join('t', second)).toBe(true)
  expect([second.record, second.coordinates]).toEqual([written, 'x'])
  // The same node again, or another record, is another record of the topic.
  expect(crossings.join('t', { ...itemOf('z', 1, 'n2'), record } as WorkItem)).toBe(false)
  expect(crossings.join('t', itemOf('z', 1, 'n3'))).toBe(false)
  expect(taken(crossings)).toEqual(['x+y'])
})
