import { builtInSerdes, serdeById } from '../serde/builtInSerdes.js'
import type { Serde } from '../serde/Serde.js'
import type { EngineConfig } from './EngineConfig.js'
import type { TimestampExtractor } from './TimestampExtractor.js'
import type { Optimization } from './TopologyConfig.js'

/** Reads one value, or says what it should have been, as the end of "must be …". */
export type Reading<T> = { readonly value: T } | { readonly wanted: string }

export interface ConfigEntry<T> {
  readonly initial: T
  read(value: unknown): Reading<T>
}

type Entries = { readonly [K in keyof EngineConfig]: ConfigEntry<EngineConfig[K]> }

/** Every key with its default and its reader. */
export const configEntries: Entries = {
  'application.id': { initial: 'lanescope', read: readName },
  'default.key.serde': { initial: undefined, read: readSerde },
  'default.value.serde': { initial: undefined, read: readSerde },
  'default.timestamp.extractor': { initial: undefined, read: readExtractor },
  'lanes.count': { initial: undefined, read: integer(1) },
  'num.stream.threads': { initial: undefined, read: integer(1) },
  'lanes.queue-capacity': { initial: 300, read: integer(1) },
  'boundary.split': { initial: 'lazy', read: oneOf({ lazy: 'lazy', eager: 'eager' }) },
  'processing.guarantee': {
    initial: 'exactly-once',
    read: oneOf({
      'exactly-once': 'exactly-once',
      'at-least-once': 'at-least-once',
      exactly_once_v2: 'exactly-once',
      at_least_once: 'at-least-once',
    }),
  },
  'source.offset-gap': { initial: 'refuse', read: oneOf({ refuse: 'refuse', accept: 'accept' }) },
  'metadata.max.age.ms': { initial: 300_000, read: integer(1) },
  'state.format-change': { initial: 'refuse', read: oneOf({ refuse: 'refuse', reset: 'reset' }) },
  'time.mode': { initial: 'watermark', read: oneOf({ watermark: 'watermark', 'stream-time': 'stream-time' }) },
  'time.idle-after-ms': { initial: 300_000, read: integer(0) },
  'time.max-out-of-orderness-ms': { initial: 10_000, read: integer(0) },
  'time.watermark-interval-ms': { initial: 200, read: integer(1) },
  'max.task.idle.ms': { initial: 0, read: integer(-1) },
  'timer.lane-affinity.guard': { initial: 'error', read: verdict() },
  'timer.lane-affinity.sampled-check': { initial: 'warn', read: verdict() },
  'timers.backend': { initial: 'hybrid', read: oneOf({ heap: 'heap', persistent: 'persistent', hybrid: 'hybrid' }) },
  'timers.serde-change': {
    initial: 'refuse',
    read: oneOf({ refuse: 'refuse', strand: 'strand', migrate: 'migrate' }),
  },
  'topology.validation.timer-key-lane-affinity': { initial: 'warn', read: verdict() },
  'topology.validation.future-timestamp': { initial: 'warn', read: verdict() },
  'topology.validation.missing-serde': { initial: 'error', read: findingVerdict() },
  'topology.validation.conflicting-serdes': { initial: 'warn', read: findingVerdict() },
  'topology.validation.source-key-bytes': { initial: 'error', read: findingVerdict() },
  'topology.validation.order-after-async-rekey': { initial: 'hint', read: findingVerdict() },
  'topology.validation.explicit-naming': { initial: 'hint', read: findingVerdict() },
  'topology.validation.duplicate-source': { initial: 'error', read: findingVerdict() },
  'topology.validation.unreachable-node': { initial: 'warn', read: findingVerdict() },
  'topology.validation.dangling-sink': { initial: 'warn', read: findingVerdict() },
  'topology.validation.topic-loop': { initial: 'warn', read: findingVerdict() },
  'topology.validation.co-partitioning': { initial: 'error', read: findingVerdict() },
  'topology.validation.retention-too-small': { initial: 'warn', read: findingVerdict() },
  'topology.validation.suppress-without-grace': { initial: 'warn', read: findingVerdict() },
  'topology.validation.default-grace': { initial: 'warn', read: findingVerdict() },
  'topology.validation.state-format-change': { initial: 'warn', read: findingVerdict() },
  'future-timestamp.max-ahead-ms': { initial: 3_600_000, read: integer(0) },
  'future-timestamp.guard': {
    initial: 'reject',
    read: oneOf({ off: 'off', warn: 'warn', reject: 'reject', error: 'error' }),
  },
  'future-timestamp.check': { initial: 'warn', read: verdict() },
  'errors.dead.letter.queue.topic.name': { initial: undefined, read: readName },
  'errors.dead.letter.extra-headers': { initial: false, read: readBoolean },
  'default.deserialization.exception.handler': { initial: 'fail', read: handler() },
  'deserialization.exception.handler': { initial: undefined, read: handler() },
  'processing.exception.handler': { initial: 'fail', read: handler() },
  'processing.exception.handler.global.enabled': { initial: false, read: readBoolean },
  'production.exception.handler': {
    initial: 'fail',
    read: oneOf({ continue: 'continue', fail: 'fail', retry: 'retry' }),
  },
  'commit.interval.ms': { initial: undefined, read: integer(1) },
  'statestore.cache.max.bytes': { initial: 0, read: integer(0) },
  'epoch.max-records': { initial: 10_000, read: integer(1) },
  'epoch.max-bytes': { initial: 67_108_864, read: integer(1) },
  'epoch.cut-timeout-ms': { initial: 60_000, read: integer(1) },
  'watchdog.slow-callback-ms': { initial: 10_000, read: integer(1) },
  'shutdown.timeout-ms': { initial: 25_000, read: integer(0) },
  'topology.optimization': { initial: [], read: readOptimizations },
  'ensure.explicit.internal.resource.naming': { initial: false, read: readBoolean },
  'processor.wrapper': { initial: undefined, read: readFunction },
  'dsl.store.suppliers.class': {
    initial: 'persistent',
    read: oneOf({ persistent: 'persistent', inMemory: 'inMemory', rocksDB: 'persistent' }),
  },
  'dsl.store.format': { initial: 'default', read: readStoreFormat },
  compat: { initial: 'repair', read: compat() },
  'compat.on-window-close-loss': { initial: undefined, read: compat() },
  'compat.overlapping-sessions': { initial: undefined, read: compat() },
  'compat.double-final-result': { initial: undefined, read: compat() },
  'compat.repartition-key-serde': { initial: undefined, read: compat() },
  'compat.windowed-default-serde': { initial: undefined, read: compat() },
  'compat.clock-restart': { initial: undefined, read: compat() },
}

/** Reads an integer of at least `least`; the text of one is taken too, as environment variables and flags give it. */
export function integer(least: number): (value: unknown) => Reading<number> {
  return (value) => {
    const number = typeof value === 'string' && /^-?\d+$/.test(value.trim()) ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= least) return { value: number }
    return { wanted: `an integer of at least ${least}` }
  }
}

function oneOf<T>(names: { readonly [name: string]: T }): (value: unknown) => Reading<T> {
  return (value) => {
    if (typeof value === 'string' && Object.hasOwn(names, value)) return { value: names[value] as T }
    return { wanted: `one of ${Object.keys(names).join(', ')}` }
  }
}

function verdict() {
  return oneOf({ off: 'off', warn: 'warn', error: 'error' } as const)
}

function findingVerdict() {
  return oneOf({ off: 'off', hint: 'hint', warn: 'warn', error: 'error' } as const)
}

function handler() {
  return oneOf({ continue: 'continue', fail: 'fail' } as const)
}

function compat() {
  return oneOf({ repair: 'repair', 'kafka-streams': 'kafka-streams' } as const)
}

const optimizations: readonly Optimization[] = [
  'reuse.ktable.source.topics',
  'merge.repartition.topics',
  'single.store.self.join',
]

function readOptimizations(value: unknown): Reading<readonly Optimization[]> {
  if (value === 'all') return { value: optimizations }
  if (value === 'none') return { value: [] }
  const names = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
  if (Array.isArray(names) && names.every((name) => optimizations.includes(name))) return { value: names }
  return { wanted: `all, none, or a list of ${optimizations.join(', ')}` }
}

function readFunction<F>(value: unknown): Reading<F> {
  if (typeof value === 'function') return { value: value as F }
  return { wanted: 'a function of a name and a supplier' }
}

function readStoreFormat(value: unknown): Reading<'default' | 'headers'> {
  return oneOf({ default: 'default', headers: 'headers' } as const)(
    typeof value === 'string' ? value.toLowerCase() : value,
  )
}

function readBoolean(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return { value }
  if (value === 'true' || value === 'false') return { value: value === 'true' }
  return { wanted: 'true or false' }
}

function readName(value: unknown): Reading<string> {
  if (typeof value === 'string' && /^[A-Za-z0-9._-]{1,249}$/.test(value) && value !== '.' && value !== '..')
    return { value }
  return { wanted: `a name of letters, digits, ".", "_" and "-"` }
}

function readSerde(value: unknown): Reading<Serde<any>> {
  const named = typeof value === 'string' ? serdeById(value) : undefined
  if (named !== undefined) return { value: named }
  if (isSerde(value)) return { value }
  return { wanted: `a serde, or one of ${builtInSerdes.map((serde) => serde.id).join(', ')}` }
}

function readExtractor(value: unknown): Reading<TimestampExtractor<any, any>> {
  const { id, extract } = (value ?? {}) as Partial<TimestampExtractor<any, any>>
  if (typeof id === 'string' && typeof extract === 'function') return { value: value as TimestampExtractor<any, any> }
  return { wanted: 'a timestamp extractor: an object with an id and a function extract(record, partitionTime)' }
}

function isSerde(value: unknown): value is Serde<any> {
  if (typeof value !== 'object' || value === null) return false
  const { id, serialize, deserialize } = value as Partial<Serde<any>>
  return typeof id === 'string' && typeof serialize === 'function' && typeof deserialize === 'function'
}
