import type { Serde } from '../serde/Serde.js'
import type { TimestampExtractor } from './TimestampExtractor.js'
import type { TopologyConfig } from './TopologyConfig.js'

export type Verdict = 'off' | 'warn' | 'error'

/** S6: as it should be, or as Kafka Streams does it. */
export type Compat = 'repair' | 'kafka-streams'

/** The greatest severity that a build-time rule's findings may have; `off` silences the rule. */
export type FindingVerdict = Verdict | 'hint'

/**
 * The engine's configuration, flat and dotted, with every default applied.
 * `parseConfig` makes one from what a user wrote. Durations in ms.
 */
export interface EngineConfig extends TopologyConfig {
  readonly 'application.id': string
  readonly 'default.key.serde': Serde<any> | undefined
  readonly 'default.value.serde': Serde<any> | undefined
  /** Of sources that name none (B.1). Undefined: `failOnInvalidTimestamp`. */
  readonly 'default.timestamp.extractor': TimestampExtractor<any, any> | undefined
  /** L5; undefined: 16. */
  readonly 'lanes.count': number | undefined
  /** L5: Kafka Streams' name for `lanes.count`. Given alone, it is taken over into that. */
  readonly 'num.stream.threads': number | undefined
  /** L7. */
  readonly 'lanes.queue-capacity': number
  /** B1: where records cross to the lane of their new key: where they meet state, or at each key change. */
  readonly 'boundary.split': 'lazy' | 'eager'
  readonly 'processing.guarantee': 'exactly-once' | 'at-least-once'
  /** E13: what becomes of a start where the committed positions are not those of the last epoch. */
  readonly 'source.offset-gap': 'refuse' | 'accept'
  /** How often topics are looked through for new ones and new partitions, in ms (P3, E13). */
  readonly 'metadata.max.age.ms': number
  /** What becomes of a store whose bytes were written in another format than they would be read in. */
  readonly 'state.format-change': 'refuse' | 'reset'
  /** W2. */
  readonly 'time.mode': 'watermark' | 'stream-time'
  readonly 'time.idle-after-ms': number
  /** Default of a source without a watermark strategy (W2). */
  readonly 'time.max-out-of-orderness-ms': number
  readonly 'time.watermark-interval-ms': number
  readonly 'max.task.idle.ms': number
  /** A2. */
  readonly 'timer.lane-affinity.guard': Verdict
  /** A4. */
  readonly 'timer.lane-affinity.sampled-check': Verdict
  /** T10. The test driver's default is `heap`. */
  readonly 'timers.backend': 'heap' | 'persistent' | 'hybrid'
  /** T9. */
  readonly 'timers.serde-change': 'refuse' | 'strand' | 'migrate'
  /** Build-time verdicts (V) by rule id. */
  readonly 'topology.validation.timer-key-lane-affinity': Verdict
  readonly 'topology.validation.future-timestamp': Verdict
  readonly 'topology.validation.missing-serde': FindingVerdict
  readonly 'topology.validation.conflicting-serdes': FindingVerdict
  readonly 'topology.validation.source-key-bytes': FindingVerdict
  readonly 'topology.validation.order-after-async-rekey': FindingVerdict
  readonly 'topology.validation.explicit-naming': FindingVerdict
  readonly 'topology.validation.duplicate-source': FindingVerdict
  readonly 'topology.validation.unreachable-node': FindingVerdict
  readonly 'topology.validation.dangling-sink': FindingVerdict
  readonly 'topology.validation.topic-loop': FindingVerdict
  readonly 'topology.validation.co-partitioning': FindingVerdict
  readonly 'topology.validation.retention-too-small': FindingVerdict
  readonly 'topology.validation.suppress-without-grace': FindingVerdict
  readonly 'topology.validation.default-grace': FindingVerdict
  readonly 'topology.validation.state-format-change': FindingVerdict
  /** F2. */
  readonly 'future-timestamp.max-ahead-ms': number
  /** F3. */
  readonly 'future-timestamp.guard': 'off' | 'warn' | 'reject' | 'error'
  /** F4. */
  readonly 'future-timestamp.check': Verdict
  readonly 'errors.dead.letter.queue.topic.name': string | undefined
  readonly 'errors.dead.letter.extra-headers': boolean
  readonly 'default.deserialization.exception.handler': 'continue' | 'fail'
  /** Kafka Streams' newer name for the one above. Given alone, it is taken over into that. */
  readonly 'deserialization.exception.handler': 'continue' | 'fail' | undefined
  readonly 'processing.exception.handler': 'continue' | 'fail'
  /** Whether processors that fill global stores ask that handler, too; otherwise what they throw ends the run (C.8). */
  readonly 'processing.exception.handler.global.enabled': boolean
  /** `retry`: the epoch is aborted and done again, as after any fault that may pass (E4). */
  readonly 'production.exception.handler': 'continue' | 'fail' | 'retry'
  /** E3: how long an epoch lasts. Undefined: 1.5 times what its commit takes, within 10 to 5,000. */
  readonly 'commit.interval.ms': number | undefined
  /** What Kafka Streams' record cache is taken to hold in its test driver (A.8, C.8); the engine itself sends every update. */
  readonly 'statestore.cache.max.bytes': number
  readonly 'epoch.max-records': number
  /** E3: bytes of outputs and of state writes that live epochs may hold in memory before no more records are started. */
  readonly 'epoch.max-bytes': number
  readonly 'epoch.cut-timeout-ms': number
  /** A callback pending longer than this is named by the watchdog's warning. */
  readonly 'watchdog.slow-callback-ms': number
  readonly 'shutdown.timeout-ms': number
  /** S6: all the switches that follow, for those that are not set. */
  readonly compat: Compat
  /** H-2. */
  readonly 'compat.on-window-close-loss': Compat | undefined
  /** H-3. */
  readonly 'compat.overlapping-sessions': Compat | undefined
  /** H-4. */
  readonly 'compat.double-final-result': Compat | undefined
  /** H-6. */
  readonly 'compat.repartition-key-serde': Compat | undefined
  /** H-7. */
  readonly 'compat.windowed-default-serde': Compat | undefined
  /** W6. */
  readonly 'compat.clock-restart': Compat | undefined
}
