// The engine's public entry. Grouped by what a user looks for; every name here is meant.

// DSL
export { Branched } from './dsl/Branched.js'
export type { BranchedKStream } from './dsl/BranchedKStream.js'
export { BufferConfig } from './dsl/BufferConfig.js'
export { CalendarWindows } from './dsl/CalendarWindows.js'
export type {
  CogroupedKStream,
  SessionWindowedCogroupedKStream,
  TimeWindowedCogroupedKStream,
} from './dsl/CogroupedKStream.js'
export { EmitStrategy } from './dsl/EmitStrategy.js'
export type { FixedKeyProcessor, FixedKeyProcessorSupplier } from './dsl/FixedKeyProcessor.js'
export type { GlobalKTable } from './dsl/GlobalKTable.js'
export { Grouped } from './dsl/Grouped.js'
export { Joined } from './dsl/Joined.js'
export { JoinWindows } from './dsl/JoinWindows.js'
export type { KGroupedStream } from './dsl/KGroupedStream.js'
export type { KGroupedTable } from './dsl/KGroupedTable.js'
export type { KStream } from './dsl/KStream.js'
export type { KTable } from './dsl/KTable.js'
export { Materialized, type StoreType } from './dsl/Materialized.js'
export { Named } from './dsl/Named.js'
export { Printed } from './dsl/Printed.js'
export { Repartitioned } from './dsl/Repartitioned.js'
export type { SessionWindowedKStream } from './dsl/SessionWindowedKStream.js'
export { SessionWindows } from './dsl/SessionWindows.js'
export { SlidingWindows } from './dsl/SlidingWindows.js'
export { StreamJoined } from './dsl/StreamJoined.js'
export { StreamsBuilder } from './dsl/StreamsBuilder.js'
export { Suppressed } from './dsl/Suppressed.js'
export type { Sync } from './dsl/sync.js'
export { TableJoined } from './dsl/TableJoined.js'
export type { TimeWindowedKStream } from './dsl/TimeWindowedKStream.js'
export { TimeWindows } from './dsl/TimeWindows.js'
export { UnlimitedWindows } from './dsl/UnlimitedWindows.js'
export type { ValueTransformer, ValueTransformerContext, ValueTransformerSupplier } from './dsl/ValueTransformer.js'
export type { Windows } from './dsl/Windows.js'
// Errors
export * from './errors/index.js'
// Events
export type {
  Blast,
  DropReason,
  EngineEvent,
  EngineEventOf,
  EngineEventType,
  EngineState,
  RestoreAmount,
  RestoreFacts,
  SegmentFacts,
  SilentLossReason,
  SlowestCallback,
  TimerDomain,
  TimerFacts,
} from './events/EngineEvent.js'
export { EventHub } from './events/EventHub.js'
// Lanes
export { murmur2, partitionOf } from './lanes/murmur2.js'
export { laneOf, murmur3 } from './lanes/murmur3.js'
export { compareBytes, equalBytes, fromHex, toHex } from './model/bytes.js'
// Records
export { type Header, Headers } from './model/Headers.js'
export type { Record, RecordCoordinates } from './model/Record.js'
export type { TopicPartition } from './model/TopicPartition.js'
export type { Window, Windowed } from './model/Windowed.js'
// Processor API
export type {
  CallbackContext,
  ForwardedRecord,
  ProcessorContext,
  PunctuationOptions,
  PunctuationType,
  Punctuator,
  RecordMetadata,
  Timers,
} from './processor/contexts.js'
export type { Processor, ProcessorSupplier } from './processor/Processor.js'
export { createEngine } from './runtime/Engine.js'
export type { EngineApi, EngineOptions, FuturePreview, StoreQuery } from './runtime/EngineApi.js'
// Running
export { EmbeddedLog, type EmbeddedLogOptions } from './runtime/embedded/EmbeddedLog.js'
export { FetchLoop } from './runtime/embedded/FetchLoop.js'
export type { LogStorage } from './runtime/embedded/LogStorage.js'
export { MemoryLogStorage } from './runtime/embedded/MemoryLogStorage.js'
export { checkNewTopic, topicInvalid, topicMissing } from './runtime/embedded/topicErrors.js'
export { epochTopicOf, isInternalTopic } from './runtime/epoch/EpochRecord.js'
export { type OutputView, visitOutputs } from './runtime/OutputView.js'
export type * from './runtime/RecordLog.js'
export type { EngineSnapshot, TimerInspection } from './runtime/Snapshot.js'
// Serdes
export { boolean } from './serde/boolean.js'
export { builtInSerdes, serdeById } from './serde/builtInSerdes.js'
export { byteArray, byteBuffer, bytes } from './serde/byteArray.js'
export { json } from './serde/json.js'
export { list } from './serde/list.js'
export { bigint, long } from './serde/long.js'
export { double, float, integer, short } from './serde/numbers.js'
export type { Deserializer, Serde, Serializer } from './serde/Serde.js'
export { string } from './serde/string.js'
export { uuid } from './serde/uuid.js'
export { type ValueAndTimestamp, valueAndTimestamp } from './serde/valueAndTimestamp.js'
export type { ValueTimestampHeaders } from './serde/valueTimestampHeaders.js'
export { voidSerde } from './serde/voidSerde.js'
export { sessionWindowed, windowed } from './serde/windowed.js'
// Stores
export type { ConfigurableStoreBuilder } from './state/builders/ConfigurableStore.js'
export {
  type SessionStoreOptions,
  Stores,
  type VersionedStoreOptions,
  type WindowStoreOptions,
} from './state/builders/Stores.js'
export {
  arePacked,
  type ChangeView,
  NO_VALUE,
  NOT_LOOKED_UP,
  newChangeView,
  type PackedChanges,
} from './state/epoch/PackedChanges.js'
export { MemoryByteStore } from './state/MemoryByteStore.js'
export { MemoryStateBackend } from './state/MemoryStateBackend.js'
export type { ByteEntry, ByteRange, OrderedByteStore } from './state/OrderedByteStore.js'
export type { ChangelogMark, ChangelogMarks, StateBackend, StoreChanges } from './state/StateBackend.js'
export type { StoreBuilder, StoreInspection, StoreKind, TopicConfig, ValueFormat } from './state/StoreBuilder.js'
export type {
  KeyValueStore,
  ReadOnlyKeyValueStore,
  ReadOnlySessionStore,
  ReadOnlyVersionedStore,
  ReadOnlyWindowStore,
  SessionStore,
  StoreIterable,
  VersionedRecord,
  VersionedStore,
  WindowStore,
} from './state/stores.js'
// Time and randomness
export type { Cancellable, Clock } from './time/Clock.js'
export { days, hours, milliseconds, minutes, seconds } from './time/durations.js'
export { ManualClock } from './time/ManualClock.js'
export { type Random, SeededRandom, SystemRandom } from './time/Random.js'
export { SystemClock } from './time/SystemClock.js'
export type { Timer, TimerRegistration, TimerTarget } from './timers/Timer.js'
export type * from './topology/CompiledTopology.js'
export { Consumed, type ConsumedOptions, type SideDeclaration } from './topology/Consumed.js'
// Topologies
export { describeSerde } from './topology/compile/describeLanes.js'
export type { EngineConfig, FindingVerdict, Verdict } from './topology/EngineConfig.js'
export type { TopicNameExtractor } from './topology/NodeDefinition.js'
export { Produced } from './topology/Produced.js'
export { parseConfig } from './topology/parseConfig.js'
export type { PartitionChoice, StreamPartitioner } from './topology/StreamPartitioner.js'
export { missedTicks, nextTick } from './topology/schedule/nextTick.js'
export type { MissedTicks, Schedule } from './topology/schedule/Schedule.js'
export type {
  EmitScheduled,
  ScheduledOptions,
  ScheduledRecord,
  Tick,
} from './topology/schedule/ScheduledSource.js'
export { validateSchedule } from './topology/schedule/validateSchedule.js'
export type { ConsumerRecord, TimestampExtractor } from './topology/TimestampExtractor.js'
export { Topology } from './topology/Topology.js'
export {
  failOnInvalidTimestamp,
  logAndSkipOnInvalidTimestamp,
  usePartitionTimeOnInvalidTimestamp,
  wallclockTimestamp,
} from './topology/timestampExtractors.js'
export type { WatermarkStrategy } from './topology/WatermarkStrategy.js'
// Validation
export { byteProof } from './validation/byteProof.js'
export {
  compareTopologies,
  type Difference,
  type StateChange,
  type TopologyComparison,
} from './validation/compareTopologies.js'
export { type AffinityAt, type AffinityExplanation, explainAffinity } from './validation/explainAffinity.js'
export type * from './validation/Finding.js'
export type { UnprovenKey } from './validation/proveKeys.js'
export { validate, validationRules } from './validation/validate.js'
