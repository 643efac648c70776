import type { AnalysisResult } from '@lanescope/shared'
import { createStore, type StoreApi } from 'zustand/vanilla'

export interface FindingsState {
  /** The newest analysis; null until the first came. Stays while a newer one is made. */
  readonly analysis: AnalysisResult | null
  /** Whether the document has changed since. */
  readonly stale: boolean
  readonly take: (analysis: AnalysisResult) => void
  readonly markStale: () => void
  readonly clear: () => void
}

export type FindingsStore = StoreApi<FindingsState>

export function createFindingsStore(): FindingsStore {
  return createStore<FindingsState>()((set) => ({
    analysis: null,
    stale: false,
    take: (analysis) => set({ analysis, stale: false }),
    markStale: () => set({ stale: true }),
    clear: () => set({ analysis: null, stale: false }),
  }))
}
