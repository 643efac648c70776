import { projectNameProblem, type TopologyDocument } from '@lanescope/shared'
import { moveNodes } from './commands/nodes.js'
import { tidy } from './layout.js'
import type { Workspace } from './Workspace.js'

/** What a pasted or chosen text became. */
export type ImportedText =
  | {
      readonly ok: true
      readonly what: 'document' | 'description'
      /** A name that a project can have. */
      readonly name: string
      readonly document: TopologyDocument
      readonly files: Workspace['files']
      /** Nodes whose code stands in for another. */
      readonly placeholders: number
    }
  /** One sentence, with the place of what is wrong. */
  | { readonly ok: false; readonly message: string }

/** Whether a text is meant to be imported, by how it begins. */
export function looksLikeTopology(text: string): boolean {
  return /^\s*(Topologies:|Sub-topology: \d)/.test(text.replace(/^\ufeff/, '')) || isDocumentText(text)
}

function isDocumentText(text: string): boolean {
  return /^\s*\{/.test(text) && /"formatVersion"\s*:/.test(text)
}

/** Reads a `topology.json` or the text of a TopologyDescription. Never throws. */
export async function importText(text: string): Promise<ImportedText> {
  const { importDescription, parseDocument } = await import('./generated.js')
  if (/^\s*[{[]/.test(text.replace(/^\ufeff/, ''))) {
    const parsed = parseDocument(text)
    if (parsed.ok) return { ...named(parsed.document), ok: true, what: 'document', files: {}, placeholders: 0 }
    const [first, ...others] = parsed.problems
    const more = others.length === 0 ? '' : ` ${others.length} more after it.`
    return { ok: false, message: `${first?.path ? `At ${first.path}: ` : ''}${first?.message ?? ''}${more}` }
  }
  const imported = importDescription(text, 'imported')
  if (!imported.ok) return { ok: false, message: `Line ${imported.line}: ${imported.message}` }
  const { document, files, placeholders } = imported
  const laid = moveNodes(document, tidy(document))
  return { ...named(laid), ok: true, what: 'description', files, placeholders }
}

function named(document: TopologyDocument): { readonly name: string; readonly document: TopologyDocument } {
  return { name: projectNameProblem(document.name) === undefined ? document.name : 'imported', document }
}
