import type { TopologyTestDriver } from '@lanescope/core/testing'
import { storedToJson } from '../storedValues.js'
import type { Json } from '../strict.js'
import { fromEngine, isWindowed } from '../values.js'

/** Contents of all stores after the last step, as the section `stores` writes them. */
export async function readStores(
  driver: TopologyTestDriver,
  pipedKeys: readonly unknown[],
): Promise<{ [store: string]: Json }> {
  const keys = distinct(pipedKeys)
  const contents: { [store: string]: Json } = {}
  for (const [name, store] of driver.getAllStateStores() as ReadonlyMap<string, any>) {
    contents[name] = await read(store, keys)
  }
  return contents
}

async function read(store: any, keys: readonly unknown[]): Promise<Json> {
  if (typeof store.findSessions === 'function') return perKey(keys, (key) => sessionRows(store, key))
  if (typeof store.getAsOf === 'function') return perKey(keys, (key) => versionRows(store, key))
  const rows: [unknown, unknown][] = await store.all().toArray()
  return rows.map(([key, value]) => row(key, value))
}

/** An entry as a case writes it: a windowed key as its three parts. */
export function row(key: unknown, value: unknown): Json {
  if (!isWindowed(key)) return [fromEngine(key), storedToJson(value)]
  return [fromEngine(key.key), fromEngine(key.window.start), fromEngine(key.window.end), storedToJson(value)]
}

async function sessionRows(store: any, key: unknown): Promise<Json[]> {
  const rows: [unknown, unknown][] = await store.fetch(key).toArray()
  return rows.map(([windowed, value]) => row(windowed, value))
}

async function versionRows(store: any, key: unknown): Promise<Json[]> {
  const version = store.get(key)
  return version === undefined || version === null ? [] : [[fromEngine(key), storedToJson(version)]]
}

/** Stores that can only be asked by key are asked by those that were piped. One of another type than the store's has none. */
async function perKey(keys: readonly unknown[], rowsOf: (key: unknown) => Promise<Json[]>): Promise<Json[]> {
  const rows: Json[] = []
  for (const key of keys) rows.push(...(await rowsOf(key).catch(() => [])))
  return rows
}

function distinct(keys: readonly unknown[]): unknown[] {
  const known = new Map<string, unknown>()
  for (const key of keys)
    if (key !== null && !known.has(String(fromEngine(key)))) known.set(String(fromEngine(key)), key)
  return [...known.values()]
}
