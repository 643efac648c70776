import type { TopologyDocument } from '@lanescope/shared'
import type { Workspace } from '../model/Workspace.js'

/** What a save sends: only what changed. */
export interface Changes {
  readonly document?: TopologyDocument
  readonly files?: { readonly [path: string]: string }
  readonly deletedFiles?: readonly string[]
  readonly config?: { readonly [key: string]: unknown }
}

const differs = (a: unknown, b: unknown): boolean => a !== b && JSON.stringify(a) !== JSON.stringify(b)

/** The parts of `after` that are not as in `before`; empty when nothing differs. */
export function changesBetween(before: Workspace, after: Workspace): Changes {
  const written = Object.entries(after.files).filter(([path, text]) => before.files[path] !== text)
  const deleted = Object.keys(before.files).filter((path) => after.files[path] === undefined)
  return {
    ...(differs(before.document, after.document) && { document: after.document }),
    ...(written.length > 0 && { files: Object.fromEntries(written) }),
    ...(deleted.length > 0 && { deletedFiles: deleted }),
    ...(differs(before.config, after.config) && { config: after.config }),
  }
}
