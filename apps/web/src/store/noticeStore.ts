import { createStore, type StoreApi } from 'zustand/vanilla'

export type Tone = 'info' | 'caution' | 'danger'

/** What a notice offers to do about what it says. */
export interface NoticeAct {
  readonly label: string
  readonly run: () => void
}

export interface NoticeState {
  /** The one thing said in passing; null when there is nothing to say. */
  readonly notice: {
    readonly n: number
    readonly message: string
    readonly tone: Tone
    readonly act?: NoticeAct
  } | null
  say(message: string, tone?: Tone, act?: NoticeAct): void
  /** Takes back notice `n`, unless a newer one stands. */
  dismiss(n: number): void
  /** Takes back whatever stands. */
  clear(): void
}

export type NoticeStore = StoreApi<NoticeState>

export function createNoticeStore(): NoticeStore {
  return createStore<NoticeState>()((set, get) => ({
    notice: null,
    say: (message, tone = 'info', act) =>
      set({ notice: { n: (get().notice?.n ?? 0) + 1, message, tone, ...(act && { act }) } }),
    dismiss: (n) => {
      if (get().notice?.n === n) set({ notice: null })
    },
    clear: () => set({ notice: null }),
  }))
}
