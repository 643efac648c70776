import { isGeneratedPath } from '../document/generatedModules.js'
import { incompleteness } from '../document/incompleteness.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { writeDocument } from '../document/writeDocument.js'
import { generateProject } from './generateProject.js'
import type { VendorFile } from './projectFiles.js'

/** What people wrote of a project. */
export interface ExportedProject {
  readonly document: TopologyDocument
  /** By path under `src/`. */
  readonly files: { readonly [path: string]: string }
  readonly config: { readonly [key: string]: unknown }
}

export interface VendorPackage extends VendorFile {
  readonly bytes: Uint8Array
}

/** A file of an export, as text or as bytes; its path is relative to the project's folder. */
export type ExportedFile =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly bytes: Uint8Array }

export type Export =
  | { readonly ok: true; readonly files: readonly ExportedFile[] }
  /** The drawing is not finished: what is missing, a sentence each. */
  | { readonly ok: false; readonly missing: readonly string[] }

/** All files of a project that runs without us, for a zip or a folder. */
export async function exportFiles(project: ExportedProject, vendor: readonly VendorPackage[]): Promise<Export> {
  const missing = incompleteness(project.document).map((part) => part.message)
  if (missing.length > 0) return { ok: false, missing }
  const written = Object.entries(project.files).filter(([path]) => !isGeneratedPath(path))
  return {
    ok: true,
    files: [
      { path: 'topology.json', text: writeDocument(project.document) },
      { path: 'app.config.json', text: `${JSON.stringify(project.config, null, 2)}\n` },
      ...written.map(([path, text]) => ({ path: `src/${path}`, text })),
      ...(await generateProject(project.document, { vendor })),
      ...vendor.map(({ file, bytes }) => ({ path: `vendor/${file}`, bytes })),
    ],
  }
}
