import type { TestDriverOptions } from '@lanescope/core/testing'
import type { CaseFile } from '../CaseFile.js'
import { timestampExtractor } from '../functions/others.js'
import type { Compat } from '../runFile.js'
import { serdeOf } from '../serdes.js'
import { type Json, type JsonObject, UnknownWord } from '../strict.js'
import type { Note } from '../topology/Building.js'

/** What Kafka Streams reads while it builds a topology, through a TopologyConfig. */
const atBuild = [
  'dsl.store.format',
  'dsl.store.suppliers.class',
  'ensure.explicit.internal.resource.naming',
  'processor.wrapper',
]

/** Ours where a property of Kafka's is a class and ours is a function. */
const ourKeys: { readonly [key: string]: string } = { 'processor.wrapper.class': 'processor.wrapper' }

export interface CaseConfig {
  /** For the StreamsBuilder or the Topology. */
  readonly building: { readonly [key: string]: unknown }
  /** For `StreamsBuilder.build`. */
  readonly build: { readonly [key: string]: unknown }
  /** For the driver. */
  readonly driver: { readonly [key: string]: unknown }
  /** A wall clock that is given puts the guards of future timestamps on (D1), so none is where it would be 0. */
  readonly options: TestDriverOptions
}

/** Turns the properties of a case into the engine's. A property of null is taken away. */
export function configOf(file: CaseFile, compat: Compat, note: Note): CaseConfig {
  const { wallClock = 0, ...properties } = file.config ?? {}
  const all: JsonObject = {
    'application.id': 'app',
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'statestore.cache.max.bytes': 0,
    ...properties,
  }
  const given = Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [ourKeys[key] ?? key, valueOf(key, value, note)] as const)
  return {
    building: Object.fromEntries(given.filter(([key]) => atBuild.includes(key))),
    build: Object.fromEntries(given.filter(([key]) => key === 'topology.optimization')),
    driver: { ...Object.fromEntries(given.filter(([key]) => !atBuild.includes(key))), compat },
    options: wallClock === 0 ? {} : { initialWallClockMs: Number(wallClock) },
  }
}

function valueOf(key: string, value: Json, note: Note): unknown {
  switch (key) {
    case 'default.key.serde':
    case 'default.value.serde':
      return serdeOf(value as string)
    case 'default.timestamp.extractor':
      return timestampExtractor(value)
    case 'dsl.store.suppliers.class':
      if (value === 'inMemory' || value === 'rocksDB') return value
      throw new UnknownWord(`Unknown store suppliers "${String(value)}".`)
    case 'processor.wrapper.class':
      if (value !== 'note') throw new UnknownWord(`Unknown processor wrapper "${String(value)}".`)
      return noting(note)
    default:
      return value
  }
}

/** A wrapper that notes each record before the processor gets it. */
function noting(note: Note) {
  return (name: string, supplier: { get(): any }) => ({
    ...supplier,
    get: () => noted(name, supplier.get(), note),
  })
}

function noted(name: string, processor: any, note: Note): object {
  const rest = ['init', 'onTimer', 'close'].filter((method) => typeof processor[method] === 'function')
  return {
    ...Object.fromEntries(rest.map((method) => [method, processor[method].bind(processor)])),
    process(record: { readonly key: unknown; readonly value: unknown }, ctx: unknown) {
      note(name, record.key, record.value)
      return processor.process(record, ctx)
    },
  }
}
