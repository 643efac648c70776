import type { Workspace } from '../model/Workspace.js'

/** What became of two states that grew from one. */
export type Merge =
  | { readonly ok: true; readonly workspace: Workspace }
  | { readonly ok: false; readonly parts: readonly string[] }

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Takes the side that changed; undefined stands for "both changed, differently". */
function pick<T>(base: T, mine: T, theirs: T): { readonly value: T } | undefined {
  if (same(mine, theirs) || same(base, theirs)) return { value: mine }
  if (same(base, mine)) return { value: theirs }
  return undefined
}

function mergeRecord<T>(
  base: { readonly [key: string]: T },
  mine: { readonly [key: string]: T },
  theirs: { readonly [key: string]: T },
  conflicts: string[],
  name: (key: string) => string,
): { [key: string]: T } {
  const merged: { [key: string]: T } = {}
  for (const key of new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])) {
    const picked = pick<T | undefined>(base[key], mine[key], theirs[key])
    if (!picked) conflicts.push(name(key))
    else if (picked.value !== undefined) merged[key] = picked.value
  }
  return merged
}

/**
 * Merges edits made here with a newer state on disk, part by part: each file, each config key, each part of
 * the document. Where both sides changed one part differently, nothing is merged and those parts are named.
 */
export function mergeWorkspace(base: Workspace, mine: Workspace, theirs: Workspace): Merge {
  const conflicts: string[] = []
  const files = mergeRecord(base.files, mine.files, theirs.files, conflicts, (path) => `src/${path}`)
  const config = mergeRecord(base.config, mine.config, theirs.config, conflicts, (key) => `app.config.json: ${key}`)
  const parts = (workspace: Workspace) => workspace.document as unknown as { readonly [key: string]: unknown }
  const document = mergeRecord(parts(base), parts(mine), parts(theirs), conflicts, (key) => `topology.json: ${key}`)
  if (conflicts.length > 0) return { ok: false, parts: conflicts }
  return { ok: true, workspace: { document: document as unknown as Workspace['document'], files, config } }
}
