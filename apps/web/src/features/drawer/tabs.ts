import { type ComponentType, lazy } from 'react'
import type { FindingsState } from '../../store/findingsStore.js'
import type { RunState } from '../../store/runStore.js'
import type { TabId } from '../../store/viewStore.js'
import { EpochsAside, EpochsTab } from '../epochs/index.js'
import { LanesAside, LanesTab } from '../lanes/index.js'
import { LogAside, LogTab } from '../log/index.js'
import { ProblemsAside, ProblemsTab } from '../problems/index.js'
import { RecordsAside, RecordsTab } from '../records/index.js'
import { SegmentsAside, SegmentsTab } from '../segments/index.js'
import { TimersAside, TimersTab } from '../timers/index.js'

export interface DrawerTab {
  readonly id: TabId
  readonly label: string
  readonly Body: ComponentType
  /** At the right end of the tab bar while this tab is shown: a filter, a line on sampling. */
  readonly Aside?: ComponentType
  /** The figure beside the label; undefined shows none. */
  readonly count?: (findings: FindingsState, run: RunState) => number | undefined
}

// The editor and its language service are the heaviest part of the page: they come when the tab is opened.
const CodeTab = lazy(async () => ({ default: (await import('../code/index.js')).CodeTab }))

const problemCount = ({ analysis }: FindingsState): number | undefined =>
  analysis ? analysis.findings.length + analysis.problems.length : undefined

/** The drawer's tabs, in their order. */
export const DRAWER_TABS: readonly DrawerTab[] = [
  { id: 'problems', label: 'Problems', Body: ProblemsTab, Aside: ProblemsAside, count: problemCount },
  { id: 'lanes', label: 'Lanes', Body: LanesTab, Aside: LanesAside },
  { id: 'timers', label: 'Timers', Body: TimersTab, Aside: TimersAside, count: pendingTimers },
  { id: 'segments', label: 'Segments', Body: SegmentsTab, Aside: SegmentsAside },
  { id: 'records', label: 'Records', Body: RecordsTab, Aside: RecordsAside },
  { id: 'epochs', label: 'Epochs', Body: EpochsTab, Aside: EpochsAside },
  { id: 'log', label: 'Log', Body: LogTab, Aside: LogAside },
  { id: 'code', label: 'Code', Body: CodeTab },
]

function pendingTimers(_: FindingsState, run: RunState): number | undefined {
  const counts = run.frame?.snapshot.nodes.flatMap((node) => node.timers?.pending ?? []) ?? []
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}
