import { type ComponentType, lazy } from 'react'
import type { FindingsState } from '../../store/findingsStore.js'
import type { RunState } from '../../store/runStore.js'
import type { TabId } from '../../store/viewStore.js'
import { EpochsTab } from '../epochs/index.js'
import { LanesTab } from '../lanes/index.js'
import { LogTab } from '../log/index.js'
import { ProblemsTab } from '../problems/index.js'
import { RecordsTab } from '../records/index.js'
import { SegmentsTab } from '../segments/index.js'
import { TimersTab } from '../timers/index.js'

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

/** The drawer's tabs, in their order. */
export const DRAWER_TABS: readonly DrawerTab[] = [
  { id: 'problems', label: 'Problems', Body: ProblemsTab },
  { id: 'lanes', label: 'Lanes', Body: LanesTab },
  { id: 'timers', label: 'Timers', Body: TimersTab },
  { id: 'segments', label: 'Segments', Body: SegmentsTab },
  { id: 'records', label: 'Records', Body: RecordsTab },
  { id: 'epochs', label: 'Epochs', Body: EpochsTab },
  { id: 'log', label: 'Log', Body: LogTab },
  { id: 'code', label: 'Code', Body: CodeTab },
]
