import { type Alignment, aligned, LEAST } from '../../model/align.js'
import { copyNodes, parseClip, pasteClip } from '../../model/clipboard.js'
import { disconnect } from '../../model/commands/edges.js'
import { moveNodes, removeNodes } from '../../model/commands/nodes.js'
import { tidy } from '../../model/layout.js'
import { type Direction, walk } from '../../model/navigate.js'
import { withDocument } from '../../model/Workspace.js'
import { type Command, type CommandContext, hasSelection, isOpen } from './Command.js'

/** A step of Ctrl and an arrow, in px. */
const NUDGE = 8
/** How far a paste or a duplicate stands from what it was made of. */
const BESIDE = { x: 24, y: 24 }

const plural = (count: number, word: string) => (count === 1 ? word : `${count} ${word}s`)

function removeSelected({ stores }: CommandContext, label: string): void {
  const { selection, edge } = stores.view.getState()
  const { edit } = stores.project.getState()
  if (selection.length > 0)
    edit(`${label} ${plural(selection.length, 'node')}`, (at) =>
      withDocument(at, (next) => removeNodes(next, selection)),
    )
  else if (edge !== null) edit(`${label} edge`, (at) => withDocument(at, (next) => disconnect(next, [edge])))
  stores.view.getState().set({ selection: [], edge: null, panel: null, findingId: null })
}

/** The selected nodes as clipboard text. */
export function clipText({ stores }: CommandContext): string {
  return JSON.stringify(copyNodes(stores.project.getState().workspace, stores.view.getState().selection))
}

/** Adds what a clipboard text holds; false when it is none of ours. */
export function pasteText({ stores }: CommandContext, text: string): boolean {
  const clip = parseClip(text)
  if (!clip) return false
  const { ids } = pasteClip(stores.project.getState().workspace, clip, BESIDE)
  stores.project.getState().edit(`Paste ${plural(ids.length, 'node')}`, (at) => pasteClip(at, clip, BESIDE).workspace)
  stores.view.getState().selectNodes(ids)
  return true
}

function duplicate({ stores }: CommandContext): void {
  const { workspace, edit } = stores.project.getState()
  const clip = copyNodes(workspace, stores.view.getState().selection)
  const { ids } = pasteClip(workspace, clip, BESIDE)
  edit(`Duplicate ${plural(ids.length, 'node')}`, (at) => pasteClip(at, clip, BESIDE).workspace)
  stores.view.getState().selectNodes(ids)
}

const ARROWS: readonly (readonly [Direction, string, number, number])[] = [
  ['left', 'ArrowLeft', -1, 0],
  ['right', 'ArrowRight', 1, 0],
  ['up', 'ArrowUp', 0, -1],
  ['down', 'ArrowDown', 0, 1],
]

const walking = ARROWS.map(
  ([direction, key]): Command => ({
    id: `walk-${direction}`,
    label: `Walk ${direction}`,
    group: 'Walk',
    keys: [key],
    hidden: true,
    enabled: isOpen,
    run: ({ stores }) => {
      const { document } = stores.project.getState().workspace
      const next = walk(document, stores.view.getState().selection[0] ?? '', direction)
      if (next !== undefined) stores.view.getState().selectNodes([next])
    },
  }),
)

const nudging = ARROWS.map(
  ([direction, key, dx, dy]): Command => ({
    id: `nudge-${direction}`,
    label: `Nudge ${direction}`,
    group: 'Walk',
    keys: [`Mod+${key}`],
    hidden: true,
    enabled: hasSelection,
    run: ({ stores }) => {
      const { selection } = stores.view.getState()
      const shift = (place: { readonly x: number; readonly y: number }) => ({
        x: place.x + dx * NUDGE,
        y: place.y + dy * NUDGE,
      })
      stores.project.getState().edit(
        'Nudge',
        (at) =>
          withDocument(at, (next) => {
            const chosen = next.nodes.filter((node) => selection.includes(node.id))
            return moveNodes(next, new Map(chosen.map((node) => [node.id, shift(node.position)])))
          }),
        'nudge',
      )
    },
  }),
)

const ALIGNMENTS: readonly (readonly [Alignment, label: string, keys: readonly string[]])[] = [
  ['row', 'Align in a row', ['Shift+Alt+R']],
  ['column', 'Align in a column', ['Shift+Alt+C']],
  ['spread-across', 'Spread evenly across', []],
  ['spread-down', 'Spread evenly down', []],
]

const aligning = ALIGNMENTS.map(
  ([alignment, label, keys]): Command => ({
    id: `align-${alignment}`,
    label,
    group: 'Edit',
    keys,
    enabled: ({ stores }) => stores.view.getState().selection.length >= LEAST[alignment],
    run: ({ stores }) => {
      const { selection } = stores.view.getState()
      stores.project
        .getState()
        .edit(label, (at) => withDocument(at, (next) => moveNodes(next, aligned(next, selection, alignment))))
    },
  }),
)

/** Commands that change the project or the selection. */
export const EDIT_COMMANDS: readonly Command[] = [
  {
    id: 'undo',
    label: 'Undo',
    group: 'Edit',
    keys: ['Mod+Z'],
    enabled: ({ stores }) => stores.project.getState().undoLabel !== undefined,
    run: ({ stores }) => stores.project.getState().undo(),
  },
  {
    id: 'redo',
    label: 'Redo',
    group: 'Edit',
    keys: ['Mod+Shift+Z', 'Mod+Y'],
    enabled: ({ stores }) => stores.project.getState().redoLabel !== undefined,
    run: ({ stores }) => stores.project.getState().redo(),
  },
  {
    id: 'copy',
    label: 'Copy',
    group: 'Edit',
    keys: ['Mod+C'],
    byHost: true,
    enabled: hasSelection,
    run: (context) => navigator.clipboard.writeText(clipText(context)),
  },
  {
    id: 'cut',
    label: 'Cut',
    group: 'Edit',
    keys: ['Mod+X'],
    byHost: true,
    enabled: hasSelection,
    run: async (context) => {
      await navigator.clipboard.writeText(clipText(context))
      removeSelected(context, 'Cut')
    },
  },
  {
    id: 'paste',
    label: 'Paste',
    group: 'Edit',
    keys: ['Mod+V'],
    byHost: true,
    enabled: isOpen,
    run: async (context) => {
      if (pasteText(context, await navigator.clipboard.readText())) return
      context.services.notify('The clipboard holds no nodes.')
    },
  },
  { id: 'duplicate', label: 'Duplicate', group: 'Edit', keys: ['Mod+D'], enabled: hasSelection, run: duplicate },
  {
    id: 'delete',
    label: 'Delete',
    group: 'Edit',
    keys: ['Delete', 'Backspace'],
    enabled: (context) => hasSelection(context) || context.stores.view.getState().edge !== null,
    run: (context) => removeSelected(context, 'Delete'),
  },
  {
    id: 'select-all',
    label: 'Select all',
    group: 'Edit',
    keys: ['Mod+A'],
    enabled: isOpen,
    run: ({ stores }) =>
      stores.view.getState().selectNodes(stores.project.getState().workspace.document.nodes.map((node) => node.id)),
  },
  {
    id: 'rename',
    label: 'Rename',
    group: 'Edit',
    keys: ['F2'],
    enabled: hasSelection,
    run: ({ stores }) => stores.view.getState().set({ renaming: stores.view.getState().selection[0] ?? null }),
  },
  {
    id: 'tidy',
    label: 'Tidy',
    group: 'Edit',
    keys: ['Shift+Alt+T'],
    enabled: isOpen,
    run: ({ stores, services }) => {
      const { selection } = stores.view.getState()
      stores.project.getState().edit('Tidy', (at) => withDocument(at, (next) => moveNodes(next, tidy(next, selection))))
      if (selection.length < 2) services.canvas.current?.fit()
    },
  },
  ...aligning,
  ...walking,
  ...nudging,
]

export { removeSelected }
