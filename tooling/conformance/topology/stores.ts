import { Stores } from '@lanescope/core'
import { declaredSerde } from '../serdes.js'
import { call, type Json, type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { timeOf } from '../values.js'
import type { Building } from './Building.js'

const fields = [
  ...['name', 'type', 'backing', 'key', 'value', 'maxEntries', 'retention', 'windowSize', 'retainDuplicates'],
  ...['history', 'segmentInterval', 'caching', 'logging', 'supplier', 'as'],
]

/** The name in `Stores` of each type, in memory and persistent. */
const methods: { readonly [type: string]: readonly [inMemory: string, persistent: string] } = {
  keyValue: ['inMemoryKeyValue', 'keyValue'],
  timestampedKeyValue: ['inMemoryTimestampedKeyValue', 'timestampedKeyValue'],
  keyValueWithHeaders: ['inMemoryKeyValueWithHeaders', 'keyValueWithHeaders'],
  window: ['inMemoryWindow', 'window'],
  timestampedWindow: ['inMemoryTimestampedWindow', 'timestampedWindow'],
  windowWithHeaders: ['inMemoryWindowWithHeaders', 'windowWithHeaders'],
  session: ['inMemorySession', 'session'],
  sessionWithHeaders: ['inMemorySessionWithHeaders', 'sessionWithHeaders'],
  versioned: ['inMemoryVersionedKeyValue', 'versionedKeyValue'],
}

/**
 * The builder of a store description; it serves as a supplier, too.
 *
 * @param fallback the serde of a side that is not described; null: none is declared
 */
export function storeBuilder(json: JsonObject, building: Building, fallback: Json = 'string'): any {
  onlyFields(json, fields, 'a store')
  const shared = json.as === undefined ? undefined : building.shared.get(String(json.as))
  if (shared !== undefined) return shared
  const name = String(json.name ?? 's')
  const builder = configured(made(name, json, building, fallback), json)
  building.keepBuilder(name, builder)
  if (json.as !== undefined) building.shared.set(String(json.as), builder)
  return builder
}

function made(name: string, json: JsonObject, building: Building, fallback: Json): any {
  const type = String(json.type)
  const [inMemory, persistent] = methods[type] ?? unknownType(type)
  const serdes = [json.key ?? fallback, json.value ?? fallback].map((word) => declaredSerde(word ?? undefined))
  if (json.backing !== undefined && json.backing !== 'inMemory' && json.backing !== 'persistent') {
    throw new UnknownWord(`Unknown backing "${String(json.backing)}".`)
  }
  if (json.supplier !== undefined) return over(storeBuilder(json.supplier as JsonObject, building), type)
  if (json.maxEntries !== undefined) return bounded(name, Number(json.maxEntries), type, serdes)
  const options = optionsOf(json)
  const method = json.backing === 'inMemory' ? inMemory : persistent
  return call(Stores, method, name, ...(options === undefined ? [] : [options]), ...serdes)
}

/** A store of this type over one that was asked for as another. */
function over(store: any, type: string): any {
  return type.endsWith('WithHeaders') ? call(Stores, 'withHeaders', store) : call(Stores, 'withTimestamps', store)
}

/** A bounded map, which only key-value stores can be. */
function bounded(name: string, maxEntries: number, type: string, serdes: unknown[]): any {
  const map = call(Stores, 'lruMap', name, maxEntries, ...serdes)
  return type === 'keyValue' ? map : over(map, type)
}

/** The options of a windowed or versioned store, in ms; key-value stores have none. */
function optionsOf(json: JsonObject): object | undefined {
  const type = String(json.type)
  if (type.toLowerCase().includes('keyvalue')) return undefined
  if (type === 'versioned') {
    return {
      historyRetentionMs: timeOf(json.history),
      ...(json.segmentInterval !== undefined && { segmentIntervalMs: timeOf(json.segmentInterval) }),
    }
  }
  const retention = { retentionMs: timeOf(json.retention) }
  if (type.startsWith('session')) return retention
  return {
    ...retention,
    windowSizeMs: timeOf(json.windowSize),
    ...(json.retainDuplicates !== undefined && { retainDuplicates: json.retainDuplicates }),
  }
}

function configured(builder: any, json: JsonObject): any {
  let made = builder
  if (json.caching === true) made = call(made, 'withCachingEnabled')
  if (json.logging === false) made = call(made, 'withLoggingDisabled')
  return made
}

function unknownType(type: string): never {
  throw new UnknownWord(`Unknown type of store "${type}".`)
}
