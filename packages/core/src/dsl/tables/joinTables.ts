import type { DslPlan } from '../DslPlan.js'
import type { Materialized } from '../Materialized.js'
import type { Named } from '../Named.js'
import { type JoinSide, joinedView, tableJoinMerge, tableJoinSide } from '../operators/tableTableJoin.js'
import type { TableNode } from '../TableNode.js'
import { tableStore } from '../TableStore.js'
import { JoinedTable } from './JoinedTable.js'

/** Which rows a join of two tables has: those of both, those of the left one, those of either. */
export type JoinKind = 'join' | 'leftJoin' | 'outerJoin'

/** A table as a join takes it. */
interface Joinable<K> {
  readonly node: string
  readonly table: TableNode<K, any>
}

type Joiner = (left: any, right: any, key: any) => unknown

/** Writes a join of two tables by key down: a node for the changes of each, and one where they meet (C.1). */
export function joinTables<K>(
  plan: DslPlan,
  kind: JoinKind,
  left: Joinable<K>,
  right: Joinable<K>,
  joiner: Joiner,
  named: Named | undefined,
  materialized: Materialized<K, any> | undefined,
): { readonly node: string; readonly table: TableNode<K, any> } {
  const { keySerde, valueSerde } = materialized?.options ?? {}
  // A store without a name takes the first number (C.1).
  const storeName = materialized && (materialized.options.storeName ?? plan.name('KTABLE-MERGE-STATE-STORE-'))
  const node = plan.name('KTABLE-MERGE-', named?.name)
  const thisNode = plan.name('KTABLE-JOINTHIS-', named && `${named.name}-join-this`)
  const otherNode = plan.name('KTABLE-JOINOTHER-', named && `${named.name}-join-other`)
  // Whether a row without a partner had a result before, only its old value tells.
  if (kind !== 'join') left.table.requestOldValues(true)
  if (kind === 'outerJoin') right.table.requestOldValues(true)
  const needs = { left: kind !== 'outerJoin', right: kind === 'join' }
  const leftView = left.table.view()
  const rightView = right.table.view()
  const leftSide = { node: thisNode, joiner, needsOwn: needs.left, needsOther: needs.right }
  const reversed: Joiner = (own, other, key) => joiner(other, own, key)
  const rightSide = { node: otherNode, joiner: reversed, needsOwn: needs.right, needsOther: needs.left }
  const store =
    storeName === undefined ? undefined : tableStore<K, any>(storeName, materialized?.options ?? {}, plan.config)
  const table = new JoinedTable<K, any>([left.table, right.table], store, joinedView(leftSide, leftView, rightView))
  plan.add((writer) => {
    const addSide = (parent: Joinable<K>, side: JoinSide) =>
      writer.addProcessor({
        name: side.node,
        parents: [parent.node],
        supplier: tableJoinSide(side, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'changed',
        facts: { operator: 'tableJoin', joins: true },
      })
    addSide(left, { ...leftSide, other: rightView, versioned: left.table.versioned })
    addSide(right, { ...rightSide, other: leftView, versioned: right.table.versioned })
    writer.addProcessor({
      name: node,
      parents: [thisNode, otherNode],
      supplier: tableJoinMerge(store),
      userCode: false,
      keyEffect: { kind: 'same' },
      valueEffect: 'changed',
      materialized: keySerde === undefined ? {} : { key: keySerde },
      ...(storeName !== undefined && { aggregateStore: storeName }),
      output: valueSerde === undefined ? {} : { value: valueSerde },
      facts: { operator: 'tableJoinMerge' },
    })
  })
  return { node, table }
}
