import type { EngineConfig } from './EngineConfig.js'

/** The repairs of S6, by name. */
export type Repair = {
  [K in keyof EngineConfig]: K extends `compat.${infer Name}` ? Name : never
}[keyof EngineConfig]

/** Whether Kafka Streams' way is asked for in place of a repair: by its own switch, else by `compat` (S6). */
export function emulates(config: EngineConfig, repair: Repair): boolean {
  return (config[`compat.${repair}`] ?? config.compat) === 'kafka-streams'
}
