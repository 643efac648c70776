// What a topology needs to run in Node.

export { DiskLogStorage } from './embedded/DiskLogStorage.js'
export { InboxSender } from './embedded/Inbox.js'
// Logs
export { holderOf } from './embedded/LogLock.js'
export { resetEmbeddedLog } from './embedded/openEmbeddedLog.js'
export { KafkaLog } from './kafka/KafkaLog.js'
export type { LogFields, LogReport } from './LogReport.js'
export type { MainHost } from './main/MainHost.js'
export { type RunMainOptions, runMain } from './main/runMain.js'
export { type SendTopic, sendMain } from './main/sendMain.js'
export { trafficMain } from './main/trafficMain.js'
export { type OpenLogOptions, openLog } from './openLog.js'
// Schema Registry
export { type AvroSerdeOptions, avroSerde } from './registry/avroSerde.js'
export { type JsonSchemaSerdeOptions, jsonSchemaSerde } from './registry/jsonSchemaSerde.js'
export { type ProtobufSerdeOptions, protobufSerde } from './registry/protobufSerde.js'
export type { RegistrySerdeOptions, SubjectName } from './registry/registrySerde.js'
export {
  type RegisteredSchema,
  type SchemaReference,
  SchemaRegistry,
  type SchemaRegistryOptions,
  type SchemaText,
  type SchemaType,
} from './registry/SchemaRegistry.js'
// Running
export { type App, type RunOptions, run } from './run.js'
// State
export { DiskStateBackend, type DiskStateOptions } from './state/DiskStateBackend.js'
export { openState } from './state/openState.js'
export { intoLog } from './traffic/intoLog.js'
export { startTraffic, type Traffic } from './traffic/startTraffic.js'
// Test traffic
export type { TrafficGenerator, TrafficPhase } from './traffic/TrafficGenerator.js'
export type { TrafficTarget } from './traffic/TrafficTarget.js'
