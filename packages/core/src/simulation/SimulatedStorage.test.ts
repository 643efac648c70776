import { describe, expect, it } from 'vitest'
import { SeededRandom } from '../time/Random.js'
import { SimulatedStorage } from './SimulatedStorage.js'

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index)

async function crashed(seed: number, synced: number, more: number): Promise<number> {
  const storage = new SimulatedStorage()
  await storage.append('f', bytes(synced))
  await storage.sync('f')
  await storage.append('f', bytes(more))
  const lost = await storage.crash(new SeededRandom(seed))
  expect(lost).toBe(synced + more - (await storage.size('f')))
  return storage.size('f')
}

describe('SimulatedStorage', () => {
  it('[D2] keeps what was synced and any part of the rest, none and all among them', async () => {
    const sizes = new Set<number>()
    for (let seed = 1; seed <= 200; seed++) sizes.add(await crashed(seed, 10, 3))
    expect([...sizes].sort()).toEqual([10, 11, 12, 13])
  })

  it('loses nothing when everything was synced', async () => {
    for (let seed = 1; seed <= 20; seed++) expect(await crashed(seed, 10, 0)).toBe(10)
  })

  it('counts what is cut as no longer synced', async () => {
    const storage = new SimulatedStorage()
    await storage.append('f', bytes(10))
    await storage.sync('f')
    await storage.truncate('f', 4)
    await storage.append('f', bytes(6))
    const sizes = new Set<number>()
    await storage.crash({ next: () => 0 })
    sizes.add(await storage.size('f'))
    expect([...sizes]).toEqual([4])
  })
})
