import type { TimerDomain } from '../events/EngineEvent.js'

export type { TimerDomain } from '../events/EngineEvent.js'

/** A timer that is firing. */
export interface Timer<K> {
  readonly key: K
  /** The time it was registered for, in ms. */
  readonly at: number
  readonly domain: TimerDomain
  readonly name?: string
}

/** What `register` takes. `at` is in ms: event time or wall-clock time, as the domain says. */
export interface TimerRegistration<K> {
  readonly key: K
  readonly at: number
  readonly domain: TimerDomain
  readonly name?: string
}

/** What identifies a timer for `delete`: key and name for a named one, key and time for an unnamed one (T2). */
export type TimerTarget<K> =
  | { readonly key: K; readonly domain: TimerDomain; readonly name: string; readonly at?: number }
  | { readonly key: K; readonly domain: TimerDomain; readonly at: number; readonly name?: undefined }
