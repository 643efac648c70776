import { Branched } from '@lanescope/core'
import { joiner } from '../functions/aggregators.js'
import { flatMapper, flatValueMapper, keySelector, pairMapper, valueMapper } from '../functions/mappers.js'
import { topicFunction } from '../functions/others.js'
import { predicate } from '../functions/predicates.js'
import { call, callWith, type Json, type JsonObject, onlyFields, UnknownWord } from '../strict.js'
import type { Operation } from './Building.js'
import { entry } from './entry.js'
import { materialized } from './materialized.js'
import { grouped, joined, named, produced, repartitioned, streamJoined } from './options.js'
import { processorSupplier, valueProcessorSupplier } from './suppliers.js'
import { joinWindows } from './windows.js'

type Apply = (op: Operation) => unknown

/** What can be done to a stream. */
export const streamOperations: { readonly [name: string]: Apply } = {
  filter: (op) => onStream(op, predicate),
  filterNot: (op) => onStream(op, predicate),
  map: (op) => onStream(op, pairMapper),
  flatMap: (op) => onStream(op, flatMapper),
  selectKey: (op) => onStream(op, keySelector),
  mapValues: (op) => onStream(op, keyLast(valueMapper)),
  flatMapValues: (op) => onStream(op, keyLast(flatValueMapper)),
  peek: (op) => callWith(op.only('of', 'tag', 'name').source, 'peek', watcher(op), named(op.field('name'))),
  foreach: (op) => callWith(op.only('of', 'tag', 'name').source, 'foreach', watcher(op), named(op.field('name'))),
  print: (op) => call(op.only('of', 'label', 'name', 'fn').source, 'print', printed(op)),
  split: (op) => split(op.only('of', 'branches', 'default', 'name')),
  merge: (op) => {
    op.only('of', 'with', 'name')
    return callWith(op.source, 'merge', op.building.result(op.field('with')), named(op.field('name')))
  },
  repartition: (op) => {
    return callWith(op.only('of', 'repartitioned').source, 'repartition', repartitioned(op.field('repartitioned')))
  },
  to: (op) => {
    op.only('of', 'topic', 'topicFn', 'produced')
    const topic = op.has('topicFn') ? topicFunction(op.field('topicFn')) : op.field('topic')
    return callWith(op.source, 'to', topic, produced(op.field('produced')))
  },
  toTable: (op) => {
    op.only('of', 'name', 'materialized')
    return callWith(op.source, 'toTable', named(op.field('name')), materialized(op.field('materialized'), op.building))
  },
  groupByKey: (op) => callWith(op.only('of', 'grouped').source, 'groupByKey', grouped(op.field('grouped'))),
  groupBy: (op) => {
    op.only('of', 'fn', 'grouped')
    return callWith(op.source, 'groupBy', keySelector(op.field('fn')), grouped(op.field('grouped')))
  },
  process: (op) => processed(op, 'process', processorSupplier),
  processValues: (op) => processed(op, 'processValues', valueProcessorSupplier),
  join: (op) => join(op),
  leftJoin: (op) => join(op),
  outerJoin: (op) => join(op),
}

/** Kafka's functions without the key get it last here. */
const keyLast = <R>(library: (text: unknown) => (key: unknown, value: unknown) => R) => {
  return (text: unknown) => {
    const fn = library(text)
    return (value: unknown, key: unknown) => fn(key, value)
  }
}

function onStream(op: Operation, library: (text: unknown) => unknown): unknown {
  op.only('of', 'fn', 'name')
  return callWith(op.source, op.name, library(op.field('fn')), named(op.field('name')))
}

function watcher(op: Operation): (key: unknown, value: unknown) => void {
  const tag = op.field('tag')
  return (key, value) => {
    if (tag !== undefined && tag !== null) op.building.note(String(tag), key, value)
  }
}

function printed(op: Operation): unknown {
  let made = call(entry('Printed'), 'to', (line: string) => op.building.printed.push(line))
  if (op.has('label')) made = call(made, 'withLabel', op.field('label'))
  if (op.has('name')) made = call(made, 'withName', op.field('name'))
  if (op.has('fn')) made = call(made, 'withKeyValueMapper', valueMapper(op.field('fn')))
  return made
}

function split(op: Operation): void {
  let splitter = callWith(op.source, 'split', named(op.field('name')))
  for (const branch of op.field('branches') as JsonObject[]) {
    onlyFields(branch, ['fn', 'name', 'id', 'consumer'], 'a branch')
    splitter = callWith(splitter, 'branch', predicate(branch.fn), branched(op, branch))
  }
  const last = op.field('default') as JsonObject | undefined
  if (last !== undefined) onlyFields(last, ['name', 'id', 'consumer'], 'the default branch')
  const map: ReadonlyMap<string, unknown> =
    last === undefined ? call(splitter, 'noDefaultBranch') : callWith(splitter, 'defaultBranch', branched(op, last))
  if (op.has('id')) op.building.branches[String(op.field('id'))] = [...map.keys()].sort()
}

/** Binds a branch to its id: through a consumer where the case says so, else through a function that keeps it in the map. */
function branched(op: Operation, { id, name, consumer }: JsonObject): Branched<any, any, any> | undefined {
  const bind = (stream: unknown) => op.building.keep(id as Json, 'stream', stream)
  const made =
    consumer === true
      ? Branched.withConsumer<any, any>(bind)
      : Branched.withFunction<any, any>((stream) => {
          bind(stream)
          return stream
        })
  return name === undefined ? made : made.withName(String(name))
}

function processed(op: Operation, method: string, supplier: typeof processorSupplier): unknown {
  op.only('of', 'processor', 'stores', 'provides', 'name')
  const made = supplier(op.field('processor'), op.field('provides'), op.building)
  return callWith(op.source, method, made, named(op.field('name')), ...((op.field('stores') as string[]) ?? []))
}

/** A stream joined with a stream, a table, or a global table: the fields that a case gives tell which. */
function join(op: Operation): unknown {
  const other = op.building.result(op.field('with'))
  const join = joiner(op.field('joiner') ?? 'slash')
  if (op.has('windows')) {
    op.only('of', 'with', 'windows', 'streamJoined', 'joiner')
    const joinedWith = streamJoined(op.field('streamJoined'), op.building)
    return callWith(op.source, op.name, other, join, joinWindows(op.field('windows')), joinedWith)
  }
  if (op.name === 'outerJoin') throw new UnknownWord('An outer join of a stream needs windows.')
  if (op.has('fn')) {
    op.only('of', 'with', 'fn', 'joiner', 'name')
    return callWith(op.source, op.name, other, keySelector(op.field('fn')), join, named(op.field('name')))
  }
  return callWith(op.only('of', 'with', 'joined', 'joiner').source, op.name, other, join, joined(op.field('joined')))
}
