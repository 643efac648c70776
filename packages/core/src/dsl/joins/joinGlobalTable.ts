import type { DslPlan } from '../DslPlan.js'
import type { GlobalKTable } from '../GlobalKTable.js'
import type { Named } from '../Named.js'
import { lookUpInTable } from '../operators/lookUpInTable.js'
import { settled } from '../sync.js'

export interface GlobalJoinRequest {
  readonly kind: 'join' | 'leftJoin'
  /** The node of the stream. */
  readonly parent: string
  readonly table: GlobalKTable<any, any>
  readonly named: Named | undefined
  selector(key: any, value: any): any
  joiner(left: any, right: any, key: any, tableKey: any): unknown
}

/** Adds the join of a stream with a global table: it needs no boundary, for every lane may read any of its keys. */
export function joinGlobalTable(
  plan: DslPlan,
  { kind, parent, table, named, selector, joiner }: GlobalJoinRequest,
): string {
  // Kafka Streams gives both kinds the name of the left one (C.1).
  const name = plan.name('KSTREAM-LEFTJOIN-', named?.name)
  const supplier = lookUpInTable({
    table: table.view,
    outer: kind === 'leftJoin',
    keyOf: (key, value) => settled(name, selector(key, value)),
    join: (key, left, right, tableKey) => settled(name, joiner(left, right, key, tableKey ?? null)),
  })
  plan.add(
    (writer) =>
      writer.addProcessor({
        name,
        parents: [parent],
        supplier,
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'changed',
        facts: { operator: 'global-table-join' },
      }),
    { sendsNullKeys: kind === 'leftJoin' },
  )
  return name
}
