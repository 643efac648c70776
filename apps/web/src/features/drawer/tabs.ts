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
import { TAB_LABELS } from './tabLabels.js'

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
  { id: 'problems', label: TAB_LABELS.problems, Body: ProblemsTab, Aside: ProblemsAside, count: problemCount },
  { id: 'lanes', label: TAB_LABELS.lanes, Body: LanesTab, Aside: LanesAside },
  { id: 'timers', label: TAB_LABELS.timers, Body: TimersTab, Aside: TimersAside, count: pendingTimers },
  { id: 'segments', label: TAB_LABELS.segments, Body: SegmentsTab, Aside: SegmentsAside },
  { id: 'records', label: TAB_LABELS.records, Body: RecordsTab, Aside: RecordsAside },
  { id: 'epochs', label: TAB_LABELS.epochs, Body: EpochsTab, Aside: EpochsAside },
  { id: 'log', label: TAB_LABELS.log, Body: LogTab, Aside: LogAside },
  { id: 'code', label: TAB_LABELS.code, Body: CodeTab },
]

function pendingTimers(_: FindingsState, run: RunState): number | undefined {
  const counts = run.frame?.snapshot.nodes.flatMap((node) => node.timers?.pending ?? []) ?? []
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}
