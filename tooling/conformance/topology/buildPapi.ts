import { Topology } from '@lanescope/core'
import { topicFunction } from '../functions/others.js'
import { call, type JsonObject, word } from '../strict.js'
import { Building, type Note, Operation } from './Building.js'
import { consumed, produced } from './options.js'
import { storeBuilder } from './stores.js'
import { processorSupplier } from './suppliers.js'

const operations: { readonly [name: string]: (op: Operation) => void } = {
  addSource: (op) => {
    op.only('name', 'topics', 'pattern', 'key', 'value', 'timestampExtractor')
    const topics = op.has('pattern') ? [new RegExp(String(op.field('pattern')))] : (op.field('topics') as string[])
    call(op.building.target, 'addSource', op.field('name'), source(op), ...topics)
  },
  addProcessor: (op) => {
    op.only('name', 'processor', 'parents', 'stores', 'provides')
    const supplier = processorSupplier(op.field('processor'), op.field('provides'), op.building)
    call(op.building.target, 'addProcessor', op.field('name'), supplier, ...(op.field('parents') as string[]))
    if (op.has('stores')) connect(op)
  },
  addSink: (op) => {
    op.only('name', 'topic', 'topicFn', 'key', 'value', 'partitioner', 'parents')
    const topic = op.has('topicFn') ? topicFunction(op.field('topicFn')) : op.field('topic')
    const options = produced(pick(op, ['key', 'value', 'partitioner']))
    call(op.building.target, 'addSink', op.field('name'), topic, options, ...(op.field('parents') as string[]))
  },
  addStateStore: (op) => {
    op.only('store', 'processors')
    const processors = (op.field('processors') as string[] | undefined) ?? []
    call(op.building.target, 'addStateStore', storeBuilder(op.field('store'), op.building), ...processors)
  },
  connectProcessorAndStateStores: (op) => connect(op.only('name', 'stores')),
  addGlobalStore: (op) => fed(op),
  addReadOnlyStateStore: (op) => fed(op),
}

/**
 * Executes the operations of a case on the Processor API.
 *
 * @param config what is read while building, as Kafka Streams' TopologyConfig
 */
export function buildPapi(list: readonly JsonObject[], config: object, note: Note): Building {
  const topology = Object.keys(config).length === 0 ? new Topology() : new (Topology as any)(config)
  const building = new Building(topology, note)
  for (const fields of list) {
    const op = new Operation(fields, building)
    word(operations, op.name, 'operation')(op)
  }
  return building
}

function connect(op: Operation): void {
  const stores = op.field('stores') as string[]
  call(op.building.target, 'connectProcessorAndStateStores', op.field('name'), ...stores)
}

/** A store that a topic feeds through a processor. */
function fed(op: Operation): void {
  op.only('store', 'sourceName', 'topic', 'processorName', 'processor', 'key', 'value')
  const store = storeBuilder(op.field('store'), op.building)
  const supplier = processorSupplier(op.field('processor'), undefined, op.building)
  const rest = [op.field('topic'), op.field('processorName'), supplier]
  call(op.building.target, op.name, store, op.field('sourceName'), source(op), ...rest)
}

function source(op: Operation): unknown {
  return consumed(pick(op, ['key', 'value', 'timestampExtractor']))
}

function pick(op: Operation, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => op.has(name)).map((name) => [name, op.field(name)]))
}
