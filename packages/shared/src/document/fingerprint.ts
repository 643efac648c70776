import { isGeneratedPath } from './generatedModules.js'
import type { TopologyDocument } from './TopologyDocument.js'
import { writeDocument } from './writeDocument.js'

/** What a run is made of. */
export interface RunMaterial {
  readonly document: TopologyDocument
  readonly files: { readonly [path: string]: string }
  readonly config: { readonly [key: string]: unknown }
}

/**
 * A short text that tells whether two states of a project run alike: it changes with nodes, edges, code and config,
 * and not with where nodes stand, what is noted on them, or the order of files and settings. Not for security.
 */
export function fingerprintOf({ document, files, config }: RunMaterial): string {
  const nodes = document.nodes.map(({ note: _, ...node }) => ({ ...node, position: { x: 0, y: 0 } }))
  const runs = writeDocument({ ...document, nodes, samples: {}, suppressions: [] })
  const code = Object.entries(files).filter(([path]) => !isGeneratedPath(path))
  return hash(JSON.stringify([runs, byName(code), byName(Object.entries(config))]))
}

function byName(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
}

/** Two FNV-1a hashes with different starts: 64 bits in hex. */
function hash(text: string): string {
  let [one, two] = [0x811c9dc5, 0x01234567]
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = Math.imul(one ^ unit, 0x01000193)
    two = Math.imul(two ^ unit ^ (unit >>> 8), 0x01000193)
  }
  return [one, two].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
