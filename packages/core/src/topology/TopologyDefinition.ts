import type { StreamError } from '../errors/StreamError.js'
import type { ProcessorSupplier } from '../processor/Processor.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { OperatorFacts } from './CompiledTopology.js'
import type { Consumed } from './Consumed.js'
import { checkName } from './checkName.js'
import type { NodeDefinition, ProcessorDefinition, SinkDefinition, SourceDefinition } from './NodeDefinition.js'
import type { ProcessorWrapper } from './TopologyConfig.js'
import { topologyError } from './topologyError.js'

/** A store and the processors that use it, in the order in which they were connected. */
export interface StoreDefinition {
  readonly builder: StoreBuilder<any, any>
  readonly processors: string[]
  /** The topic that restores it, when it needs no changelog. */
  readonly sourceTopic?: string
  /** Whether every processor may read it, unconnected. */
  readonly global?: true
}

/** A store that one topic fills, through a source and a processor of its own. */
export interface TopicStore {
  readonly store: StoreBuilder<any, any>
  readonly sourceName: string
  readonly topic: string
  readonly consumed: Consumed<any, any>
  readonly consumedOrKept?: Consumed<any, any>
  readonly processorName: string
  readonly supplier: ProcessorSupplier<any, any, any, any>
  /** Whether the DSL made the processor. Else a person did. */
  readonly facts?: OperatorFacts
}

/** A processor that people wrote, as a node. */
export function userProcessor(
  name: string,
  supplier: ProcessorSupplier<any, any, any, any>,
  parents: readonly string[],
): Omit<ProcessorDefinition, 'kind'> {
  return {
    name,
    parents,
    supplier,
    userCode: true,
    keyEffect: { kind: supplier?.sameKey === true ? 'same' : 'changed' },
    valueEffect: 'changed',
  }
}

/**
 * What `Topology` and `StreamsBuilder` write down: nodes in the order of insertion, which is a topological order,
 * because a parent must be there before its child. All refusals of building are made here, with Kafka's meaning.
 *
 * @internal
 */
export class TopologyDefinition {
  readonly nodes = new Map<string, NodeDefinition>()
  readonly stores = new Map<string, StoreDefinition>()
  private readonly connected = new Map<string, readonly string[]>()
  private readonly topicOwner = new Map<string, string>()

  /** @param wrapper puts something around each processor (`processor.wrapper`) */
  constructor(private readonly wrapper?: ProcessorWrapper) {}

  addSource(source: Omit<SourceDefinition, 'kind'>): void {
    const { name, topics } = source
    this.checkNew(name)
    if (topics.length === 0 && source.pattern === undefined && source.schedule === undefined) {
      throw topologyError(`The source "${name}" has no topics: topics cannot be empty. Name at least one.`, {
        node: name,
      })
    }
    for (const topic of topics) checkName('topic', topic)
    for (const [at, topic] of topics.entries()) {
      if (topics.indexOf(topic) !== at) throw topicTaken(name, topic, name)
      this.checkTopicFree(name, topic)
    }
    if (source.pattern !== undefined) this.checkPatternFree(name, source.pattern)
    for (const topic of topics) this.topicOwner.set(topic, name)
    this.nodes.set(name, { kind: 'source', ...source })
  }

  addUserProcessor(name: string, supplier: ProcessorSupplier<any, any, any, any>, parents: readonly string[]): void {
    this.addProcessor(userProcessor(name, supplier, parents))
  }

  addProcessor(processor: Omit<ProcessorDefinition, 'kind'>): void {
    this.putProcessor(processor, this.wrapper)
  }

  private putProcessor(processor: Omit<ProcessorDefinition, 'kind'>, wrapper: ProcessorWrapper | undefined): void {
    const { name, parents, supplier } = processor
    this.checkNew(name)
    this.checkParents(name, parents)
    if (processor.userCode) checkSupplier(name, supplier)
    this.nodes.set(name, { kind: 'processor', ...processor, supplier: wrapped(name, supplier, wrapper) })
    for (const builder of supplier.stores ?? []) this.addStateStore(builder, [name])
  }

  addSink(sink: Omit<SinkDefinition, 'kind'>): void {
    this.checkNew(sink.name)
    if (typeof sink.topic === 'string') checkName('topic', sink.topic)
    this.checkParents(sink.name, sink.parents)
    this.nodes.set(sink.name, { kind: 'sink', ...sink })
  }

  addStateStore(builder: StoreBuilder<any, any>, processors: readonly string[]): void {
    checkName('store', builder.name)
    const known = this.stores.get(builder.name)
    if (known !== undefined && known.builder !== builder) throw storeTwice(builder.name)
    if (known === undefined) this.stores.set(builder.name, { builder, processors: [] })
    for (const processor of processors) this.connect(processor, builder.name)
  }

  /** A store that every processor may read, filled from a topic (C.4). */
  addGlobalStore(filled: TopicStore): void {
    this.addTopicStore(filled, { feeds: 'global' }, { global: true })
  }

  /** A store that its topic fills and restores: it has no changelog. */
  addReadOnlyStateStore(filled: TopicStore): void {
    this.addTopicStore(filled, {}, {})
  }

  private addTopicStore(
    { store, sourceName, topic, consumed, consumedOrKept, processorName, supplier, facts }: TopicStore,
    source: Pick<SourceDefinition, 'feeds'>,
    kept: Pick<StoreDefinition, 'global'>,
  ): void {
    if (this.stores.has(store.name)) throw storeTwice(store.name)
    this.addSource({
      name: sourceName,
      topics: [topic],
      consumed: fromBeginning(sourceName, consumed),
      ...(consumedOrKept !== undefined && { consumedOrKept: fromBeginning(sourceName, consumedOrKept) }),
      ...source,
    })
    const ofOperator = { userCode: false, keyEffect: { kind: 'same' }, valueEffect: 'same' } as const
    const processor = {
      ...userProcessor(processorName, supplier, [sourceName]),
      ...(facts !== undefined && { ...ofOperator, facts, aggregateStore: store.name }),
    }
    // Kafka Streams 4.4.0 puts no wrapper around what fills these stores.
    this.putProcessor(processor, undefined)
    this.addStateStore(store, [processorName])
    const definition = this.stores.get(store.name) as StoreDefinition
    this.stores.set(store.name, { ...definition, ...kept, sourceTopic: topic })
  }

  connect(processor: string, store: string): void {
    const definition = this.stores.get(store)
    if (definition === undefined) {
      throw topologyError(`StateStore "${store}" is not added yet. Call addStateStore before connecting it.`, {
        store,
        node: processor,
      })
    }
    const node = this.nodes.get(processor)
    if (node === undefined) {
      throw topologyError(
        `Processor "${processor}" is not added yet. Call addProcessor before connecting the store "${store}".`,
        {
          node: processor,
          store,
        },
      )
    }
    if (node.kind !== 'processor') {
      throw topologyError(
        `Cannot connect the state store "${store}" to "${processor}", a source node or a sink node.`,
        {
          node: processor,
          store,
        },
      )
    }
    if (definition.global) {
      throw topologyError(
        `Global StateStore "${store}" can be used by a processor without being specified; it should not be explicitly ` +
          `passed. Do not connect it to "${processor}", which may read it as it is.`,
        { node: processor, store },
      )
    }
    if (definition.processors.includes(processor)) return
    definition.processors.push(processor)
    this.connected.set(processor, [...(this.connected.get(processor) ?? []), store])
  }

  /** Lets a topic restore a store in place of a changelog: the source topic of a table, when it is reused (C.2). */
  restoreFrom(store: string, topic: string): void {
    const definition = this.stores.get(store)
    if (definition !== undefined) this.stores.set(store, { ...definition, sourceTopic: topic })
  }

  /** Names of the stores that a processor uses, in the order in which it was connected to them. */
  storesOf(processor: string): readonly string[] {
    return this.connected.get(processor) ?? []
  }

  parentsOf(node: NodeDefinition): readonly string[] {
    return node.kind === 'source' ? [] : node.parents
  }

  private checkNew(name: string): void {
    checkName('node', name)
    if (this.nodes.has(name)) {
      throw topologyError(`Processor ${name} is already added. Give this node another name.`, { node: name })
    }
  }

  private checkParents(name: string, parents: readonly string[]): void {
    if (parents.length === 0) {
      throw topologyError(`The node "${name}" has no parents: predecessorNames cannot be empty. Name at least one.`, {
        node: name,
      })
    }
    for (const parent of parents) this.checkParent(name, parent)
    const twice = parents.find((parent, at) => parents.indexOf(parent) !== at)
    if (twice !== undefined) {
      throw topologyError(`The node "${name}" names its parent "${twice}" twice. Name it once.`, { node: name })
    }
  }

  private checkParent(name: string, parent: string): void {
    if (parent === name) {
      throw topologyError(`Parent node ${parent} is unknown (self-reference): a node cannot be its own parent.`, {
        node: name,
      })
    }
    const node = this.nodes.get(parent)
    if (node === undefined) {
      throw topologyError(`Parent node ${parent} is unknown. Add "${parent}" before its child "${name}".`, {
        node: name,
      })
    }
    if (node.kind === 'sink') {
      throw topologyError(`Sink ${parent} cannot be used a parent. Forward from the sink's own parents to "${name}".`, {
        node: name,
      })
    }
  }

  private checkTopicFree(name: string, topic: string): void {
    const owner = this.topicOwner.get(topic) ?? this.patternOwner(topic)
    if (owner !== undefined) throw topicTaken(name, topic, owner)
  }

  private checkPatternFree(name: string, pattern: RegExp): void {
    for (const [topic, owner] of this.topicOwner) {
      if (!matchesWhole(pattern, topic)) continue
      throw topologyError(
        `Pattern ${pattern.source} will match a topic that has already been registered by another source: "${topic}" of ` +
          `"${owner}". Give "${name}" a pattern that leaves it out, or read it there alone.`,
        { node: name, topic },
      )
    }
  }

  private patternOwner(topic: string): string | undefined {
    for (const node of this.nodes.values()) {
      if (node.kind === 'source' && node.pattern !== undefined && matchesWhole(node.pattern, topic)) return node.name
    }
    return undefined
  }
}

/** What fills a store on its own is read from the beginning, or the store would lack what came before (P2). */
function fromBeginning(node: string, consumed: Consumed<any, any>): Consumed<any, any> {
  const { offsetReset } = consumed.options
  if (offsetReset === undefined || offsetReset === 'earliest') return consumed.withOffsetResetPolicy('earliest')
  throw topologyError(
    `The source "${node}" fills a store from its topic, which is read from the beginning; it was given the offset reset ` +
      `policy "${offsetReset}". Leave the policy out, or give earliest.`,
    { node },
  )
}

function topicTaken(name: string, topic: string, owner: string): StreamError {
  const remedy =
    owner === name ? `Name it once in "${name}".` : `Connect the children of "${name}" to "${owner}" instead.`
  return topologyError(`Topic ${topic} has already been registered by another source: "${owner}". ${remedy}`, {
    node: name,
    topic,
  })
}

function storeTwice(store: string): StreamError {
  return topologyError(
    `A different StateStore has already been added with the name "${store}". ` +
      'Rename one of them, or pass the same builder object to share the store.',
    { store },
  )
}

/** Whether a pattern covers a topic's whole name, as Java's `matches` does. */
export function matchesWhole(pattern: RegExp, topic: string): boolean {
  return new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, '')).test(topic)
}

/** A class is a function as well, and easily given in place of one that makes an object of it. */
function firstOf(name: string, supplier: ProcessorSupplier<any, any, any, any>): unknown {
  if (!/^class\b/.test(Function.prototype.toString.call(supplier.get))) return supplier.get()
  throw topologyError(
    `The processor "${name}" got the class ${supplier.get.name} itself. Give a function that makes one: () => new ${supplier.get.name}().`,
    { node: name },
  )
}

function checkSupplier(name: string, supplier: ProcessorSupplier<any, any, any, any>): void {
  if (typeof supplier?.get !== 'function') {
    throw topologyError(
      `The processor "${name}" needs a supplier: an object with get(), or a function that makes a processor.`,
      {
        node: name,
      },
    )
  }
  const first = firstOf(name, supplier)
  if (first === supplier.get()) {
    throw topologyError(
      `The supplier of "${name}" gives the same processor twice. get() must return a new object each time it is called: ` +
        'every lane runs one of its own (L6).',
      { node: name },
    )
  }
}

function wrapped(
  name: string,
  supplier: ProcessorSupplier<any, any, any, any>,
  wrapper: ProcessorWrapper | undefined,
): ProcessorSupplier<any, any, any, any> {
  if (wrapper === undefined) return supplier
  const around = wrapper(name, supplier)
  return { ...supplier, ...(typeof around === 'function' ? { get: around } : around) }
}
