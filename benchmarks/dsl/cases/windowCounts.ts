import { minutes, SessionWindows, SlidingWindows, seconds, TimeWindows } from '@lanescope/core'
import type { BenchCase } from '../../engine/Measurement.js'
import { dslCase } from '../runDsl.js'

const tumbling = TimeWindows.ofSizeAndGrace(minutes(1), seconds(5))

/** A count by each kind of window, of 10 s to a minute. */
export const windowCounts: readonly ((keys: number) => BenchCase)[] = [
  (keys) => dslCase('tumbling count', keys, (stream) => void stream.groupByKey().windowedBy(tumbling).count()),
  (keys) =>
    dslCase('hopping count, 12 windows', keys, (stream) => {
      stream
        .groupByKey()
        .windowedBy(tumbling.advanceBy(seconds(5)))
        .count()
    }),
  (keys) =>
    dslCase('sliding count', keys, (stream) => {
      stream
        .groupByKey()
        .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(seconds(10), seconds(5)))
        .count()
    }),
  (keys) =>
    dslCase('session count', keys, (stream) => {
      stream
        .groupByKey()
        .windowedBy(SessionWindows.ofInactivityGapAndGrace(seconds(10), seconds(5)))
        .count()
    }),
]
