import type { NodeDefinition, RepartitionDefinition, SourceDefinition } from '../NodeDefinition.js'
import type { TopologyDefinition } from '../TopologyDefinition.js'

/** An edge between two nodes that run. A repartition's sink and source are one edge here, crossed in memory (B1). */
export interface LaneEdge {
  readonly from: string
  readonly to: string
  readonly repartition?: RepartitionDefinition
}

/** The nodes that run, in the order of insertion, and the edges between them. */
export class LaneGraph {
  readonly nodes: readonly NodeDefinition[]
  readonly edges: readonly LaneEdge[]
  /** Stores that every processor may read. */
  readonly globalStores: readonly string[]
  private readonly byName: ReadonlyMap<string, NodeDefinition>
  private readonly incoming = new Map<string, LaneEdge[]>()
  private readonly outgoing = new Map<string, LaneEdge[]>()

  constructor(
    readonly definition: TopologyDefinition,
    /** `compat: kafka-streams`. */
    emulates = false,
  ) {
    this.nodes = [...definition.nodes.values()]
      .filter((node) => node.kind === 'processor' || node.repartition === undefined)
      .map((node) => {
        const kept = node.kind === 'source' && !emulates ? node.consumedOrKept : undefined
        return kept === undefined ? node : { ...(node as SourceDefinition), consumed: kept }
      })
    this.globalStores = [...definition.stores.values()]
      .filter(({ global }) => global)
      .map(({ builder }) => builder.name)
    this.byName = new Map(this.nodes.map((node) => [node.name, node]))
    this.edges = this.nodes.flatMap((node) =>
      definition.parentsOf(node).flatMap((parent) => edgesInto(definition, parent, node)),
    )
    for (const { name } of this.nodes) {
      this.incoming.set(name, [])
      this.outgoing.set(name, [])
    }
    for (const edge of this.edges) {
      this.incoming.get(edge.to)?.push(edge)
      this.outgoing.get(edge.from)?.push(edge)
    }
  }

  node(name: string): NodeDefinition {
    return this.byName.get(name) as NodeDefinition
  }

  into(name: string): readonly LaneEdge[] {
    return this.incoming.get(name) ?? []
  }

  outOf(name: string): readonly LaneEdge[] {
    return this.outgoing.get(name) ?? []
  }

  storesOf(name: string): readonly string[] {
    return this.definition.storesOf(name)
  }

  /** Whether a key may leave this node other than it came. */
  changesKey(name: string): boolean {
    const node = this.node(name)
    return node.kind === 'processor' && node.keyEffect.kind === 'changed'
  }

  /** B6: a lane's order matters to what keeps state, waits for timers or joins. */
  needsOwnLane(name: string): boolean {
    const node = this.node(name)
    if (node.kind !== 'processor') return false
    return (node.supplier.timers ?? []).length > 0 || this.storesOf(name).length > 0
  }
}

/** Whether a node is a source of topics, and not of a schedule. */
export function readsTopics(node: NodeDefinition): boolean {
  return node.kind === 'source' && node.schedule === undefined
}

function edgesInto(definition: TopologyDefinition, parent: string, child: NodeDefinition): LaneEdge[] {
  const source = definition.nodes.get(parent)
  if (source?.kind !== 'source' || source.repartition === undefined) return [{ from: parent, to: child.name }]
  const { repartition } = source
  return [repartition.from, ...(repartition.alsoFrom ?? [])].map((from) => ({ from, to: child.name, repartition }))
}
