import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import { headerKey } from './timerLayout.js'

/** Who wrote the key bytes of a store's timers (T9): a serde's id, and the version of what it writes. */
export interface TimerSerdeIdentity {
  readonly id: string
  readonly version: number
}

/** The first record of a timer store. */
export interface TimerHeader {
  readonly serde: TimerSerdeIdentity
  /** Lanes that the due index is split by. */
  readonly lanes: number
  /** How often the store has been opened. */
  readonly opened: number
}

export function readHeader(store: OrderedByteStore): TimerHeader | undefined {
  const stored = store.get(headerKey)
  return stored === undefined ? undefined : (JSON.parse(new TextDecoder().decode(stored)) as TimerHeader)
}

export function writeHeader(store: OrderedByteStore, header: TimerHeader): void {
  store.put(headerKey, new TextEncoder().encode(JSON.stringify(header)))
}

export function sameIdentity(a: TimerSerdeIdentity, b: TimerSerdeIdentity): boolean {
  return a.id === b.id && a.version === b.version
}
