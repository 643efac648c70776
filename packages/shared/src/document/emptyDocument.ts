import { FORMAT_VERSION, type TopologyDocument } from './TopologyDocument.js'

/** A new project's document: a name and nothing drawn yet. */
export function emptyDocument(name: string): TopologyDocument {
  return {
    formatVersion: FORMAT_VERSION,
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
