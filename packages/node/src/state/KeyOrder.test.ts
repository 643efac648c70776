import { expect, it } from 'vitest'
import { KeyOrder } from './KeyOrder.js'

/** Entries whose keys are their own numbers, after a beginning of so many bytes. */
function order(shared: (entry: number) => number) {
  return new KeyOrder({
    look: (view, entry) => {
      view.bytes = Uint8Array.of(shared(entry), entry >> 16, entry >> 8, entry)
      view.keyStart = 0
      view.keyEnd = 4
    },
    isGone: () => false,
    isHidden: () => false,
  })
}

const numbers = (from: number, count: number) => Int32Array.from({ length: count }, (_, i) => from + i)

it('gives others their turn after every 4096 keys that it looks at, and not for fewer', async () => {
  const pausesOf = async (count: number) => {
    let pauses = 0
    await order(() => 0).add(numbers(0, count), async () => void pauses++)
    return pauses
  }
  expect([await pausesOf(4095), await pausesOf(4096), await pausesOf(8191), await pausesOf(8192)]).toEqual([0, 1, 1, 2])
})

it('gives others their turn also while it looks at older keys again, because a new one begins otherwise', async () => {
  const keys = order((entry) => (entry < 9000 ? 7 : 8))
  let pauses = 0
  const pause = async () => void pauses++
  await keys.add(numbers(0, 8192), pause)
  pauses = 0
  await keys.add(numbers(9000, 1), pause)
  expect([pauses, keys.runs.length]).toEqual([2, 2])
})
