import { describe, expect, it } from 'vitest'
import type { DiskStore } from './DiskStore.js'
import { byStore, NONE, planCommit } from './planCommit.js'

const bytes = (...values: number[]) => Uint8Array.from(values)
const noPause = async () => {}

/** A store that has these values of one byte. */
function storeOf(values: Readonly<Record<number, number>>): DiskStore {
  const size = Object.keys(values).length
  return {
    id: 4,
    head: { id: 4, size, bytes: 2 * size },
    get: (key: Uint8Array) => {
      const value = values[key[0] as number]
      return value === undefined ? undefined : bytes(value)
    },
  } as unknown as DiskStore
}

const changes = (...entries: (readonly [number, number[] | undefined])[]) => ({
  store: 's',
  cleared: false,
  entries: entries.map(([key, value]) => [bytes(key), value && bytes(...value)] as const),
})

describe('the plan of a commit', () => {
  it('has each change once, in order, without deletions of what is not there, and counts', async () => {
    const store = storeOf({ 1: 1, 2: 2, 3: 3 })
    const plan = await planCommit(
      store,
      changes([9, [9, 9]], [2, undefined], [7, undefined], [1, [5]], [1, [6, 6, 6]], [8, [8]], [8, undefined]),
      4,
      noPause,
    )
    expect(plan.changes).toEqual([
      [bytes(1), bytes(6, 6, 6)],
      [bytes(2), undefined],
      [bytes(9), bytes(9, 9)],
    ])
    expect(plan.head).toEqual({ id: 4, size: 3, bytes: 4 + 2 + 3 })
  })

  it('[S8] begins with nothing under another id', async () => {
    const plan = await planCommit(storeOf({ 1: 1, 2: 2 }), changes([1, [1]], [2, undefined]), 5, noPause)
    expect([plan.head, plan.changes]).toEqual([{ id: 5, size: 1, bytes: 2 }, [[bytes(1), bytes(1)]]])
  })

  it('leaves nothing of a store that becomes empty', async () => {
    const plan = await planCommit(storeOf({ 1: 1 }), changes([1, undefined]), 4, noPause)
    expect([plan.head, plan.changes]).toEqual([NONE, []])
  })

  it('lets others have their turn among many changes', async () => {
    let turns = 0
    const many = changes(...Array.from({ length: 256 }, (_, key): [number, number[]] => [key, [1]]))
    await planCommit(storeOf({}), many, 4, async () => {
      turns++
    })
    expect(turns).toBe(2)
  })
})

describe('changes by store', () => {
  it('come in the order given, and those before a store was cleared do not count', () => {
    const grouped = byStore([
      changes([1, [1]]),
      { ...changes([5, [5]]), store: 't' },
      changes([2, [2]]),
      { ...changes([3, [3]]), cleared: true },
      changes([4, [4]]),
    ])
    expect(grouped.map(({ store, cleared, entries }) => [store, cleared, [...entries].map(([key]) => key[0])])).toEqual(
      [
        ['s', true, [3, 4]],
        ['t', false, [5]],
      ],
    )
  })
})
