import { Consumed, Grouped, Named, Produced, Repartitioned } from '@lanescope/core'
import { partitioner, timestampExtractor } from '../functions/others.js'
import { declaredSerde } from '../serdes.js'
import { call, type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import { timeOf } from '../values.js'
import type { Building } from './Building.js'
import { entry } from './entry.js'
import { storeBuilder } from './stores.js'

/* The options of operations, each undefined when the case does not give it: then it is not passed. */

export function named(name: unknown): Named | undefined {
  return name === undefined ? undefined : Named.as(String(name))
}

export function consumed(json: JsonObject | undefined): Consumed<any, any> | undefined {
  if (json === undefined) return undefined
  onlyFields(json, ['key', 'value', 'name', 'timestampExtractor'], 'consumed')
  let made: Consumed<any, any> = Consumed.with(declaredSerde(json.key), declaredSerde(json.value))
  if (json.name !== undefined) made = made.withName(String(json.name))
  if (json.timestampExtractor !== undefined) {
    made = made.withTimestampExtractor(timestampExtractor(json.timestampExtractor))
  }
  return made
}

export function produced(json: JsonObject | undefined): Produced<any, any> | undefined {
  if (json === undefined) return undefined
  onlyFields(json, ['key', 'value', 'name', 'partitioner'], 'produced')
  let made: Produced<any, any> = Produced.with(declaredSerde(json.key), declaredSerde(json.value))
  if (json.name !== undefined) made = made.withName(String(json.name))
  if (json.partitioner !== undefined) made = made.withStreamPartitioner(partitioner(json.partitioner))
  return made
}

export function grouped(json: JsonObject | undefined): Grouped<any, any> | undefined {
  if (json === undefined) return undefined
  onlyFields(json, ['key', 'value', 'name'], 'grouped')
  const made = Grouped.with(declaredSerde(json.key), declaredSerde(json.value))
  return json.name === undefined ? made : made.withName(String(json.name))
}

export function repartitioned(json: JsonObject | undefined): Repartitioned<any, any> | undefined {
  if (json === undefined) return undefined
  onlyFields(json, ['key', 'value', 'name', 'partitions', 'partitioner'], 'repartitioned')
  let made: Repartitioned<any, any> = Repartitioned.with(declaredSerde(json.key), declaredSerde(json.value))
  if (json.name !== undefined) made = made.withName(String(json.name))
  if (json.partitions !== undefined) made = made.withNumberOfPartitions(Number(json.partitions))
  if (json.partitioner !== undefined) made = made.withStreamPartitioner(partitioner(json.partitioner))
  return made
}

export function joined(json: JsonObject | undefined): any {
  if (json === undefined) return undefined
  onlyFields(json, ['key', 'value', 'otherValue', 'name', 'grace'], 'joined')
  const serdes = [json.key, json.value, json.otherValue].map(declaredSerde)
  let made = call(entry('Joined'), 'with', ...serdes)
  if (json.name !== undefined) made = call(made, 'withName', json.name)
  if (json.grace !== undefined) made = call(made, 'withGracePeriod', timeOf(json.grace))
  return made
}

export function streamJoined(json: JsonObject | undefined, building: Building): any {
  if (json === undefined) return undefined
  const fields = ['key', 'value', 'otherValue', 'name', 'storeName', 'store', 'thisStore', 'otherStore']
  onlyFields(json, fields, 'streamJoined')
  const serdes = [json.key, json.value, json.otherValue].map(declaredSerde)
  let made = call(entry('StreamJoined'), 'with', ...serdes)
  if (json.name !== undefined) made = call(made, 'withName', json.name)
  if (json.storeName !== undefined) made = call(made, 'withStoreName', json.storeName)
  if (json.store !== undefined) made = call(made, 'withStoreType', storeType(json.store))
  if (json.thisStore !== undefined) {
    made = call(made, 'withThisStoreSupplier', storeBuilder(json.thisStore as JsonObject, building))
  }
  if (json.otherStore !== undefined) {
    made = call(made, 'withOtherStoreSupplier', storeBuilder(json.otherStore as JsonObject, building))
  }
  return made
}

export function tableJoined(name: unknown): any {
  return name === undefined ? undefined : call(entry('TableJoined'), 'as', name)
}

/** The kinds of store that an operator may be told to use. */
export function storeType(word: unknown): 'persistent' | 'inMemory' {
  if (word === 'inMemory' || word === 'persistent') return word
  throw new UnknownWord(`Unknown store "${String(word)}".`)
}
