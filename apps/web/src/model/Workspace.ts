import type { TopologyDocument } from '@lanescope/shared'

/** All that a person edits in a project, and so all that undo takes back. */
export interface Workspace {
  readonly document: TopologyDocument
  /** `src/*.ts` by path under `src/`; generated files are not among them. */
  readonly files: { readonly [path: string]: string }
  /** `app.config.json`, flat. */
  readonly config: { readonly [key: string]: unknown }
}

/** Changes the document and leaves the rest. */
export function withDocument(
  workspace: Workspace,
  change: (document: TopologyDocument) => TopologyDocument,
): Workspace {
  const document = change(workspace.document)
  return document === workspace.document ? workspace : { ...workspace, document }
}

export function emptyDocument(name: string): TopologyDocument {
  return {
    formatVersion: 1,
    name,
    nodes: [],
    edges: [],
    stores: [],
    types: { module: './model' },
    samples: {},
    generators: [],
    suppressions: [],
  }
}
