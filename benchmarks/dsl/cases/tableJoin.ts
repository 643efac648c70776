import { Produced, string } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { dslCase } from '../runDsl.js'

/** Two tables of the same keys, each updated by every other record. */
export function tableJoin(keys: number): BenchCase {
  return dslCase(
    'table-table join',
    keys,
    (stream) => {
      const left = stream.filter((_, value) => value.startsWith('l')).toTable()
      const right = stream.filter((_, value) => value.startsWith('r')).toTable()
      left
        .join(right, (one, other) => `${one}${other}`)
        .toStream()
        .to('out', Produced.with(string, string))
    },
    (index) => `${index % 2 === 0 ? 'l' : 'r'}${index}`,
  )
}
