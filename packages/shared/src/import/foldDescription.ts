import type { DescribedNode } from './parseDescription.js'

/** What a node of a description becomes in a drawing. */
export type FoldedNode = {
  readonly name: string
  readonly parents: readonly string[]
  readonly described: DescribedNode
} & (
  | { readonly as: 'source'; readonly table?: { readonly storeName: string; readonly isGlobal: boolean } }
  | { readonly as: 'sink' | 'processor' | 'merge' | 'repartition' }
  | { readonly as: 'transform'; readonly op: TransformOp }
  /** The table whose rows are looked up comes last of its parents. */
  | { readonly as: 'table-join'; readonly how: 'inner' | 'left' }
)

export type TransformOp = 'filter' | 'map-values' | 'map' | 'flat-map-values' | 'flat-map' | 'select-key' | 'peek'

/** Operators whose name Kafka Streams numbers, and of which it tells all there is but the function. */
const TRANSFORMS: { readonly [prefix: string]: TransformOp } = {
  'KSTREAM-FILTER': 'filter',
  'KSTREAM-MAPVALUES': 'map-values',
  'KSTREAM-MAP': 'map',
  'KSTREAM-FLATMAPVALUES': 'flat-map-values',
  'KSTREAM-FLATMAP': 'flat-map',
  'KSTREAM-KEY-SELECT': 'select-key',
  'KSTREAM-PEEK': 'peek',
}

/** Topics that Kafka Streams makes for itself: here records cross to another lane in memory. */
const INTERNAL_TOPIC =
  /-repartition$|-subscription-(registration|response)-\d+-topic$|-subscription-(registration|response)-topic$/

/**
 * Takes the plumbing out of a description: a pair of sink and source over an internal topic is one repartition, the source
 * and the node that keeps its rows are one table, and what only turns tables into streams is nothing.
 */
export function foldDescription(nodes: readonly DescribedNode[]): readonly FoldedNode[] {
  return new Folding(nodes).all()
}

class Folding {
  readonly #byName: ReadonlyMap<string, DescribedNode>
  /** Nodes that are drawn as a part of another one: of which, by name. */
  readonly #partOf = new Map<string, string>()
  readonly #folded = new Map<string, Omit<FoldedNode, 'parents'>>()

  constructor(private readonly nodes: readonly DescribedNode[]) {
    this.#byName = new Map(nodes.map((node) => [node.name, node]))
  }

  all(): readonly FoldedNode[] {
    this.#foldRepartitions()
    this.#foldTables()
    for (const node of this.nodes) if (!this.#partOf.has(node.name) && !this.#folded.has(node.name)) this.#foldOne(node)
    const parents = this.#parents()
    return this.nodes.flatMap(({ name }) => {
      const folded = this.#folded.get(name)
      return folded === undefined ? [] : [{ ...folded, parents: this.#parentsOf(folded, parents) } as FoldedNode]
    })
  }

  #foldRepartitions(): void {
    for (const source of this.nodes) {
      const [topic] = source.topics
      if (source.kind !== 'source' || topic === undefined || !INTERNAL_TOPIC.test(topic)) continue
      const sinks = this.nodes.filter((node) => node.kind === 'sink' && node.topic === topic)
      if (sinks.length === 0) continue
      this.#folded.set(source.name, { name: repartitionName(topic), described: source, as: 'repartition' })
      for (const sink of sinks) {
        this.#partOf.set(sink.name, source.name)
        for (const node of this.nodes) if (isFilterOf(node, sink)) this.#partOf.set(node.name, source.name)
      }
    }
  }

  #foldTables(): void {
    for (const source of this.nodes) {
      if (source.kind !== 'source' || this.#folded.has(source.name) || source.topics.length !== 1) continue
      const [next, ...others] = source.successors
      const keeper = next === undefined ? undefined : this.#byName.get(next)
      if (keeper === undefined || others.length > 0) continue
      if (!source.isGlobal && !/^KTABLE-SOURCE-\d+$/.test(keeper.name)) continue
      const table = { storeName: keeper.stores[0] ?? `${source.topics[0]}-store`, isGlobal: source.isGlobal }
      this.#folded.set(source.name, { name: source.name, described: source, as: 'source', table } as never)
      this.#partOf.set(keeper.name, source.name)
    }
  }

  #foldOne(node: DescribedNode): void {
    const { name } = node
    const prefix = name.replace(/-\d+$/, '')
    if (node.kind !== 'processor') this.#set(node, { as: node.kind })
    else if (prefix === 'KTABLE-TOSTREAM' && this.#parentNames(name).length === 1) {
      this.#partOf.set(name, this.#parentNames(name)[0] as string)
    } else if (prefix === 'KSTREAM-MERGE' && node.stores.length === 0 && this.#parentNames(name).length > 1)
      this.#set(node, { as: 'merge' })
    else if (TRANSFORMS[prefix] !== undefined && node.stores.length === 0)
      this.#set(node, { as: 'transform', op: TRANSFORMS[prefix] })
    else if ((prefix === 'KSTREAM-JOIN' || prefix === 'KSTREAM-LEFTJOIN') && this.#tableOf(node) !== undefined)
      this.#set(node, { as: 'table-join', how: prefix === 'KSTREAM-JOIN' ? 'inner' : 'left' })
    else this.#set(node, { as: 'processor' })
  }

  #set(described: DescribedNode, what: object): void {
    this.#folded.set(described.name, { name: described.name, described, ...what } as Omit<FoldedNode, 'parents'>)
  }

  /** The table that a join of a stream looks into, when that is all it keeps and one stream leads into it. */
  #tableOf(node: DescribedNode): string | undefined {
    const [store, ...others] = node.stores
    if (store === undefined || others.length > 0 || this.#parentNames(node.name).length !== 1) return undefined
    for (const [name, folded] of this.#folded) {
      if (folded.as !== 'source') continue
      const { table } = folded as Extract<FoldedNode, { as: 'source' }>
      if (table !== undefined && !table.isGlobal && table.storeName === store) return name
    }
    return undefined
  }

  #parentNames(name: string): readonly string[] {
    return this.nodes.filter(({ successors }) => successors.includes(name)).map((node) => node.name)
  }

  /** By drawn node: the drawn nodes that lead into it, each once, in the order of the text. */
  #parents(): ReadonlyMap<string, readonly string[]> {
    const parents = new Map<string, string[]>()
    for (const node of this.nodes) {
      const from = this.#drawn(node.name)
      for (const successor of node.successors) {
        const to = this.#drawn(successor)
        if (from === to) continue
        const known = parents.get(to) ?? []
        if (!known.includes(from)) parents.set(to, [...known, from])
      }
    }
    return parents
  }

  #parentsOf(folded: Omit<FoldedNode, 'parents'>, all: ReadonlyMap<string, readonly string[]>): readonly string[] {
    const own = all.get(folded.described.name) ?? []
    const table = folded.as === 'table-join' ? this.#tableOf(folded.described) : undefined
    return table === undefined ? own : [...own.filter((name) => name !== table), table]
  }

  /** The node of the text that a node is drawn as. */
  #drawn(name: string): string {
    const of = this.#partOf.get(name)
    return of === undefined ? name : this.#drawn(of)
  }
}

/** The filter that lets no null key into a repartition: numbered behind its sink, where one of the user's comes before. */
function isFilterOf(node: DescribedNode, sink: DescribedNode): boolean {
  const [next, ...others] = node.successors
  if (node.kind !== 'processor' || next !== sink.name || others.length > 0) return false
  if (/-repartition-filter$/.test(node.name)) return true
  const filter = /^KSTREAM-FILTER-(\d+)$/.exec(node.name)?.[1]
  const written = /^KSTREAM-SINK-(\d+)$/.exec(sink.name)?.[1]
  return filter !== undefined && written !== undefined && Number(filter) > Number(written)
}

function repartitionName(topic: string): string {
  return topic.replace(/-repartition$/, '').replace(/-topic$/, '')
}
