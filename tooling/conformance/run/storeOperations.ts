import { string } from '@lanescope/core'
import type { TopologyTestDriver } from '@lanescope/core/testing'
import { storedFromJson, storedToJson, versionCode } from '../storedValues.js'
import { call, type Json, type JsonObject, UnknownWord } from '../strict.js'
import { fromEngine, timeOf } from '../values.js'
import { row } from './readStores.js'

/** How the keys and values of a store are written in its case. */
export interface StoreWords {
  readonly type: string
  key(json: Json): unknown
  value(json: Json): unknown
}

const text: Omit<StoreWords, 'type'> = { key: (json) => json, value: (json) => json }

/** Does a step of the form `{OPERATION: […]}` to a store, and gives its result as a case writes it. */
export async function runOperation(
  driver: TopologyTestDriver,
  name: string,
  step: JsonObject,
  words?: StoreWords,
): Promise<Json> {
  const entries = Object.entries(step)
  const [operation, args] = entries[0] ?? []
  if (operation === undefined || entries.length > 1) throw new UnknownWord(`Unknown step ${JSON.stringify(step)}.`)
  const store = driver.getStateStore(name) as any
  const list = Array.isArray(args) ? args : []
  const kind = kindOf(store)
  return operate(store, kind, operation, list, words ?? { ...text, type: kind })
}

function kindOf(store: any): 'keyValue' | 'window' | 'session' | 'versioned' {
  if (typeof store.findSessions === 'function') return 'session'
  if (typeof store.getAsOf === 'function') return 'versioned'
  return typeof store.fetchAll === 'function' ? 'window' : 'keyValue'
}

function operate(store: any, kind: string, operation: string, args: Json[], words: StoreWords): Promise<Json> | Json {
  const key = (at: number) => {
    const json = args[at] as Json
    return json === null ? null : words.key(json)
  }
  const end = (at: number) => key(at) ?? undefined
  const time = (at: number) => timeOf(args[at])
  const value = (at: number) => storedFromJson(words.type, args[at], words.value)
  switch (`${kind} ${operation}`) {
    case 'keyValue put':
      return put(store, key(0), value(1))
    case 'keyValue putIfAbsent':
      return storedToJson(
        value(1) === undefined ? call(store, 'get', key(0)) : call(store, operation, key(0), value(1)),
      )
    case 'keyValue putAll':
      return putAll(store, args, words)
    case 'keyValue get':
      return storedToJson(call(store, 'get', key(0)))
    case 'keyValue delete':
      return storedToJson(call(store, 'delete', key(0)))
    case 'keyValue range':
    case 'keyValue reverseRange':
      return rows(call(store, operation, end(0), end(1)))
    case 'keyValue all':
    case 'keyValue reverseAll':
    case 'window all':
    case 'window backwardAll':
      return rows(call(store, operation))
    case 'keyValue prefixScan':
      return rows(call(store, operation, args[0], string))
    case 'keyValue count':
      return fromEngine(call(store, 'count'))
    case 'window put':
      return nothing(call(store, 'put', key(0), value(1), time(2)))
    case 'window fetch':
      return storedToJson(call(store, 'fetch', key(0), time(1)))
    case 'window fetchRange':
    case 'window backwardFetchRange':
      return pairs(call(store, operation, key(0), time(1), time(2)))
    case 'window fetchKeys':
    case 'window backwardFetchKeys':
      return rows(call(store, operation, end(0), end(1), time(2), time(3)))
    case 'window fetchAll':
    case 'window backwardFetchAll':
      return rows(call(store, operation, time(0), time(1)))
    case 'session put':
      return nothing(call(store, 'put', session(key(0), time(1), time(2)), value(3)))
    case 'session remove':
      return nothing(call(store, 'remove', session(key(0), time(1), time(2))))
    case 'session fetchSession':
      return storedToJson(call(store, 'fetchSession', key(0), time(1), time(2)))
    case 'session fetch':
    case 'session backwardFetch':
      return rows(call(store, operation, key(0)))
    case 'session fetchKeys':
    case 'session backwardFetchKeys':
      return rows(call(store, operation, end(0), end(1)))
    case 'session findSessions':
    case 'session backwardFindSessions':
      return rows(call(store, operation, key(0), time(1), time(2)))
    case 'session findSessionsKeys':
    case 'session backwardFindSessionsKeys':
      return rows(call(store, operation, end(0), end(1), time(2), time(3)))
    case 'session findSessionsTime':
      return rows(call(store, operation, time(0), time(1)))
    case 'versioned put':
      return versionCode(call(store, 'put', key(0), args[1] === null ? null : words.value(args[1] as Json), time(2)))
    case 'versioned get':
      return storedToJson(call(store, 'get', key(0)))
    case 'versioned getAsOf':
      return storedToJson(call(store, 'getAsOf', key(0), time(1)))
    case 'versioned delete':
      return storedToJson(call(store, 'delete', key(0), time(1)))
    default:
      throw new UnknownWord(`Unknown operation "${operation}" of a ${kind} store.`)
  }
}

/** Ours refuses to put nothing, and has a delete for it: Kafka's put of null. */
function put(store: any, key: unknown, value: unknown): null {
  return nothing(value === undefined ? call(store, 'delete', key) : call(store, 'put', key, value))
}

function putAll(store: any, rows: Json[], words: StoreWords): null {
  const entries = (rows as Json[][]).map(([key, json]) => {
    return [key === null ? null : words.key(key as Json), storedFromJson(words.type, json, words.value)] as const
  })
  if (entries.every(([, value]) => value !== undefined)) return nothing(call(store, 'putAll', entries))
  for (const [key, value] of entries) put(store, key, value)
  return null
}

const session = (key: unknown, start: number, end: number) => ({ key, window: { start, end } })

function nothing(_result: unknown): null {
  return null
}

async function rows(found: { toArray(): Promise<(readonly [unknown, unknown])[]> }): Promise<Json[]> {
  return (await found.toArray()).map(([key, value]) => row(key, value))
}

async function pairs(found: { toArray(): Promise<(readonly [number, unknown])[]> }): Promise<Json[]> {
  return (await found.toArray()).map(([start, value]) => [fromEngine(start), storedToJson(value)])
}
