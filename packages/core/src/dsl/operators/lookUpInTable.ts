import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { TableView } from '../TableView.js'
import { operator } from './operator.js'
import { recordPlace } from './recordPlace.js'

type Context = OperatorContext<any, any, any>

export interface TableLookUp {
  readonly table: TableView<any, any>
  /** Whether a record comes out even when the table has nothing for it. */
  readonly outer: boolean
  /** The table's key for a record. */
  keyOf(key: any, value: any): any
  join(key: any, left: any, right: any, tableKey: any): unknown
}

/**
 * Looks up each record in a table (`kafka-streams.md` B.8): the table's value now, of a versioned one the value as of the
 * record's time. A record without a value is dropped, and so is one without a key to look up, unless the join is a
 * left one.
 */
export function lookUpInTable(join: TableLookUp): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const sent = isJoinable(join, record, ctx) ? joined(join, record, ctx) : undefined
    if (sent !== undefined) void ctx.forward(sent)
  })
}

/** Drops what no join takes. */
export function isJoinable({ outer, keyOf }: TableLookUp, { key, value }: Record<any, any>, ctx: Context): boolean {
  if (value === null || value === undefined) {
    ctx.drop('null_value', `Skipping record due to null join key or value. ${recordPlace(ctx)}`)
    return false
  }
  if (outer || isKey(keyOf(key, value))) return true
  ctx.drop('null_key', `Skipping record due to null join key or value. ${recordPlace(ctx)}`)
  return false
}

/** A record with what the table has for it; undefined: with nothing, and it is not sent on without. */
export function joined(
  { table, outer, keyOf, join }: TableLookUp,
  record: Record<any, any>,
  ctx: Context,
): Record<any, any> | undefined {
  const tableKey = keyOf(record.key, record.value)
  const found = isKey(tableKey) ? lookUp(table, tableKey, record.timestamp, ctx) : undefined
  if (found === undefined && !outer) return undefined
  return { ...record, value: join(record.key, record.value, found?.value ?? null, tableKey) }
}

function lookUp(table: TableView<any, any>, key: any, timestamp: number, ctx: Context) {
  return table.versioned ? table.getAsOf?.(ctx, key, timestamp) : table.get(ctx, key)
}

function isKey(key: unknown): boolean {
  return key !== null && key !== undefined
}
