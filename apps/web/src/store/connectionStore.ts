import type { ExampleSummary, ProjectSummary, RunSummary, ServerMessage } from '@lanescope/shared'
import { createStore, type StoreApi } from 'zustand/vanilla'

export type Connection = 'connecting' | 'open' | 'lost' | 'refused'
export type Hello = Extract<ServerMessage, { readonly type: 'hello' }>

export interface ConnectionState {
  readonly status: Connection
  /** When the next try is due, on the page's clock; null unless lost. */
  readonly retryAt: number | null
  /** Why the connection will not be tried again. */
  readonly reason: string | null
  /** Whether loading the page again would mend what `reason` says. */
  readonly reloadMends: boolean
  readonly hello: Hello | null
  readonly projects: readonly ProjectSummary[]
  readonly examples: readonly ExampleSummary[]
  /** Every run of the agent that lives, of whichever project; the one that began first leads. */
  readonly runs: readonly RunSummary[]
  set(change: Partial<Omit<ConnectionState, 'set'>>): void
}

export type ConnectionStore = StoreApi<ConnectionState>

export function createConnectionStore(): ConnectionStore {
  return createStore<ConnectionState>()((set) => ({
    status: 'connecting',
    retryAt: null,
    reason: null,
    reloadMends: false,
    hello: null,
    projects: [],
    examples: [],
    runs: [],
    set: (change) => set(change),
  }))
}
