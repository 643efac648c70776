import type { EngineEvent, EngineEventType } from '../events/EngineEvent.js'
import { toHex } from '../model/bytes.js'
import type { CallbackFacts } from './withHeldCallbacks.js'

/** One thing that happened, in order. `step` counts the scheduler's picks, `at` is virtual ms. */
export type TraceEntry = { readonly step: number; readonly at: number } & (
  | { readonly what: 'picked'; readonly owner: string; readonly task: string }
  | { readonly what: 'event'; readonly event: EngineEvent }
  | ({ readonly what: 'callback-started' | 'callback-settled' } & CallbackFacts)
  | { readonly what: 'fault'; readonly fault: string }
  /** With the epochs that it finds; `stateEpoch` is null where state does not outlive engines, or has none yet. */
  | { readonly what: 'engine-started'; readonly logEpoch: number | null; readonly stateEpoch: number | null }
  /** The log has an epoch, whether or not its engine will be told. */
  | { readonly what: 'epoch-durable'; readonly epoch: number }
)

/** Every type of event: a trace leaves none out. */
const everyType: { readonly [T in EngineEventType]: true } = {
  'record-dispatched': true,
  'record-forwarded': true,
  'boundary-crossed': true,
  'timer-registered': true,
  'timer-replaced': true,
  'timer-deleted': true,
  'timer-fired': true,
  'lane-split-proven': true,
  'lane-split-sampled': true,
  'segment-created': true,
  'segment-expired': true,
  'clock-advanced': true,
  'partition-idle': true,
  'partition-returned': true,
  'future-timestamp': true,
  'record-dropped': true,
  'silent-loss': true,
  'tick-emitted': true,
  punctuated: true,
  'epoch-started': true,
  'epoch-committing': true,
  'epoch-committed': true,
  'epoch-aborted': true,
  'restore-progress': true,
  'state-changed': true,
  log: true,
  error: true,
}

export const tracedEvents = Object.keys(everyType) as readonly EngineEventType[]

/** A trace as text, a line an entry: two runs are the same when these are, byte for byte. */
export function traceText(trace: readonly TraceEntry[]): string {
  return trace.map((entry) => JSON.stringify(entry, plain)).join('\n')
}

function plain(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return toHex(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Map) return [...value]
  return value
}
