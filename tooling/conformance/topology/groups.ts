import { Materialized } from '@lanescope/core'
import { aggregator, initializer, merger, reducer } from '../functions/aggregators.js'
import { call, callWith, UnknownWord } from '../strict.js'
import type { Operation } from './Building.js'
import { entry } from './entry.js'
import { materialized } from './materialized.js'
import { named } from './options.js'
import { windows } from './windows.js'

type Apply = (op: Operation) => unknown

/** What can be done to a grouped stream, windowed or not. */
export const groupedOperations: { readonly [name: string]: Apply } = {
  windowedBy: (op) => call(op.only('of', 'windows').source, 'windowedBy', windows(op.field('windows'))),
  emitStrategy: (op) => {
    const strategy = op.only('of', 'strategy').field('strategy')
    if (strategy !== 'onWindowClose' && strategy !== 'onWindowUpdate') {
      throw new UnknownWord(`Unknown emit strategy "${String(strategy)}".`)
    }
    return call(op.source, 'emitStrategy', call(entry('EmitStrategy'), strategy))
  },
  count: (op) => {
    op.only('of', 'name', 'materialized')
    return callWith(op.source, 'count', named(op.field('name')), materialized(op.field('materialized'), op.building))
  },
  reduce: (op) => {
    op.only('of', 'fn', 'name', 'materialized')
    return callWith(op.source, 'reduce', reducer(op.field('fn')), named(op.field('name')), completed(op))
  },
  aggregate: (op) => {
    op.only('of', 'init', 'fn', 'merger', 'name', 'materialized')
    const functions = [
      initializer(op.field('init')),
      aggregator(op.field('fn')),
      op.has('merger') ? merger(op.field('merger')) : undefined,
    ]
    return callWith(op.source, 'aggregate', ...functions, named(op.field('name')), completed(op))
  },
  cogroup: (op) => call(op.only('of', 'fn').source, 'cogroup', aggregator(op.field('fn'))),
}

/** What can be done to cogrouped streams, windowed or not. */
export const cogroupedOperations: { readonly [name: string]: Apply } = {
  windowedBy: groupedOperations.windowedBy as Apply,
  cogroup: (op) => {
    const other = op.building.result(op.only('of', 'with', 'fn').field('with'))
    return call(op.source, 'cogroup', other, aggregator(op.field('fn')))
  },
  aggregate: (op) => {
    op.only('of', 'init', 'merger', 'name', 'materialized')
    const merge = op.has('merger') ? merger(op.field('merger')) : undefined
    return callWith(
      op.source,
      'aggregate',
      initializer(op.field('init')),
      merge,
      named(op.field('name')),
      materialized(op.field('materialized'), op.building),
    )
  },
}

/** No overload of Kafka's takes a name without a Materialized: an empty one goes with it. */
export function completed(op: Operation): unknown {
  const made = materialized(op.field('materialized'), op.building)
  return made === undefined && op.has('name') ? Materialized.with(undefined, undefined) : made
}
