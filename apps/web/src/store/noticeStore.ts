import { createStore, type StoreApi } from 'zustand/vanilla'

export type Tone = 'info' | 'caution' | 'danger'

export interface NoticeState {
  /** The one thing said in passing; null when there is nothing to say. */
  readonly notice: { readonly n: number; readonly message: string; readonly tone: Tone } | null
  say(message: string, tone?: Tone): void
  /** Takes back notice `n`, unless a newer one stands. */
  dismiss(n: number): void
  /** Takes back whatever stands. */
  clear(): void
}

export type NoticeStore = StoreApi<NoticeState>

export function createNoticeStore(): NoticeStore {
  return createStore<NoticeState>()((set, get) => ({
    notice: null,
    say: (message, tone = 'info') => set({ notice: { n: (get().notice?.n ?? 0) + 1, message, tone } }),
    dismiss: (n) => {
      if (get().notice?.n === n) set({ notice: null })
    },
    clear: () => set({ notice: null }),
  }))
}
