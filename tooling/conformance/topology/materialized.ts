import { Materialized } from '@lanescope/core'
import { declaredSerde } from '../serdes.js'
import { call, type JsonObject, onlyFields } from '../strict.js'
import { timeOf } from '../values.js'
import type { Building } from './Building.js'
import { storeType } from './options.js'
import { storeBuilder } from './stores.js'

const fields = [
  ...['name', 'key', 'value', 'retention', 'store', 'history', 'segmentInterval', 'caching', 'logging', 'supplier'],
]

/** What a table is kept in; undefined when the case does not say. */
export function materialized(json: JsonObject | undefined, building: Building): any {
  if (json === undefined) return undefined
  onlyFields(json, fields, 'materialized')
  let made = base(json, building)
  if (json.key !== undefined) made = call(made, 'withKeySerde', declaredSerde(json.key))
  if (json.value !== undefined) made = call(made, 'withValueSerde', declaredSerde(json.value))
  if (json.retention !== undefined) made = call(made, 'withRetention', timeOf(json.retention))
  if (json.store !== undefined && json.store !== 'versioned') made = call(made, 'withStoreType', storeType(json.store))
  if (json.caching !== undefined) made = call(made, json.caching ? 'withCachingEnabled' : 'withCachingDisabled')
  if (json.logging !== undefined) made = call(made, json.logging ? 'withLoggingEnabled' : 'withLoggingDisabled')
  return made
}

function base(json: JsonObject, building: Building): any {
  if (json.supplier !== undefined) {
    return call(Materialized, 'as', storeBuilder(json.supplier as JsonObject, building, null))
  }
  if (json.store === 'versioned') {
    const { name, history, segmentInterval } = json
    const description = { name, type: 'versioned', history, ...(segmentInterval !== undefined && { segmentInterval }) }
    return call(Materialized, 'as', storeBuilder(description as JsonObject, building, null))
  }
  return json.name === undefined ? Materialized.with(undefined, undefined) : Materialized.as(String(json.name))
}
