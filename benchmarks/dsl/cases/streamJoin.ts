import { JoinWindows, Produced, StreamJoined, seconds, string } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { dslCase } from '../runDsl.js'

/** One record in a hundred is of the right side; so at most that many have a partner. */
export function streamJoin(keys: number): BenchCase {
  return dslCase(
    'stream-stream join, 1 % matches',
    keys,
    (stream) => {
      const left = stream.filter((_, value) => value !== 'right')
      const right = stream.filter((_, value) => value === 'right')
      // Short enough that a right record meets one of its key at most, long enough that most do among few keys.
      const windows = JoinWindows.ofTimeDifferenceAndGrace(seconds(keys / 2000), seconds(1))
      left
        .join(right, (one, other) => `${one}${other}`, windows, StreamJoined.with(string, string, string))
        .to('out', Produced.with(string, string))
    },
    (index) => (index % 100 === 0 ? 'right' : `left ${index}`),
  )
}
