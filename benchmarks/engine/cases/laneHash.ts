import { laneOf, SeededRandom } from '@lanescope/core'
import type { BenchCase } from '../Measurement.js'
import { Stopwatch } from '../Stopwatch.js'

const KEYS = 4096
const KEY_BYTES = 16

/** The lane of a 16-byte key among 64. */
export const laneHash: BenchCase = {
  name: 'lane of a 16-byte key',
  size: 20_000_000,
  target: { ns: 40 },
  run: async (size) => {
    const random = new SeededRandom(3)
    const keys = Array.from({ length: KEYS }, () =>
      Uint8Array.from({ length: KEY_BYTES }, () => Math.floor(random.next() * 256)),
    )
    let sum = 0
    const watch = new Stopwatch()
    for (let i = 0; i < size; i++) sum += laneOf(keys[i % KEYS] as Uint8Array, 64)
    const times = watch.read()
    // Looked at, so that the loop is not left out.
    if (sum < 0) throw new RangeError('A lane is below 0')
    return { unit: 'lane', count: size, ...times }
  },
}
