import type { AnalysisResult } from '@lanescope/shared'
import { toMermaid } from '../../model/toMermaid.js'
import type { Workspace } from '../../model/Workspace.js'

export type ExportForm = 'typescript' | 'document' | 'description' | 'mermaid' | 'drawing' | 'image'

export const EXPORT_FORMS: readonly { readonly id: ExportForm; readonly label: string; readonly ending: string }[] = [
  { id: 'typescript', label: 'TypeScript project', ending: '.zip' },
  { id: 'document', label: 'Topology document', ending: '.json' },
  { id: 'description', label: 'TopologyDescription', ending: '.txt' },
  { id: 'mermaid', label: 'Mermaid', ending: '.mmd' },
  { id: 'drawing', label: 'Drawing', ending: '.svg' },
  { id: 'image', label: 'Image', ending: '.png' },
]

/** What a form is told to programs as; a zip comes from the agent. */
const TYPES: { readonly [form in ExportForm]: string } = {
  typescript: 'application/zip',
  document: 'application/json',
  description: 'text/plain',
  mermaid: 'text/plain',
  drawing: 'image/svg+xml',
  image: 'image/png',
}

/** An export of one file: what is saved; and its text, where it is one that people read. */
export interface ExportedFile {
  readonly name: string
  readonly blob: Blob
  readonly text?: string
}

/** Undefined for a project, which is many files, and while the topology cannot be built. */
export async function exportFile(
  form: ExportForm,
  projectId: string,
  workspace: Workspace,
  analysis: AnalysisResult | null,
): Promise<ExportedFile | undefined> {
  if (form === 'typescript') return undefined
  const name =
    form === 'document' ? 'topology.json' : `${projectId}${EXPORT_FORMS.find(({ id }) => id === form)?.ending}`
  const type = TYPES[form]
  if (form === 'drawing' || form === 'image') {
    const { drawPng, drawSvg } = await import('../../canvas/drawing/drawTopology.js')
    const svg = await drawSvg(workspace.document, analysis)
    return form === 'image' ? { name, blob: await drawPng(svg) } : { name, blob: new Blob([svg], { type }), text: svg }
  }
  const text = await exportText(form, workspace, analysis)
  return text === undefined ? undefined : { name, blob: new Blob([text], { type }), text }
}

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
  if (form === 'mermaid') return toMermaid(workspace.document, analysis)
  const { writeDocument } = await import('../../model/generated.js')
  return writeDocument(workspace.document)
}

/** What is still missing before the project can run; it can then not be exported either. */
export async function missingParts(workspace: Workspace): Promise<readonly string[]> {
  const { incompleteness } = await import('../../model/generated.js')
  return incompleteness(workspace.document).map((part) => part.message)
}
