import { createStore, type StoreApi } from 'zustand/vanilla'

export type Mode = 'design' | 'live'
export type Theme = 'dark' | 'light' | 'system'
export type TabId = 'problems' | 'lanes' | 'timers' | 'segments' | 'records' | 'epochs' | 'log' | 'code'
export const TAB_IDS: readonly TabId[] = ['problems', 'lanes', 'timers', 'segments', 'records', 'epochs', 'log', 'code']

/** What floats above the page; one at a time. */
export type Overlay = 'commands' | 'add' | 'keys' | 'export' | 'open' | 'conflict' | null

/** A place in a file, for the Code tab. Lines count from 1. */
export interface CodePlace {
  readonly path: string
  readonly line?: number
}

/** What the right side shows. */
export type Panel = 'finding' | 'node' | 'config' | null

export interface ViewState {
  readonly mode: Mode
  /** Ids of the selected nodes, in the order of selection. */
  readonly selection: readonly string[]
  readonly edge: string | null
  readonly findingId: string | null
  readonly panel: Panel
  readonly tab: TabId
  readonly drawerOpen: boolean
  readonly drawerHeight: number
  readonly code: CodePlace | null
  readonly theme: Theme
  readonly overlay: Overlay
  /** Text that the canvas is filtered by; null when no search is on. */
  readonly search: string | null
  /** The node whose name is being edited on the canvas. */
  readonly renaming: string | null
  /** View state of single tabs that belongs into a link: filter, key, time. */
  readonly params: { readonly [name: string]: string }
  set(
    change: Partial<Omit<ViewState, 'set' | 'selectNodes' | 'selectFinding' | 'openTab' | 'openCode' | 'setParam'>>,
  ): void
  /** Selects nodes and shows the first one's panel; none: clears. */
  selectNodes(ids: readonly string[]): void
  selectFinding(id: string | null, node?: string): void
  openTab(tab: TabId): void
  openCode(place: CodePlace): void
  setParam(name: string, value: string | null): void
}

export type ViewStore = StoreApi<ViewState>

export const INITIAL_VIEW = {
  mode: 'design',
  selection: [],
  edge: null,
  findingId: null,
  panel: null,
  tab: 'problems',
  drawerOpen: true,
  drawerHeight: 172,
  code: null,
  theme: 'system',
  overlay: null,
  search: null,
  renaming: null,
  params: {},
} as const satisfies Partial<ViewState>

/** A run is looked at without the finding that was open in Design; its nodes stay selected. */
function withoutFinding(state: ViewState): Partial<ViewState> {
  if (state.findingId === null) return {}
  return { findingId: null, panel: state.selection.length > 0 ? 'node' : null }
}

export function createViewStore(initial: Partial<ViewState> = {}): ViewStore {
  return createStore<ViewState>()((set, get) => ({
    ...INITIAL_VIEW,
    ...initial,
    set: (change) =>
      set(change.mode === 'live' && get().mode !== 'live' ? { ...withoutFinding(get()), ...change } : change),
    selectNodes: (selection) =>
      set({ selection, edge: null, findingId: null, panel: selection.length > 0 ? 'node' : null }),
    selectFinding: (findingId, node) =>
      set({ findingId, edge: null, panel: findingId ? 'finding' : null, ...(node ? { selection: [node] } : {}) }),
    openTab: (tab) => set({ tab, drawerOpen: true }),
    openCode: (code) => set({ code, tab: 'code', drawerOpen: true, drawerHeight: Math.max(get().drawerHeight, 320) }),
    setParam: (name, value) => {
      const { [name]: _, ...rest } = get().params
      set({ params: value === null ? rest : { ...rest, [name]: value } })
    },
  }))
}
