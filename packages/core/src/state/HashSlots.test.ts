import { describe, expect, it } from 'vitest'
import { SeededRandom } from '../time/Random.js'
import { HashSlots } from './HashSlots.js'

/** All references that a hash leads to. */
function found(slots: HashSlots, hash: number): number[] {
  const references: number[] = []
  for (let at = slots.first(hash); at >= 0; at = slots.next(at)) references.push(slots.reference(at))
  return references.sort((a, b) => a - b)
}

function positionOf(slots: HashSlots, hash: number, reference: number): number {
  let at = slots.first(hash)
  while (at >= 0 && slots.reference(at) !== reference) at = slots.next(at)
  return at
}

describe('HashSlots', () => {
  it('finds nothing where nothing was added', () => {
    const slots = new HashSlots()
    expect([slots.first(0), slots.first(-1), slots.size]).toEqual([-1, -1, 0])
  })

  it('tells the references of one hash from those that only lie beside it', () => {
    const slots = new HashSlots()
    for (const [hash, reference] of [
      [0, 1],
      [16, 2],
      [0, 3],
      [32, 4],
    ] as const)
      slots.add(hash, reference)
    expect([0, 16, 32, 48].map((hash) => found(slots, hash))).toEqual([[1, 3], [2], [4], []])
  })

  it('replaces in place', () => {
    const slots = new HashSlots()
    slots.add(7, 1)
    slots.replace(slots.first(7), 2)
    expect([found(slots, 7), slots.size]).toEqual([[2], 1])
  })

  it('is empty and usable after clear', () => {
    const slots = new HashSlots(100)
    slots.add(7, 1)
    slots.clear()
    expect([slots.first(7), slots.size, slots.references()]).toEqual([-1, 0, []])
    slots.add(7, 2)
    expect(found(slots, 7)).toEqual([2])
  })

  // Few hashes, at both ends of the table: long ways that wrap round, and gaps in the middle of them.
  it.each([1, 2, 3, 4])('agrees with a list under random operations, seed %d', (seed) => {
    const random = new SeededRandom(seed)
    const below = (n: number) => Math.floor(random.next() * n)
    const hashes = [0, 1, 14, 15, 16, 30, 31, -1, -2, 0x7fffffff, -0x80000000]
    const slots = new HashSlots(below(40))
    let model: [hash: number, reference: number][] = []
    for (let i = 1; i <= 2_000; i++) {
      const grows = i % 400 < 200
      const hash = hashes[below(hashes.length)] as number
      const victim = model[below(model.length)]
      if (below(10) < (grows ? 7 : 3) || victim === undefined) {
        slots.add(hash, i)
        model.push([hash, i])
      } else {
        slots.remove(positionOf(slots, ...victim))
        model = model.filter((entry) => entry !== victim)
      }
      if (i % 10 > 0) continue
      const expected = (of: number) => model.filter(([other]) => other === of).map(([, reference]) => reference)
      for (const of of hashes) expect(found(slots, of)).toEqual(expected(of))
      expect(slots.size).toBe(model.length)
      expect(slots.references().sort((a, b) => a - b)).toEqual(model.map(([, reference]) => reference))
    }
  })
})
