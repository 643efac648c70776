import type { FolderContent } from './readFolder.js'

interface Known {
  readonly revision: number
  readonly fingerprint: string
}

/**
 * Numbers the contents that a project has had. A number begins at the time of the newest file, so that a page
 * that outlived a restart of the agent can go on with the number that it has, if nobody changed anything.
 */
export class Revisions {
  readonly #known = new Map<string, Known>()

  /** The number of this content, and whether it differs from what was there last. */
  see(
    projectId: string,
    content: Pick<FolderContent, 'changedAt' | 'fingerprint'>,
  ): { revision: number; changed: boolean } {
    const known = this.#known.get(projectId)
    if (known?.fingerprint === content.fingerprint) return { revision: known.revision, changed: false }
    const revision = Math.max((known?.revision ?? 0) + 1, content.changedAt)
    this.#known.set(projectId, { revision, fingerprint: content.fingerprint })
    return { revision, changed: known !== undefined }
  }

  forget(projectId: string): void {
    this.#known.delete(projectId)
  }
}
