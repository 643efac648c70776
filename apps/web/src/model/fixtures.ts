import type { DocumentNode, TopologyDocument } from '@lanescope/shared'
import { emptyDocument, type Workspace } from './Workspace.js'

const at = (x: number, y: number) => ({ x, y })

export function aSource(id: string, x = 0, y = 0): DocumentNode {
  return {
    id,
    name: id,
    kind: 'source',
    position: at(x, y),
    properties: {
      topics: [id],
      keyType: 'string',
      valueType: 'Event',
      key: { form: 'default' },
      value: { form: 'serde', serde: { kind: 'json', type: 'Event' } },
    },
  }
}

export function aProcessor(id: string, x = 0, y = 0, stores: string[] = []): DocumentNode {
  return {
    id,
    name: id,
    kind: 'processor',
    position: at(x, y),
    properties: { code: { module: `./${id}`, export: 'P' }, timers: [], stores },
  }
}

export function aCount(id: string, x = 0, y = 0): DocumentNode {
  return {
    id,
    name: id,
    kind: 'windowed-count',
    position: at(x, y),
    properties: { sizeMs: 60_000, graceMs: 0, storeName: `${id}-store` },
  }
}

export function aSink(id: string, x = 0, y = 0): DocumentNode {
  return { id, name: id, kind: 'sink', position: at(x, y), properties: { topic: id } }
}

/** A document with these nodes; edges as `a>b`. */
export function aDocument(nodes: readonly DocumentNode[], edges: readonly string[] = []): TopologyDocument {
  return {
    ...emptyDocument('test'),
    nodes: [...nodes],
    edges: edges.map((edge) => {
      const [from = '', to = ''] = edge.split('>')
      return { id: `${from}-${to}`, from, to }
    }),
  }
}

export function aWorkspace(document: TopologyDocument, files: Workspace['files'] = {}): Workspace {
  return { document, files, config: {} }
}

/** Edges as `a>b`, for comparing. */
export const edgesOf = (document: TopologyDocument): string[] => document.edges.map((edge) => `${edge.from}>${edge.to}`)
