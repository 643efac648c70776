import { topologyError } from '../../topology/topologyError.js'
import type { DslPlan } from '../DslPlan.js'
import type { Joined } from '../Joined.js'
import { graceJoin } from '../operators/graceJoin.js'
import { lookUpInTable, type TableLookUp } from '../operators/lookUpInTable.js'
import { settled } from '../sync.js'
import type { TableNode } from '../TableNode.js'
import type { TableView } from '../TableView.js'
import { GraceBuffer } from './GraceBuffer.js'
import { type JoinInput, repartitionForJoin } from './repartitionForJoin.js'

export interface TableJoinRequest {
  readonly kind: 'join' | 'leftJoin'
  readonly stream: JoinInput
  readonly table: TableNode<any, any>
  readonly joined: Joined<any, any, any>
  joiner(left: any, right: any, key: any): unknown
}

/** Adds the join of a stream with a table of the same keys: the stream's boundary, if it needs one, and the join. */
export function joinTable(plan: DslPlan, { kind, stream, table, joined, joiner }: TableJoinRequest): string {
  const { name: named, keySerde, valueSerde, gracePeriodMs } = joined.options
  const outer = kind === 'leftJoin'
  const parent = repartitionForJoin(plan, stream, named, { key: keySerde, value: valueSerde }, outer)
  const name = plan.name(outer ? 'KSTREAM-LEFTJOIN-' : 'KSTREAM-JOIN-', named)
  const view = table.view()
  if (gracePeriodMs !== undefined && !view.versioned) throw notVersioned(name)
  const lookUp: TableLookUp = {
    table: view,
    outer,
    keyOf: (key) => key,
    join: (key, left, right) => settled(name, joiner(left, right, key)),
  }
  const buffer = gracePeriodMs === undefined ? undefined : new GraceBuffer(`${name}-Buffer`)
  plan.add(
    (writer) => {
      if (gracePeriodMs !== undefined) checkHistory(name, view, gracePeriodMs)
      writer.addProcessor({
        name,
        parents: [parent],
        supplier:
          buffer === undefined || gracePeriodMs === undefined
            ? { ...lookUpInTable(lookUp), stores: view.stores }
            : graceJoin(lookUp, buffer, gracePeriodMs),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'changed',
        groupedBy: 'Joined',
        grouped: {
          ...(keySerde !== undefined && { key: keySerde }),
          ...(valueSerde !== undefined && { value: valueSerde }),
        },
        ...(buffer !== undefined && { aggregateStore: buffer.name, storeSerdes: 'received' as const }),
        facts: { operator: 'table-join', joins: true, ...(buffer !== undefined && { waitsForStores: true }) },
      })
    },
    { sendsNullKeys: outer },
  )
  return name
}

function notVersioned(node: string) {
  return topologyError(
    `KTable must be versioned to use a grace period in a stream table join: the table of "${node}" keeps one value a key. ` +
      'Keep it in Stores.versionedKeyValue, or take the grace period away.',
    { node },
  )
}

/** A record that waits is looked up as of its time; a table that has forgotten that time by then could only say null. */
function checkHistory(node: string, { stores }: TableView<any, any>, graceMs: number): void {
  const tooShort = stores.find(({ retentionMs }) => retentionMs !== undefined && retentionMs < graceMs)
  if (tooShort === undefined) return
  throw topologyError(
    `History retention must be at least grace period: "${node}" waits for ${graceMs} ms, and its table's store ` +
      `"${tooShort.name}" keeps ${tooShort.retentionMs} ms. Keep the history longer, or wait for less.`,
    { node, store: tooShort.name },
  )
}
