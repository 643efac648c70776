import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import { settled } from '../sync.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'
import { operator } from './operator.js'
import { recordPlace } from './recordPlace.js'

type Context = OperatorContext<any, any, any>

/** Joins the value of this side with that of the other, of which either may be null where the join says so. */
export type SideJoiner = (own: any, other: any, key: any) => unknown

/** One side of a table-table join: what a change of its table does. */
export interface JoinSide {
  readonly node: string
  /** The table on the other side. */
  readonly other: TableView<any, any>
  readonly joiner: SideJoiner
  /** Whether only a row that the other side has gives a result. */
  readonly needsOther: boolean
  /** Whether only a row that this side has does. */
  readonly needsOwn: boolean
  /** Whether this side's table is versioned: its rows out of order are then left out (`kafka-streams.md` B.8). */
  readonly versioned: boolean
}

/**
 * What a change of one table makes of the join with another: the result of its new value and, where somebody asked for
 * it, of its old one. The result bears the later of both rows' times. A row that could have had no result, and has none
 * now, is not told.
 */
export function tableJoinSide(side: JoinSide, sendsOldValues: boolean): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    if (record.key === null || record.key === undefined) {
      ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
    } else if (side.versioned && !(record.value as Change<unknown>).isLatest) {
      ctx.drop('out_of_order', `Skipping out-of-order record from versioned table while joining at "${side.node}".`)
    } else joinChange(side, sendsOldValues, record, ctx)
  })
  return { ...supplier, stores: side.other.stores }
}

function joinChange(side: JoinSide, sendsOldValues: boolean, record: Record<any, Change<any>>, ctx: Context): void {
  const { key, value, timestamp } = record
  const row = side.other.get(ctx, key)
  const other = row?.value ?? null
  if (other === null && (side.needsOther || (value.newValue === null && value.oldValue === null))) return
  const change = new Change(
    joinValues(side, value.newValue, other, key),
    sendsOldValues ? joinValues(side, value.oldValue, other, key) : null,
    value.isLatest,
  )
  void ctx.forward({ ...record, value: change, timestamp: Math.max(timestamp, row?.timestamp ?? -1) })
}

type Joining = Pick<JoinSide, 'node' | 'joiner' | 'needsOther' | 'needsOwn'>

function joinValues({ node, joiner, needsOther, needsOwn }: Joining, own: any, other: any, key: any): unknown {
  if (own === null && (needsOwn || other === null)) return null
  if (other === null && needsOther) return null
  return settled(node, joiner(own, other, key)) ?? null
}

/** Where both sides of a join meet: keeps the result, if it has a store, and hands the change on. */
export function tableJoinMerge(store: TableStore<any, any> | undefined): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const { newValue, oldValue, isLatest } = record.value as Change<unknown>
    const outcome = store?.put(ctx, record.key, newValue, record.timestamp)
    if (outcome === 'refused') return
    const latest = outcome === undefined ? isLatest : outcome === 'latest'
    void ctx.forward({ ...record, value: new Change(newValue, oldValue, latest) })
  })
  return store === undefined ? supplier : { ...supplier, stores: store.stores }
}

/** Reads the join of two tables by joining their rows. */
export function joinedView<K>(left: Joining, own: TableView<K, any>, other: TableView<K, any>): TableView<K, any> {
  return {
    stores: [...new Set([...own.stores, ...other.stores])],
    versioned: false,
    get(ctx, key) {
      const first = own.get(ctx, key)
      if (first === undefined && left.needsOwn) return undefined
      const second = other.get(ctx, key)
      const value = joinValues(left, first?.value ?? null, second?.value ?? null, key)
      if (value === null) return undefined
      return { value, timestamp: Math.max(first?.timestamp ?? -1, second?.timestamp ?? -1) }
    },
  }
}
