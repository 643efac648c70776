import type { Fix } from '@lanescope/core'
import { startOrSay } from '../../live/cannotRun.js'
import { RUN_CHOICES } from '../../live/runActions.js'
import { strandedTimers, strandedWords } from '../../model/strandedTimers.js'
import { withDocument } from '../../model/Workspace.js'
import { type Command, type CommandContext, isOpen } from './Command.js'

const isRunning = ({ stores }: CommandContext): boolean => {
  const { run } = stores.run.getState()
  return run !== null && run.endedAt === null
}

/** Moves to the finding `by` places on, round and round. */
function stepFinding({ stores }: CommandContext, by: 1 | -1): void {
  const findings = stores.findings.getState().analysis?.findings ?? []
  if (findings.length === 0) return
  const at = findings.findIndex((finding) => finding.id === stores.view.getState().findingId)
  const start = at === -1 ? (by === 1 ? -1 : 0) : at
  const next = findings[(start + by + findings.length) % findings.length]
  if (next) stores.view.getState().selectFinding(next.id, next.nodeId)
}

function shownFix({ stores }: CommandContext) {
  const { findingId } = stores.view.getState()
  return stores.findings.getState().analysis?.findings.find((finding) => finding.id === findingId)?.fixes[0]
}

/** Makes a fix as one undoable edit. The generator that knows how is loaded when it is first needed. */
export async function makeFix({ stores, services }: CommandContext, fix: Fix): Promise<void> {
  const { applyFix } = await import('../../model/generated.js')
  const strands = strandedWords(strandedByFixes({ stores, services }, [fix]))
  stores.project.getState().edit(fix.title, (at) => withDocument(at, (next) => applyFix(next, fix)))
  sayFixed(services, `Fixed: ${fix.title}. Ctrl Z takes it back.`, strands)
}

/** What of the last run's timers the next one would put aside, since fixes write their keys otherwise. */
function strandedByFixes({ stores }: CommandContext, fixes: readonly Fix[]) {
  const { workspace } = stores.project.getState()
  // Without a run nothing is pending; told to refuse or to convert them, a run does that.
  const keeps = (workspace.config['timers.serde-change'] ?? 'strand') !== 'strand'
  if (stores.run.getState().run === null || keeps) return []
  const analysed = stores.findings.getState().analysis?.view?.nodes ?? []
  const all = fixes.flatMap((fix) => strandedTimers(fix, workspace.document, analysed))
  return all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at)
}

function sayFixed(services: CommandContext['services'], fixed: string, strands: string | undefined): void {
  if (strands === undefined) services.notify(fixed)
  else services.notify(`${fixed} ${strands}`, 'caution')
}

/** Makes the fixes of all findings of a kind as one undoable edit. */
export async function makeFixes(
  { stores, services }: CommandContext,
  rule: string,
  fixes: readonly Fix[],
): Promise<void> {
  const { applyFix } = await import('../../model/generated.js')
  const strands = strandedWords(strandedByFixes({ stores, services }, fixes))
  stores.project
    .getState()
    .edit(`Fix all ${rule}`, (at) => withDocument(at, (document) => fixes.reduce(applyFix, document)))
  sayFixed(services, `Fixed ${fixes.length} places. Ctrl Z takes them back.`, strands)
}

const runs = RUN_CHOICES.map(
  (choice, index): Command => ({
    id: choice.id,
    label: choice.label,
    group: 'Run',
    keys: index === 0 ? ['Mod+Enter'] : [],
    enabled: (context) => isOpen(context) && !isRunning(context),
    run: ({ stores, services }) => startOrSay(stores, services, choice),
  }),
)

/** Commands on findings, runs and projects. */
export const PROJECT_COMMANDS: readonly Command[] = [
  ...runs,
  {
    id: 'stop',
    label: 'Stop',
    group: 'Run',
    keys: [],
    enabled: isRunning,
    run: ({ services }) => void services.run.stop(),
  },
  {
    id: 'next-finding',
    label: 'Next finding',
    group: 'Findings',
    keys: ['F8'],
    enabled: isOpen,
    run: (context) => stepFinding(context, 1),
  },
  {
    id: 'previous-finding',
    label: 'Previous finding',
    group: 'Findings',
    keys: ['Shift+F8'],
    enabled: isOpen,
    run: (context) => stepFinding(context, -1),
  },
  {
    id: 'apply-fix',
    label: 'Apply the quick fix',
    group: 'Findings',
    keys: ['Mod+.'],
    enabled: (context) => shownFix(context) !== undefined,
    run: async (context) => {
      const fix = shownFix(context)
      if (fix) await makeFix(context, fix)
    },
  },
  {
    id: 'export',
    label: 'Export…',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'export' }),
  },
  {
    id: 'import',
    label: 'Import a TopologyDescription or topology.json…',
    group: 'Project',
    words: ['paste', 'describe', 'open', 'Kafka Streams', 'TopologyDescription'],
    keys: [],
    enabled: () => true,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'import', importing: '' }),
  },
  {
    id: 'open-project',
    label: 'Open a project…',
    group: 'Project',
    keys: ['Mod+O'],
    enabled: () => true,
    run: async ({ stores, services }) => {
      stores.view.getState().set({ overlay: 'open' })
      await services.session.refreshLists()
    },
  },
  {
    id: 'rename-project',
    label: 'Rename the project…',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'rename-project' }),
  },
  {
    id: 'duplicate-project',
    label: 'Duplicate the project',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: async ({ stores, services }) => {
      const { projectId } = stores.project.getState()
      if (projectId !== null) await services.folders.duplicate(projectId)
    },
  },
  {
    id: 'delete-project',
    label: 'Delete the project…',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: ({ stores }) => stores.view.getState().set({ overlay: 'delete-project' }),
  },
  {
    id: 'close-project',
    label: 'Close the project',
    group: 'Project',
    keys: [],
    enabled: isOpen,
    run: async ({ services }) => {
      await services.session.flush()
      services.session.close()
    },
  },
]
