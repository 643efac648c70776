import type { CodeRef, SerdeRef, SideDeclaration, TopologyDocument } from '../document/TopologyDocument.js'

/** A piece of the user's code that the document names, and what uses it. */
export interface CodeUse {
  readonly code: CodeRef
  /** Processors are replaced in an analysis; serdes, deserializers and extractors run. */
  readonly role: 'processor' | 'serde' | 'extractor'
  /** Nodes that cannot do without it: the node itself, or all that use the store. */
  readonly nodeIds: readonly string[]
  /** How a message names the place: "the key of events". */
  readonly place: string
}

/** Every piece of code that nodes and stores of a document use, in document order. Generators run nowhere here. */
export function codeUses(document: TopologyDocument): CodeUse[] {
  const uses: CodeUse[] = []
  const add = (code: CodeRef | undefined, role: CodeUse['role'], nodeIds: readonly string[], place: string) => {
    if (code !== undefined) uses.push({ code, role, nodeIds, place })
  }
  for (const node of document.nodes) {
    const of = (what: string) => `the ${what} of ${node.name}`
    const { kind, properties } = node
    if (kind === 'source') {
      add(sideCode(properties.key), 'serde', [node.id], of('key'))
      add(sideCode(properties.value), 'serde', [node.id], of('value'))
      add(properties.timestampExtractor, 'extractor', [node.id], of('timestamp'))
    } else if (kind === 'processor') add(properties.code, 'processor', [node.id], of('code'))
    else {
      add(serdeCode(properties.key), 'serde', [node.id], of('key'))
      if (kind === 'sink') add(serdeCode(properties.value), 'serde', [node.id], of('value'))
    }
  }
  for (const store of document.stores) {
    const users = document.nodes.filter(
      (node) => node.kind === 'processor' && node.properties.stores.includes(store.id),
    )
    const ids = users.map(({ id }) => id)
    add(serdeCode(store.key), 'serde', ids, `the key of the store ${store.name}`)
    add(serdeCode(store.value), 'serde', ids, `the value of the store ${store.name}`)
  }
  return uses
}

function serdeCode(serde: SerdeRef | undefined): CodeRef | undefined {
  return serde?.kind === 'custom' ? serde.code : undefined
}

function sideCode(side: SideDeclaration): CodeRef | undefined {
  if (side.form === 'serde') return serdeCode(side.serde)
  return side.form === 'deserializer' && side.deserializer.kind === 'custom' ? side.deserializer.code : undefined
}
