import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type {
  NodeDefinition,
  ProcessorDefinition,
  RepartitionDefinition,
  SinkDefinition,
  SourceDefinition,
} from '../../topology/NodeDefinition.js'
import { type TopicStore, userProcessor } from '../../topology/TopologyDefinition.js'
import type { TopologyWriter } from '../../topology/TopologyWriter.js'
import type { PlannedStep } from '../DslPlan.js'
import { passThrough } from '../operators/passThrough.js'
import { written } from './knownName.js'

type StorePart =
  | { readonly kind: 'store'; readonly builder: StoreBuilder<any, any>; readonly processors: readonly string[] }
  | { readonly kind: 'connection'; readonly processor: string; readonly store: string }
  | { readonly kind: 'global'; readonly filled: TopicStore }
  | { readonly kind: 'restore'; readonly store: string; readonly topic: string }

type Part = NodeDefinition | StorePart

/**
 * What one operator writes, held back: Kafka Streams writes a whole graph of them, after it has been optimised, in the
 * order of their priorities (C.2, C.6). It records, checks nothing, and writes itself when its turn comes.
 */
export class GraphNode implements TopologyWriter {
  private parts: Part[] = []

  constructor(
    readonly step: PlannedStep,
    /** Nodes of smaller numbers are written first, as soon as those in front of them are. */
    readonly priority: number = step.priority,
  ) {}

  addSource(source: Omit<SourceDefinition, 'kind'>): void {
    this.parts.push({ kind: 'source', ...source })
  }

  addProcessor(processor: Omit<ProcessorDefinition, 'kind'>): void {
    this.parts.push({ kind: 'processor', ...processor })
  }

  addUserProcessor(name: string, supplier: ProcessorSupplier<any, any, any, any>, parents: readonly string[]): void {
    this.addProcessor(userProcessor(name, supplier, parents))
  }

  addSink(sink: Omit<SinkDefinition, 'kind'>): void {
    this.parts.push({ kind: 'sink', ...sink })
  }

  addStateStore(builder: StoreBuilder<any, any>, processors: readonly string[]): void {
    this.parts.push({ kind: 'store', builder, processors })
  }

  connect(processor: string, store: string): void {
    this.parts.push({ kind: 'connection', processor, store })
  }

  addGlobalStore(filled: TopicStore): void {
    this.parts.push({ kind: 'global', filled })
  }

  restoreFrom(store: string, topic: string): void {
    this.parts.push({ kind: 'restore', store, topic })
  }

  /** Forgets what was recorded, to be told anew. */
  clear(): void {
    this.parts = []
  }

  /** The nodes of the topology that it writes. */
  get nodes(): readonly NodeDefinition[] {
    return this.parts.filter(isNode)
  }

  /** Names of nodes of others that it hangs on, in the order in which it names them. */
  get parents(): readonly string[] {
    const own = new Set(this.nodes.map((node) => node.name))
    const named = this.nodes.flatMap((node) => (node.kind === 'source' ? [] : node.parents))
    return [...new Set(named.filter((parent) => !own.has(parent)))]
  }

  /** The boundary that it writes, if it is one. */
  get repartition(): RepartitionDefinition | undefined {
    for (const node of this.nodes) if (node.kind === 'source' && node.repartition !== undefined) return node.repartition
    return undefined
  }

  /** The stores that it adds, those that its processors bring along included. */
  get stores(): readonly StoreBuilder<any, any>[] {
    return this.parts.flatMap((part) => {
      if (part.kind === 'store') return [part.builder]
      return part.kind === 'processor' ? (part.supplier.stores ?? []) : []
    })
  }

  get globalStore(): StoreBuilder<any, any> | undefined {
    for (const part of this.parts) if (part.kind === 'global') return part.filled.store
    return undefined
  }

  /** Whether Kafka Streams' optimiser knows that keys change here: of `process` it does not. */
  get changesKey(): boolean {
    return this.nodes.some((node) => node.kind === 'processor' && !node.userCode && node.keyEffect.kind === 'changed')
  }

  /** Whether Kafka Streams knows that values change here: it overlooks `processValues` (KAFKA-19668). */
  get changesValue(): boolean {
    return ['mapValues', 'flatMapValues'].some((operator) => this.isOperator(operator))
  }

  get merges(): boolean {
    return this.isOperator('merge')
  }

  /** Hangs it on another node: a new parent comes last, as in the sets that Kafka Streams keeps them in. */
  replaceParent(old: string, now: string): void {
    this.parts = this.parts.map((part) => {
      if (!isNode(part) || part.kind === 'source') return part
      if (!part.parents.includes(old)) return part
      return { ...part, parents: [...new Set([...part.parents.filter((parent) => parent !== old), now])] }
    })
  }

  /** Lets the boundary that it writes pass null keys on. */
  keepNulls(): void {
    const { repartition } = this
    if (repartition === undefined || repartition.private) return
    this.parts = this.parts.map((part) => {
      if (part.kind === 'processor' && part.name === repartition.from) return { ...part, supplier: passThrough() }
      return part.kind === 'source' ? { ...part, repartition: { ...repartition, keepsNulls: true } } : part
    })
  }

  write(to: TopologyWriter): void {
    for (const part of this.parts) {
      switch (part.kind) {
        case 'source': {
          const { repartition } = part
          const named = { ...part, name: written(part.name) }
          to.addSource(repartition === undefined ? named : { ...named, repartition: writtenFrom(repartition) })
          break
        }
        case 'processor':
          to.addProcessor({ ...part, name: written(part.name), parents: part.parents.map(written) })
          break
        case 'sink':
          to.addSink({ ...part, name: written(part.name), parents: part.parents.map(written) })
          break
        case 'store':
          to.addStateStore(part.builder, part.processors)
          break
        case 'connection':
          to.connect(part.processor, part.store)
          break
        case 'global':
          to.addGlobalStore(part.filled)
          break
        case 'restore':
          to.restoreFrom(part.store, part.topic)
          break
      }
    }
  }

  private isOperator(operator: string): boolean {
    return this.nodes.some((node) => node.kind === 'processor' && node.facts?.operator === operator)
  }
}

function writtenFrom(repartition: RepartitionDefinition): RepartitionDefinition {
  return { ...repartition, from: written(repartition.from) }
}

function isNode(part: Part): part is NodeDefinition {
  return part.kind === 'source' || part.kind === 'processor' || part.kind === 'sink'
}
