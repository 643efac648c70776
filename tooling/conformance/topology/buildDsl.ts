import { StreamsBuilder } from '@lanescope/core'
import { call, callWith, type JsonObject, UnknownWord, word } from '../strict.js'
import { Building, type Kind, type Note, Operation } from './Building.js'
import { cogroupedOperations, groupedOperations } from './groups.js'
import { materialized } from './materialized.js'
import { consumed } from './options.js'
import { storeBuilder } from './stores.js'
import { streamOperations } from './streams.js'
import { processorSupplier } from './suppliers.js'
import { groupedTableOperations, tableOperations } from './tables.js'

type Operations = { readonly [name: string]: (op: Operation) => unknown }

const operationsOf: { readonly [kind in Kind]: Operations } = {
  stream: streamOperations,
  table: tableOperations,
  globalTable: {},
  grouped: groupedOperations,
  cogrouped: cogroupedOperations,
  groupedTable: groupedTableOperations,
  nothing: {},
}

const builderOperations: Operations = {
  stream: (op) => {
    op.only('topics', 'pattern', 'consumed')
    const topics = op.has('pattern') ? new RegExp(String(op.field('pattern'))) : op.field('topics')
    return callWith(op.building.target, 'stream', topics, consumed(op.field('consumed')))
  },
  table: (op) => table(op),
  globalTable: (op) => table(op),
  addStateStore: (op) => {
    call(op.building.target, 'addStateStore', storeBuilder(op.only('store').field('store'), op.building))
  },
  addGlobalStore: (op) => {
    op.only('store', 'topic', 'consumed', 'processor')
    const store = storeBuilder(op.field('store'), op.building)
    const supplier = processorSupplier(op.field('processor'), undefined, op.building)
    call(op.building.target, 'addGlobalStore', store, op.field('topic'), consumed(op.field('consumed')), supplier)
  },
}

const builderKinds: { readonly [name: string]: Kind } = { stream: 'stream', table: 'table', globalTable: 'globalTable' }

/**
 * Executes the operations of a case on the DSL.
 *
 * @param config what is read while building, as Kafka Streams' TopologyConfig
 */
export function buildDsl(operations: readonly JsonObject[], config: object, note: Note): Building {
  const builder = Object.keys(config).length === 0 ? new StreamsBuilder() : new (StreamsBuilder as any)(config)
  const building = new Building(builder, note)
  for (const fields of operations) apply(fields, building)
  return building
}

function apply(fields: JsonObject, building: Building): void {
  const op = new Operation(fields, building)
  if (fields.of === undefined) {
    const result = word(builderOperations, op.name, 'operation')(op)
    building.keep(fields.id, builderKinds[op.name] ?? 'nothing', result)
    return
  }
  const kind = building.kind(fields.of)
  const result = word(operationsOf[kind], op.name, `operation on a ${kind}`)(op)
  // A split binds its branches itself; its own id names their map.
  if (op.name !== 'split') building.keep(fields.id, kindAfter(kind, op.name), result)
}

function kindAfter(kind: Kind, operation: string): Kind {
  switch (kind) {
    case 'stream':
      if (operation === 'toTable') return 'table'
      return operation.startsWith('groupBy') ? 'grouped' : 'stream'
    case 'table':
      if (operation === 'toStream') return 'stream'
      return operation === 'groupBy' ? 'groupedTable' : 'table'
    case 'grouped':
      if (operation === 'cogroup') return 'cogrouped'
      return ['windowedBy', 'emitStrategy'].includes(operation) ? 'grouped' : 'table'
    case 'cogrouped':
      return operation === 'aggregate' ? 'table' : 'cogrouped'
    case 'groupedTable':
      return 'table'
    default:
      throw new UnknownWord(`Nothing can be done to a ${kind}.`)
  }
}

function table(op: Operation): unknown {
  op.only('topic', 'consumed', 'materialized')
  const store = materialized(op.field('materialized'), op.building)
  return callWith(op.building.target, op.name, op.field('topic'), consumed(op.field('consumed')), store)
}
