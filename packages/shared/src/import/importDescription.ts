import { emptyDocument } from '../document/emptyDocument.js'
import { needsDsl } from '../document/nodeForms.js'
import type { DocumentEdge, DocumentNode, DocumentStore, TopologyDocument } from '../document/TopologyDocument.js'
import { drawnName } from './drawnName.js'
import { type FoldedNode, foldDescription } from './foldDescription.js'
import { parseDescription } from './parseDescription.js'
import { PLACEHOLDER_FILE, PLACEHOLDER_NOTE, Placeholders } from './placeholders.js'

export type ImportedDescription =
  | {
      readonly ok: true
      readonly document: TopologyDocument
      /** By path under `src/`. */
      readonly files: { readonly [path: string]: string }
      /** How many nodes have code that stands in for another. */
      readonly placeholders: number
    }
  /** What is wrong first, and the line of the text, from 1. */
  | { readonly ok: false; readonly line: number; readonly message: string }

/**
 * Makes a drawing of what `Topology#describe()` of any Kafka Streams application prints: its nodes, edges, topics, tables,
 * stores and repartitions. What the text does not tell, the code, the serdes, windows and retentions, is left to the
 * defaults or to placeholders that say so. All nodes stand at one place: lay them out.
 *
 * @param name of the new topology
 */
export function importDescription(text: string, name: string): ImportedDescription {
  const parsed = parseDescription(text)
  if (!parsed.ok) return parsed
  const drawing = new Drawing()
  for (const node of foldDescription(parsed.nodes)) drawing.add(node)
  return { ok: true, ...drawing.finish(name) }
}

const AT = { x: 0, y: 0 }
const OPEN = { form: 'default' } as const

class Drawing {
  readonly #nodes: DocumentNode[] = []
  readonly #stores = new Map<string, DocumentStore>()
  readonly #ids = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #names = new Set<string>()
  readonly #parents = new Map<string, readonly string[]>()
  readonly #tables = new Set<string>()
  readonly #code = new Placeholders()
  #placeholders = 0

  add(folded: FoldedNode): void {
    const name = this.#claimName(drawnName(folded))
    const id = this.#claimId(name)
    this.#ids.set(folded.described.name, id)
    this.#parents.set(id, folded.parents)
    this.#nodes.push(this.#made({ id, name, position: AT }, folded))
  }

  finish(name: string) {
    const stores = [...this.#stores.values()].filter((store) => !this.#tables.has(store.name))
    const kept = new Set(stores.map(({ id }) => id))
    const nodes = this.#nodes.map((node) =>
      node.kind === 'processor'
        ? { ...node, properties: { ...node.properties, stores: node.properties.stores.filter((id) => kept.has(id)) } }
        : node,
    )
    const drawn = this.#wired({ ...emptyDocument(name), nodes, stores })
    const text = this.#code.text
    return {
      document: drawn,
      files: text === undefined ? {} : { [PLACEHOLDER_FILE]: text },
      placeholders: this.#placeholders,
    }
  }

  #made(base: Pick<DocumentNode, 'id' | 'name' | 'position'>, folded: FoldedNode): DocumentNode {
    const { described } = folded
    switch (folded.as) {
      case 'source':
        return this.#source(base, folded)
      case 'sink':
        return {
          ...base,
          kind: 'sink',
          properties: { topic: described.topic ?? '' },
          ...(described.extractor === undefined
            ? {}
            : { note: `Its topic was picked record by record, by ${described.extractor}: name one.` }),
        }
      case 'merge':
        return { ...base, kind: 'merge', properties: {} }
      case 'repartition':
        return { ...base, kind: 'repartition', properties: {} }
      case 'transform':
        return this.#standsIn(described.name, {
          ...base,
          kind: 'transform',
          properties: { op: folded.op, code: this.#code.transform(base.name, described.name, folded.op) },
        })
      case 'table-join':
        return this.#standsIn(described.name, {
          ...base,
          kind: 'join',
          properties: { of: 'stream-table', how: folded.how, code: this.#code.join(base.name, described.name) },
        })
      case 'processor':
        return this.#standsIn(described.name, {
          ...base,
          kind: 'processor',
          properties: {
            code: this.#code.processor(base.name, described.name),
            timers: [],
            stores: described.stores.map((store) => this.#store(store)),
          },
        })
    }
  }

  #source(
    base: Pick<DocumentNode, 'id' | 'name' | 'position'>,
    { described, table }: Extract<FoldedNode, { as: 'source' }>,
  ): DocumentNode {
    if (table !== undefined) this.#tables.add(table.storeName)
    return {
      ...base,
      kind: 'source',
      properties: {
        topics: [...described.topics],
        keyType: 'unknown',
        valueType: 'unknown',
        key: OPEN,
        value: OPEN,
        ...(table === undefined
          ? {}
          : { table: { storeName: table.storeName, ...(table.isGlobal ? { global: true as const } : {}) } }),
      },
      ...(described.pattern === undefined ? {} : { note: `It read every topic like ${described.pattern}: name them.` }),
    }
  }

  #standsIn(called: string, node: DocumentNode): DocumentNode {
    this.#placeholders++
    return { ...node, note: `${PLACEHOLDER_NOTE} There it is called ${called}.` }
  }

  /** A description tells the name alone. */
  #store(name: string): string {
    const known = this.#stores.get(name)
    if (known !== undefined) return known.id
    const id = this.#claimId(name)
    const key = { kind: 'built-in', name: 'string' } as const
    this.#stores.set(name, { id, name, kind: 'key-value', key, value: { kind: 'json', type: 'unknown' } })
    return id
  }

  /** Edges; in the DSL only a merge has several inputs, so that what had several gets one in front of it. */
  #wired(document: TopologyDocument): TopologyDocument {
    const edges: DocumentEdge[] = []
    const merges: DocumentNode[] = []
    const isDsl = needsDsl(document)
    const connect = (from: string, to: string, side?: DocumentEdge['side']) =>
      edges.push({ id: this.#claimId(`${from}-to-${to}`), from, to, ...(side === undefined ? {} : { side }) })
    for (const node of document.nodes) {
      const parents = (this.#parents.get(node.id) ?? []).flatMap((name) => this.#ids.get(name) ?? [])
      if (node.kind === 'join') {
        for (const [at, from] of parents.entries()) connect(from, node.id, at === parents.length - 1 ? 'right' : 'left')
      } else if (parents.length > 1 && isDsl && node.kind !== 'merge') {
        const id = this.#claimId(`${node.id}-inputs`)
        merges.push({ id, kind: 'merge', name: this.#claimName(`${node.name}-inputs`), position: AT, properties: {} })
        for (const from of parents) connect(from, id)
        connect(id, node.id)
      } else for (const from of parents) connect(from, node.id)
    }
    return { ...document, nodes: [...document.nodes, ...merges], edges }
  }

  /** Ids are lower-case, whatever a node is called. */
  #claimId(name: string): string {
    const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
    return claim(this.#taken, slug.replace(/^-+/, '') || 'node')
  }

  #claimName(wanted: string): string {
    return claim(this.#names, wanted)
  }
}

function claim(taken: Set<string>, wanted: string): string {
  let one = wanted
  for (let number = 2; taken.has(one); number++) one = `${wanted}-${number}`
  taken.add(one)
  return one
}
