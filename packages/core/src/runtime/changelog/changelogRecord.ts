import { partitionOf } from '../../lanes/murmur2.js'
import { bytesOfText, textOfBytes } from '../../model/bytes.js'
import type { Header } from '../../model/Headers.js'
import { type LayerEntry, newChangeView, type PackedChanges } from '../../state/epoch/PackedChanges.js'
import type { StoreChanges } from '../../state/StateBackend.js'
import type { PackedOutputs } from '../epoch/PackedOutputs.js'
import type { LogRecord, OutputRecord } from '../RecordLog.js'
import type { LoggedStore } from './loggedStores.js'

/** Marks a record whose key begins with the part of the store that it belongs to, and a zero byte. */
const partHeader = 'lanescope.part'
const marked: readonly Header[] = [{ key: partHeader, value: null }]
const unmarked: readonly Header[] = []

/** An entry of a store as a record of its changelog, or undefined when another entry stands for it. */
export function toChangelog(
  { owner, topic, partitions, form }: LoggedStore,
  byteStore: string,
  [stored, value]: LayerEntry,
  timestamp: number,
): OutputRecord | undefined {
  const part = byteStore.slice(owner.length)
  const formed = form?.keyOf(part, stored)
  if (formed === null) return undefined
  const isWhole = formed !== undefined || part === ''
  const key = formed ?? (part === '' ? stored : withPart(part, stored))
  const partition = partitions === 1 ? 0 : partitionOf(key, partitions)
  return { topic, partition, key, value: value ?? null, timestamp, headers: isWhole ? unmarked : marked }
}

/** Whether the keys of a changelog are those of the byte store. */
export function isAsStored({ form }: LoggedStore, part: string): boolean {
  return form === undefined && part === ''
}

/** Changes as `toChangelog` makes records of them where `isAsStored` says so, without an object for each. */
export function addAsStored(
  outputs: PackedOutputs,
  { topic, partitions }: LoggedStore,
  changes: PackedChanges,
  timestamp: number,
): void {
  const view = newChangeView()
  for (let index = 0; index < changes.size; index++) {
    changes.look(index, view)
    const keyLength = outputs.put(0, view.key, view.keyFrom, view.keyTo)
    const valueLength = view.value === undefined ? -1 : outputs.put(keyLength, view.value, view.valueFrom, view.valueTo)
    const partition = partitions === 1 ? 0 : outputs.partitionOf(keyLength, partitions)
    outputs.end(topic, partition, timestamp, keyLength, valueLength, unmarked)
  }
}

/** Where a record of a changelog belongs: the byte store, and its rows. */
export function fromChangelog({ owner, form }: LoggedStore, record: LogRecord): StoreChanges {
  const key = record.key ?? new Uint8Array(0)
  const value = record.value ?? undefined
  if (record.headers.some((header) => header.key === partHeader)) {
    const end = key.indexOf(0)
    const store = owner + textOfBytes(key.subarray(0, end))
    return { store, cleared: false, entries: [[key.subarray(end + 1), value]] }
  }
  if (form === undefined) return { store: owner, cleared: false, entries: [[key, value]] }
  const { part, rows } = form.rowsOf(key, value)
  return { store: owner + part, cleared: false, entries: rows }
}

function withPart(part: string, stored: Uint8Array): Uint8Array {
  const name = bytesOfText(part)
  const key = new Uint8Array(name.length + 1 + stored.length)
  key.set(name)
  key.set(stored, name.length + 1)
  return key
}
