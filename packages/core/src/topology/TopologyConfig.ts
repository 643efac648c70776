import type { Processor, ProcessorSupplier } from '../processor/Processor.js'
import { configEntries } from './configEntries.js'
import { configError, readEntry } from './parseConfig.js'

/** What Kafka Streams' optimiser may change (`kafka-streams.md` C.2). */
export type Optimization = 'reuse.ktable.source.topics' | 'merge.repartition.topics' | 'single.store.self.join'

/**
 * Puts something around each processor of a topology, the DSL's own too, by the name of its node. What it leaves out of
 * a supplier stays as it was.
 */
export type ProcessorWrapper = (
  name: string,
  supplier: ProcessorSupplier<any, any, any, any>,
) => ProcessorSupplier<any, any, any, any> | (() => Processor<any, any, any, any>)

/** The settings that are read while a topology is built, and not when it runs: Kafka's `TopologyConfig`. */
export interface TopologyConfig {
  /** None unless set: `all`, or a list of those to apply. */
  readonly 'topology.optimization': readonly Optimization[]
  /** Refuses stores, changelogs and repartitions whose names are generated. */
  readonly 'ensure.explicit.internal.resource.naming': boolean
  readonly 'processor.wrapper': ProcessorWrapper | undefined
  /** Where the DSL keeps state that no `Materialized` places. */
  readonly 'dsl.store.suppliers.class': 'persistent' | 'inMemory'
  /** Whether the DSL's persistent stores keep headers (A.9). */
  readonly 'dsl.store.format': 'default' | 'headers'
}

const keys = [
  'topology.optimization',
  'ensure.explicit.internal.resource.naming',
  'processor.wrapper',
  'dsl.store.suppliers.class',
  'dsl.store.format',
] as const satisfies readonly (keyof TopologyConfig)[]

/**
 * Reads the settings of building out of a configuration, and leaves all others to the application that will run it.
 *
 * @throws StreamError CONFIG_INVALID listing every problem at once
 */
export function parseTopologyConfig(input: Readonly<Record<string, unknown>> = {}): TopologyConfig {
  const problems: string[] = []
  const config: Record<string, unknown> = {}
  for (const key of keys) {
    config[key] = configEntries[key].initial
    if (input[key] !== undefined) readEntry(key, input[key], config, problems)
  }
  if (problems.length > 0) throw configError(problems)
  return config as unknown as TopologyConfig
}
