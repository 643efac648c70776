import { codeUses, fileOfModule, isGeneratedPath, type TopologyDocument } from '@lanescope/shared'
import type { Workspace } from '../../../model/Workspace.js'

export const GENERATED = 'topology.ts'
export const STORES = 'stores.ts'
export const CONFIG = 'app.config.json'

export interface CodeFile {
  /** Path under `src/`, or `app.config.json`. */
  readonly path: string
  readonly kind: 'generated' | 'source' | 'config'
}

/**
 * The files of a project in the order of their tabs: what is generated, code by name, the types after it, the config.
 * No edit of the drawing moves one.
 */
export function codeFiles({ document, files }: Workspace): CodeFile[] {
  const sources = Object.keys(files)
    .sort()
    .sort((a, b) => rank(a) - rank(b))
  return [
    { path: GENERATED, kind: 'generated' },
    ...(document.stores.length > 0 ? [{ path: STORES, kind: 'generated' as const }] : []),
    ...sources.map((path) => ({ path, kind: 'source' as const })),
    { path: CONFIG, kind: 'config' },
  ]
}

/** The types come after all code. */
function rank(path: string): number {
  return path === 'model.ts' ? 1 : 0
}

/** The file that holds a node's own code. */
export function fileOfNode(document: TopologyDocument, nodeId: string): string | undefined {
  const use = codeUses(document).find(({ nodeIds }) => nodeIds.length === 1 && nodeIds[0] === nodeId)
  return use === undefined ? undefined : fileOfModule(use.code.module)
}

/** Why a file cannot have this name, or undefined when it can. */
export function nameProblem(path: string, files: Workspace['files'], current?: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+(?:[./][A-Za-z0-9_-]+)*\.ts$/.test(path) || path.endsWith('.d.ts')) {
    return 'A file is named like enrich.ts: letters, digits, "-", "_", and ".ts" at the end.'
  }
  if (isGeneratedPath(path)) return `${path} is generated from the canvas. Take another name.`
  if (path !== current && files[path] !== undefined) return `There is a ${path} already.`
  return undefined
}
