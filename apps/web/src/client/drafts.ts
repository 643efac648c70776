import type { Workspace } from '../model/Workspace.js'

/** The part of the host's storage that is needed. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Edits that did not reach the disk, and the revision they were made on. */
export interface Draft {
  readonly revision: number
  readonly base: Workspace
  readonly workspace: Workspace
}

const keyOf = (projectId: string): string => `lanescope.draft.${projectId}`

/** Keeps unsaved edits over a reload or a crash of the page. A full or forbidden storage keeps none. */
export function createDrafts(storage: DraftStorage) {
  return {
    /** Whether it could be kept. */
    keep(projectId: string, draft: Draft): boolean {
      try {
        storage.setItem(keyOf(projectId), JSON.stringify(draft))
        return true
      } catch {
        return false
      }
    },
    read(projectId: string): Draft | undefined {
      const text = storage.getItem(keyOf(projectId))
      return text === null ? undefined : (JSON.parse(text) as Draft)
    },
    drop(projectId: string): void {
      storage.removeItem(keyOf(projectId))
    },
  }
}

export type Drafts = ReturnType<typeof createDrafts>
