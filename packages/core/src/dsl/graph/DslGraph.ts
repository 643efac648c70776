import type { Optimization } from '../../topology/TopologyConfig.js'
import type { TopologyWriter } from '../../topology/TopologyWriter.js'
import type { PlannedStep } from '../DslPlan.js'
import { GraphNode } from './GraphNode.js'
import { joinSelfInOneStore } from './joinSelfInOneStore.js'
import { mergeRepartitions } from './mergeRepartitions.js'
import { reuseSourceTopics } from './reuseSourceTopics.js'

/** Kafka's graph of operators, between the calls of a builder and the topology that they become (C.2). */
export class DslGraph {
  readonly nodes: GraphNode[]

  constructor(steps: readonly PlannedStep[]) {
    this.nodes = steps.map((step) => {
      const node = new GraphNode(step)
      step.write(node)
      return node
    })
    this.mergeSources()
  }

  optimise(optimizations: readonly Optimization[]): void {
    if (optimizations.includes('reuse.ktable.source.topics')) reuseSourceTopics(this)
    if (optimizations.includes('merge.repartition.topics')) mergeRepartitions(this)
    if (optimizations.includes('single.store.self.join')) joinSelfInOneStore(this)
  }

  /** The nodes whose output it takes, in the order in which it names them. */
  parentsOf(node: GraphNode): GraphNode[] {
    return [...new Set(node.parents.map((name) => this.ownerOf(name)).filter((owner) => owner !== undefined))]
  }

  childrenOf(node: GraphNode): GraphNode[] {
    const names = new Set(node.nodes.map(({ name }) => name))
    return this.nodes.filter((other) => other.parents.some((parent) => names.has(parent)))
  }

  remove(node: GraphNode): void {
    this.nodes.splice(this.nodes.indexOf(node), 1)
  }

  /**
   * Lets null keys pass each boundary that has a left or outer join of a stream anywhere behind it, through whatever lies
   * between: such a join sends them on (KIP-962).
   */
  keepNulls(): void {
    const above = new Set(this.nodes.filter(({ step }) => step.facts.sendsNullKeys === true))
    for (const node of above) for (const parent of this.parentsOf(node)) above.add(parent)
    for (const node of above) node.keepNulls()
  }

  /** Writes each node behind all of its parents, and of those that may be next the one of smallest priority. */
  write(to: TopologyWriter): void {
    const parents = new Map(this.nodes.map((node) => [node, this.parentsOf(node)]))
    const written = new Set<GraphNode>()
    const waiting = [...this.nodes].sort((a, b) => a.priority - b.priority)
    while (waiting.length > 0) {
      const ready = waiting.findIndex((node) => parents.get(node)?.every((parent) => written.has(parent)))
      const [next] = waiting.splice(Math.max(ready, 0), 1) as [GraphNode]
      next.write(to)
      written.add(next)
    }
  }

  private mergeSources(): void {
    for (const node of [...this.nodes]) {
      const { sameSource } = node.step.facts
      if (sameSource === undefined) continue
      for (const child of this.childrenOf(node)) child.replaceParent(sameSource.name, sameSource.as)
      this.remove(node)
    }
  }

  private ownerOf(name: string): GraphNode | undefined {
    return this.nodes.find((node) => node.nodes.some((own) => own.name === name))
  }
}
