import type { AnalysisResult } from '@lanescope/shared'
import type { Workspace } from '../../model/Workspace.js'

export type ExportForm = 'typescript' | 'document' | 'description'

export const EXPORT_FORMS: readonly { readonly id: ExportForm; readonly label: string; readonly ending: string }[] = [
  { id: 'typescript', label: 'TypeScript project', ending: '.zip' },
  { id: 'document', label: 'Topology document', ending: '.json' },
  { id: 'description', label: 'TopologyDescription', ending: '.txt' },
]

/** A file of an export, as the dialog lists it. */
export interface ListedFile {
  readonly path: string
  readonly note: string
  readonly size: number
}

const lines = (text: string) => {
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return count === 1 ? '1 line' : `${count} lines`
}

/** What the TypeScript project holds: the generated files, and what people wrote. The order is that of a folder. */
export async function listProject(workspace: Workspace): Promise<readonly ListedFile[]> {
  const { generateProject, writeDocument } = await import('../../model/generated.js')
  const generated = await generateProject(workspace.document, { vendor: [] })
  const own = Object.entries(workspace.files).map(([path, text]) => ({
    path: `src/${path}`,
    text,
    note: 'yours, unchanged',
  }))
  const all = [
    ...generated.map((file) => ({ ...file, note: lines(file.text) })),
    ...own,
    { path: 'app.config.json', text: JSON.stringify(workspace.config, null, 2), note: configNote(workspace.config) },
    { path: 'topology.json', text: writeDocument(workspace.document), note: 'opens in Lanescope' },
  ]
  const rank = (path: string) => (path.startsWith('src/') ? 0 : path.includes('/') ? 1 : 2)
  return all
    .map(({ path, text, note }) => ({ path, note, size: text.length }))
    .sort((a, b) => rank(a.path) - rank(b.path) || a.path.localeCompare(b.path))
}

function configNote(config: Workspace['config']): string {
  const lanes = config['lanes.count']
  const guarantee = config['processing.guarantee']
  return [lanes === undefined ? undefined : `${lanes} lanes`, guarantee].filter((part) => part !== undefined).join(', ')
}

/** The text of an export that is one file; undefined while it is not known. */
export async function exportText(
  form: ExportForm,
  workspace: Workspace,
  analysis: AnalysisResult | null,
): Promise<string | undefined> {
  if (form === 'typescript') return analysis?.topologyText
  if (form === 'description') return analysis?.ok ? analysis.view.describe : undefined
  const { writeDocument } = await import('../../model/generated.js')
  return writeDocument(workspace.document)
}

/** What is still missing before the project can run; it can then not be exported either. */
export async function missingParts(workspace: Workspace): Promise<readonly string[]> {
  const { incompleteness } = await import('../../model/generated.js')
  return incompleteness(workspace.document).map((part) => part.message)
}
