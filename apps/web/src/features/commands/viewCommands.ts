import { pathOf } from '../../model/clipboard.js'
import { insertNode } from '../../model/commands/insert.js'
import { codeOf, kindFacts, longLabel, NODE_KINDS } from '../../model/nodeKinds.js'
import { nodeById } from '../../model/queries.js'
import { TAB_IDS, type Theme, type ViewState } from '../../store/viewStore.js'
import { TAB_LABELS } from '../drawer/tabLabels.js'
import { type Command, type CommandContext, hasSelection, isOpen } from './Command.js'

const always = () => true

/** Escape takes back one thing at a time, the nearest first. */
function escapeOne({ stores }: CommandContext): void {
  const view = stores.view.getState()
  const steps: readonly [boolean, Partial<ViewState>][] = [
    [view.overlay !== null, { overlay: null }],
    [view.search !== null, { search: null }],
    [view.findingId !== null, { findingId: null, panel: view.selection.length > 0 ? 'node' : null }],
    [true, { selection: [], edge: null, panel: null }],
  ]
  const step = steps.find(([holds]) => holds)
  if (step) view.set(step[1])
}

/** Opens the code of a node, or the panel of one that has none. */
function openSelected({ stores }: CommandContext): void {
  const id = stores.view.getState().selection[0]
  const node = id === undefined ? undefined : nodeById(stores.project.getState().workspace.document, id)
  if (!node) return
  const code = codeOf(node)
  if (code !== undefined) stores.view.getState().openCode({ path: pathOf(code.module) })
  else stores.view.getState().selectNodes([node.id])
}

const addKinds = NODE_KINDS.map(
  (facts): Command => ({
    id: `add-${facts.kind}`,
    label: `Add ${longLabel(facts).toLowerCase()}`,
    group: 'Add',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => {
      const added = insertNode(stores.project.getState().workspace, facts.kind, { to: 'free' })
      stores.project.getState().edit(`Add ${longLabel(kindFacts(facts.kind)).toLowerCase()}`, () => added.workspace)
      stores.view.getState().selectNodes([added.id])
    },
  }),
)

const THEMES: readonly (readonly [Theme, string])[] = [
  ['dark', 'Dark theme'],
  ['light', 'Light theme'],
  ['system', 'Theme of the system'],
]

const themes = THEMES.map(
  ([theme, label]): Command => ({
    id: `theme-${theme}`,
    label,
    group: 'View',
    keys: [],
    enabled: always,
    run: ({ stores }) => stores.view.getState().set({ theme }),
  }),
)

const tabs: readonly Command[] = TAB_IDS.map((tab) => ({
  id: `tab-${tab}`,
  label: `Show ${TAB_LABELS[tab]}`,
  group: 'View',
  keys: [],
  enabled: isOpen,
  run: ({ stores }) => stores.view.getState().openTab(tab),
}))

/** Commands that change what is looked at. */
export const viewCommands = (): readonly Command[] => [
  {
    id: 'add',
    label: 'Add a node…',
    group: 'Add',
    keys: ['N'],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'add' }),
  },
  ...addKinds,
  {
    id: 'commands',
    label: 'Commands and search',
    group: 'View',
    keys: ['Mod+K'],
    enabled: always,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'commands' }),
  },
  {
    id: 'search',
    label: 'Search the topology',
    group: 'View',
    keys: ['Mod+F'],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ search: stores.view.getState().search ?? '' }),
  },
  {
    id: 'fit',
    label: 'Fit the whole graph',
    group: 'View',
    keys: ['1'],
    enabled: isOpen,
    run: ({ services }) => services.canvas.current?.fit(),
  },
  {
    id: 'zoom-100',
    label: 'Zoom to 100 %',
    group: 'View',
    keys: ['0'],
    enabled: isOpen,
    run: ({ services }) => services.canvas.current?.zoomTo(1),
  },
  { id: 'open', label: 'Open', group: 'View', keys: ['Enter'], enabled: hasSelection, run: openSelected },
  { id: 'escape', label: 'Back out', group: 'View', keys: ['Escape'], hidden: true, enabled: always, run: escapeOne },
  {
    id: 'design',
    label: 'Design mode',
    group: 'View',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ mode: 'design' }),
  },
  {
    id: 'live',
    label: 'Live mode',
    group: 'View',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ mode: 'live' }),
  },
  {
    id: 'config',
    label: 'Engine settings',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ panel: 'config', findingId: null }),
  },
  ...tabs,
  ...themes,
  {
    id: 'keys',
    label: 'List of keys',
    group: 'View',
    keys: ['?'],
    enabled: always,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'keys' }),
  },
]
