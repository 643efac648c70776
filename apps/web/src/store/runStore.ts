import type { RareEvent, RunFrame, RunSummary, WireError } from '@lanescope/shared'
import { createStore, type StoreApi } from 'zustand/vanilla'

export interface RunState {
  /** The project's newest run, living or ended. */
  readonly run: RunSummary | null
  readonly starting: boolean
  /** Why the last start or stop was refused. */
  readonly refusal: WireError | null
  readonly frame: RunFrame | null
  /** The frame before `frame`, for rates. */
  readonly previous: RunFrame | null
  /** Every rare event, oldest first, at most `MAX_RARE`. */
  readonly rare: readonly RareEvent[]
  /** How many of the oldest rare events were let go. */
  readonly rareForgotten: number
  /** Page clock at which the newest frame came, in ms; tells its age. */
  readonly frameAt: number | null
  setRun(run: RunSummary | null): void
  setStarting(starting: boolean): void
  setRefusal(refusal: WireError | null): void
  takeFrame(frame: RunFrame, at: number): void
}

export type RunStore = StoreApi<RunState>

export const MAX_RARE = 2_000

const FRESH = { frame: null, previous: null, rare: [], rareForgotten: 0, frameAt: null } as const

export function createRunStore(): RunStore {
  return createStore<RunState>()((set, get) => ({
    run: null,
    starting: false,
    refusal: null,
    ...FRESH,
    setRun: (run) => set(run?.runId === get().run?.runId ? { run } : { run, ...FRESH }),
    setStarting: (starting) => set(starting ? { starting, refusal: null } : { starting }),
    setRefusal: (refusal) => set({ refusal }),
    takeFrame: (frame, at) => {
      const state = get()
      const same = state.frame?.runId === frame.runId
      if (same && state.frame && frame.seq <= state.frame.seq) return
      const seen = same ? (state.rare.at(-1)?.n ?? 0) : 0
      const fresh = frame.rare.filter((event) => event.n > seen)
      const all = same ? [...state.rare, ...fresh] : fresh
      const rare = all.length > MAX_RARE ? all.slice(-MAX_RARE) : all
      set({
        frame,
        previous: same ? state.frame : null,
        rare: fresh.length > 0 || !same ? rare : state.rare,
        rareForgotten: (same ? state.rareForgotten : 0) + all.length - rare.length,
        frameAt: at,
      })
    },
  }))
}
