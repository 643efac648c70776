import type { BenchCase } from '../engine/Measurement.js'
import { foreignKeyJoin } from './cases/foreignKeyJoin.js'
import { segmentDrop } from './cases/segmentDrop.js'
import { streamJoin } from './cases/streamJoin.js'
import { suppressed } from './cases/suppressed.js'
import { tableJoin } from './cases/tableJoin.js'
import { windowCounts } from './cases/windowCounts.js'

const KEYS = [10_000, 1_000_000]

/** What `npm run bench -- dsl` measures: each operator among few keys and among many. */
export const dslCases: readonly BenchCase[] = [
  ...windowCounts.flatMap((make) => KEYS.map(make)),
  ...[streamJoin, tableJoin, foreignKeyJoin, suppressed].flatMap((make) => KEYS.map(make)),
  segmentDrop,
]
