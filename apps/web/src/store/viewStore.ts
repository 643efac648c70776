import { createStore, type StoreApi } from 'zustand/vanilla'

export type Mode = 'design' | 'live'
export type Theme = 'dark' | 'light' | 'system'
export type TabId = 'problems' | 'lanes' | 'timers' | 'segments' | 'records' | 'epochs' | 'log' | 'code'
export const TAB_IDS: readonly TabId[] = ['problems', 'lanes', 'timers', 'segments', 'records', 'epochs', 'log', 'code']

/** What floats above the page; one at a time. */
export type Overlay =
  | 'commands'
  | 'add'
  | 'keys'
  | 'export'
  | 'open'
  | 'conflict'
  | 'rename-project'
  | 'delete-project'
  | 'import'
  | null

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
  /** What the import dialog opens with. */
  readonly importing: string
  /** Text that the canvas is filtered by; null when no search is on. */
  readonly search: string | null
  /** The node whose name is being edited on the canvas. */
  readonly renaming: string | null
  /** View state of single tabs that belongs into a link: filter, key, time. */
  readonly params: { readonly [name: string]: string }
  /** The drawer as Design left it, while a run is looked at. */
  readonly designDrawer: Pick<ViewState, 'tab' | 'drawerHeight'> | null
  set(change: ViewChange): void
  /** Selects nodes and shows the first one's panel; none: clears. */
  selectNodes(ids: readonly string[]): void
  selectFinding(id: string | null, node?: string): void
  openTab(tab: TabId): void
  openCode(place: CodePlace): void
  setParam(name: string, value: string | null): void
  /** Lets go of everything that belongs to one project: what is selected, open, searched. */
  leaveProject(): void
}

type ViewAct = 'set' | 'selectNodes' | 'selectFinding' | 'openTab' | 'openCode' | 'setParam' | 'leaveProject'
export type ViewChange = Partial<Omit<ViewState, ViewAct>>

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
  importing: '',
  search: null,
  renaming: null,
  params: {},
  designDrawer: null,
} as const satisfies Partial<ViewState>

/** Tabs that show a run. */
const OF_A_RUN: ReadonlySet<TabId> = new Set(['lanes', 'timers', 'segments', 'records', 'epochs', 'log'])

/** A run is looked at without the finding that was open in Design; its nodes stay selected. */
function enterLive(state: ViewState): Partial<ViewState> {
  const designDrawer = { tab: state.tab, drawerHeight: state.drawerHeight }
  if (state.findingId === null) return { designDrawer }
  return { designDrawer, findingId: null, panel: state.selection.length > 0 ? 'node' : null }
}

/** The charts of a run make the drawer tall; Design has the height back that it had, and its tab in a chart's place. */
function enterDesign({ designDrawer, tab }: ViewState): Partial<ViewState> {
  const before = designDrawer ?? INITIAL_VIEW
  return {
    designDrawer: null,
    drawerHeight: before.drawerHeight,
    tab: OF_A_RUN.has(tab) && !OF_A_RUN.has(before.tab) ? before.tab : tab,
  }
}

const OF_A_PROJECT = {
  mode: 'design',
  selection: [],
  edge: null,
  findingId: null,
  panel: null,
  tab: 'problems',
  code: null,
  overlay: null,
  search: null,
  renaming: null,
  params: {},
} as const satisfies ViewChange

export function createViewStore(initial: Partial<ViewState> = {}): ViewStore {
  return createStore<ViewState>()((set, get) => ({
    ...INITIAL_VIEW,
    ...initial,
    set: (change) => {
      const turnsTo = change.mode === get().mode ? undefined : change.mode
      if (turnsTo === 'live') set({ ...enterLive(get()), ...change })
      else if (turnsTo === 'design') set({ ...enterDesign(get()), ...change })
      else set(change)
    },
    leaveProject: () => get().set(OF_A_PROJECT),
    selectNodes: (selection) =>
      set({ selection, edge: null, findingId: null, panel: selection.length > 0 ? 'node' : null }),
    selectFinding: (findingId, node) =>
      set({ findingId, edge: null, panel: findingId ? 'finding' : null, ...(node ? { selection: [node] } : {}) }),
    openTab: (tab) => set({ tab, drawerOpen: true, ...(tab === 'code' && roomForCode(get())) }),
    openCode: (code) => set({ code, tab: 'code', drawerOpen: true, ...roomForCode(get()) }),
    setParam: (name, value) => {
      const { [name]: _, ...rest } = get().params
      set({ params: value === null ? rest : { ...rest, [name]: value } })
    },
  }))
}

/** Fewer lines than fit in this, in px, are no code to read. */
const CODE_HEIGHT = 320

function roomForCode({ drawerHeight }: ViewState): Pick<ViewState, 'drawerHeight'> {
  return { drawerHeight: Math.max(drawerHeight, CODE_HEIGHT) }
}
