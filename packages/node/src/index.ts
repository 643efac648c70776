// What a topology needs to run in Node.

export { DiskLogStorage } from './embedded/DiskLogStorage.js'
export { InboxSender } from './embedded/Inbox.js'
// Logs
export { holderOf } from './embedded/LogLock.js'
export { resetEmbeddedLog } from './embedded/openEmbeddedLog.js'
export { KafkaLog } from './kafka/KafkaLog.js'
export type { LogReport } from './LogReport.js'
export type { MainHost } from './main/MainHost.js'
export { type RunMainOptions, runMain } from './main/runMain.js'
export { trafficMain } from './main/trafficMain.js'
export { type OpenLogOptions, openLog } from './openLog.js'
// Running
export { type App, type RunOptions, run } from './run.js'
export { startTraffic, type Traffic } from './traffic/startTraffic.js'
// Test traffic
export type { TrafficGenerator, TrafficPhase } from './traffic/TrafficGenerator.js'
export type { TrafficTarget } from './traffic/TrafficTarget.js'
