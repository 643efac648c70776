import type { Clock } from '@lanescope/core'
import { type ConnectionStore, createConnectionStore } from './connectionStore.js'
import { createFindingsStore, type FindingsStore } from './findingsStore.js'
import { createNoticeStore, type NoticeStore } from './noticeStore.js'
import { createProjectStore, type ProjectStore } from './projectStore.js'
import { createRunStore, type RunStore } from './runStore.js'
import { createViewStore, type ViewState, type ViewStore } from './viewStore.js'

/** All of the page's state, by what it is about. Made once, in `app/main.tsx`, and handed down. */
export interface AppStores {
  readonly project: ProjectStore
  readonly view: ViewStore
  readonly findings: FindingsStore
  readonly connection: ConnectionStore
  readonly run: RunStore
  readonly notice: NoticeStore
}

export function createStores(clock: Pick<Clock, 'now'>, view: Partial<ViewState> = {}): AppStores {
  return {
    project: createProjectStore(clock),
    view: createViewStore(view),
    findings: createFindingsStore(),
    connection: createConnectionStore(),
    run: createRunStore(),
    notice: createNoticeStore(),
  }
}
