import { aggregator, initializer, joiner, reducer } from '../functions/aggregators.js'
import { keySelector, pairMapper, valueMapper } from '../functions/mappers.js'
import { foreignKey } from '../functions/others.js'
import { predicate } from '../functions/predicates.js'
import { call, callWith } from '../strict.js'
import type { Operation } from './Building.js'
import { completed } from './groups.js'
import { materialized } from './materialized.js'
import { grouped, named, tableJoined } from './options.js'
import { transformerSupplier } from './suppliers.js'
import { suppressed } from './suppressed.js'

type Apply = (op: Operation) => unknown

/** What can be done to a table. */
export const tableOperations: { readonly [name: string]: Apply } = {
  filter: (op) => kept(op, predicate),
  filterNot: (op) => kept(op, predicate),
  mapValues: (op) =>
    kept(op, (text) => {
      const map = valueMapper(text)
      return (value: unknown, key: unknown) => map(key, value)
    }),
  transformValues: (op) => {
    op.only('of', 'transformer', 'stores', 'materialized', 'name')
    return callWith(
      op.source,
      'transformValues',
      transformerSupplier(op.field('transformer'), op.building),
      materialized(op.field('materialized'), op.building),
      named(op.field('name')),
      ...((op.field('stores') as string[]) ?? []),
    )
  },
  toStream: (op) => {
    op.only('of', 'fn', 'name')
    const mapper = op.has('fn') ? keySelector(op.field('fn')) : undefined
    return callWith(op.source, 'toStream', mapper, named(op.field('name')))
  },
  groupBy: (op) => {
    op.only('of', 'fn', 'grouped')
    return callWith(op.source, 'groupBy', pairMapper(op.field('fn')), grouped(op.field('grouped')))
  },
  suppress: (op) => call(op.only('of', 'suppressed').source, 'suppress', suppressed(op.field('suppressed'))),
  join: (op) => join(op),
  leftJoin: (op) => join(op),
  outerJoin: (op) => join(op),
}

/** What can be done to a grouped table. */
export const groupedTableOperations: { readonly [name: string]: Apply } = {
  count: (op) => {
    op.only('of', 'name', 'materialized')
    return callWith(op.source, 'count', named(op.field('name')), materialized(op.field('materialized'), op.building))
  },
  reduce: (op) => {
    op.only('of', 'fn', 'subtractor', 'name', 'materialized')
    const functions = [reducer(op.field('fn')), reducer(op.field('subtractor'))]
    return callWith(op.source, 'reduce', ...functions, named(op.field('name')), completed(op))
  },
  aggregate: (op) => {
    op.only('of', 'init', 'fn', 'subtractor', 'name', 'materialized')
    const functions = [initializer(op.field('init')), aggregator(op.field('fn')), aggregator(op.field('subtractor'))]
    const kept = materialized(op.field('materialized'), op.building)
    return callWith(op.source, 'aggregate', ...functions, named(op.field('name')), kept)
  },
}

function kept(op: Operation, library: (text: unknown) => unknown): unknown {
  op.only('of', 'fn', 'name', 'materialized')
  const store = materialized(op.field('materialized'), op.building)
  return callWith(op.source, op.name, library(op.field('fn')), named(op.field('name')), store)
}

/** By the primary key, or by a foreign one that an extractor finds in the value. */
function join(op: Operation): unknown {
  op.only('of', 'with', 'joiner', 'materialized', 'foreignKey', 'name')
  const other = op.building.result(op.field('with'))
  const join = joiner(op.field('joiner') ?? 'slash')
  const store = materialized(op.field('materialized'), op.building)
  if (!op.has('foreignKey')) return callWith(op.source, op.name, other, join, named(op.field('name')), store)
  const extractor = foreignKey(op.field('foreignKey'))
  return callWith(op.source, op.name, other, extractor, join, tableJoined(op.field('name')), store)
}
