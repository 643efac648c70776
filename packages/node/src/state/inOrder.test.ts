import { compareBytes, SeededRandom, toHex } from '@lanescope/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from './inOrder.js'
import { ListedChanges } from './ListedChanges.js'

const noPause = async () => {}

async function sorted(keys: readonly Uint8Array[], pause = noPause): Promise<string[]> {
  const order = await inOrder(new ListedChanges(keys.map((key) => [key, undefined])), pause)
  return Array.from(order, (index) => `${toHex(keys[index] as Uint8Array)} ${index}`)
}

/** Each key once, where it came last. */
function expected(keys: readonly Uint8Array[]): string[] {
  const last = new Map(keys.map((key, index) => [toHex(key), { key, index }]))
  return [...last.values()].sort((a, b) => compareBytes(a.key, b.key)).map(({ key, index }) => `${toHex(key)} ${index}`)
}

describe('Sorting what a commit writes', () => {
  it.each([7, 8, 9, 60, 300])(
    'is the order of the keys’ bytes, each key once as it came last, up to %d',
    async (most) => {
      const key = fc
        .tuple(
          fc.constantFrom('', 'ab', 'abcdef', 'abcdefghijklmnopqrstuvwxyz'),
          fc.uint8Array({ maxLength: 7, max: 3 }),
        )
        .map(([text, rest]) => Uint8Array.from([...Buffer.from(text), ...rest]))
      await fc.assert(
        fc.asyncProperty(fc.array(key, { maxLength: most, size: 'max' }), async (keys) => {
          expect(await sorted(keys)).toEqual(expected(keys))
        }),
        { numRuns: 60 },
      )
    },
  )

  it('tells keys apart of which one goes on with zeros, and high bytes from low ones', async () => {
    const keys = [[1, 0], [1], [255, 1], [], [1, 0, 0, 0, 0], [128], [1, 0, 0, 0], [255, 255], [0], [127], [254, 255]]
    const given = keys.map((key) => Uint8Array.from(key))
    expect(await sorted(given)).toEqual(expected(given))
    expect([await sorted([]), await sorted([Uint8Array.of(1)])]).toEqual([[], ['01 0']])
  })

  it.each([4, 17, 18, 40])(
    'goes on behind what a number has room for: keys that differ in byte %d alone',
    async (at) => {
      const random = new SeededRandom(at)
      const byte = () => Math.floor(random.next() * 256)
      const heads = Array.from({ length: 3 }, () => Uint8Array.from({ length: at }, byte))
      const keys = Array.from({ length: 500 }, () => {
        return Uint8Array.of(...(heads[byte() % 3] as Uint8Array), byte(), byte() & 1)
      })
      expect(await sorted(keys)).toEqual(expected(keys))
    },
  )

  it('takes any bytes, and more keys than are sorted at once, and gives others their turn', async () => {
    const random = new SeededRandom(3)
    const keys = Array.from({ length: 40_000 }, () => {
      return Uint8Array.from({ length: 1 + Math.floor(random.next() * 4) }, () => Math.floor(random.next() * 256))
    })
    let turns = 0
    const order = await sorted(keys, async () => {
      turns++
    })
    expect(order.join()).toBe(expected(keys).join())
    expect(turns).toBeGreaterThan((4 * 40_000) / 8192)
  })

  it('has one of thousands of the same key', async () => {
    const keys = Array.from({ length: 5_000 }, (_, i) => Uint8Array.of(7, i === 2_500 ? 1 : 2, 9))
    expect(await sorted(keys)).toEqual(['070109 2500', '070209 4999'])
  })
})
