import type { DocumentNode } from '@lanescope/shared'
import { pathOf } from './clipboard.js'
import { modulesOf } from './nodeKinds.js'
import { storesOf } from './queries.js'
import type { Workspace } from './Workspace.js'

export interface SearchHit {
  readonly id: string
  /** Where the text was found: the name, a topic, a store, a property or the code. */
  readonly where: string
}

/** Nodes whose name, topics, stores, properties, note or code hold the text, in document order. */
export function searchNodes(workspace: Workspace, text: string): readonly SearchHit[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return workspace.document.nodes.flatMap((node) => {
    const place = placesOf(workspace, node).find(([, content]) => content.toLowerCase().includes(wanted))
    return place ? [{ id: node.id, where: place[0] }] : []
  })
}

function placesOf(workspace: Workspace, node: DocumentNode): readonly (readonly [where: string, content: string])[] {
  const stores = storesOf(workspace.document, node).map((store) => store.name)
  const topics =
    node.kind === 'source'
      ? node.properties.topics
      : node.kind === 'sink' || node.kind === 'through'
        ? [node.properties.topic]
        : []
  const code = modulesOf(workspace.document, node).map((module) => workspace.files[pathOf(module)] ?? '')
  return [
    ['name', node.name],
    ['topic', topics.join('\n')],
    ['store', stores.join('\n')],
    ['properties', JSON.stringify(node.properties)],
    ['note', node.note ?? ''],
    ['code', code.join('\n')],
  ]
}
