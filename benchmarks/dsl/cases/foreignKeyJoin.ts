import { Produced, string } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { dslCase } from '../runDsl.js'

const FOREIGN_KEYS = 1000

/** A table whose rows name one of a thousand foreign keys; one record in ten updates a row of the other table. */
export function foreignKeyJoin(keys: number): BenchCase {
  return dslCase(
    'foreign-key join',
    keys,
    (stream) => {
      const rows = stream.filter((_, value) => value.startsWith('f')).toTable()
      const others = stream
        .filter((_, value) => value.startsWith('o'))
        .selectKey((key) => `f${Number(key.slice(4)) % FOREIGN_KEYS}`)
        .toTable()
      rows
        .join(
          others,
          (value) => value.slice(0, value.indexOf(' ')),
          (row, other) => `${row}${other}`,
        )
        .toStream()
        .to('out', Produced.with(string, string))
    },
    (index) => (index % 1000 === 0 ? `o${index}` : `f${(index * 7919) % FOREIGN_KEYS} ${index}`),
  )
}
