import { equalBytes } from '../../model/bytes.js'
import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { Change } from '../Change.js'
import type { KeyBytes } from '../foreignKeys/KeyBytes.js'
import type { Instruction, Subscription } from '../foreignKeys/Subscription.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'
import { recordPlace } from './recordPlace.js'

type Context = OperatorContext<any, any, any>
type Row = Record<any, Change<any>>

/** What sends the rows of a left table to the lanes of their foreign keys. */
export interface Registration {
  readonly node: string
  readonly extractor: (value: any, key: any) => unknown
  /** Whether a row without a partner has a result, too. */
  readonly isLeftJoin: boolean
  /** Whether the left table is versioned: its rows out of order are then left out. */
  readonly versioned: boolean
  readonly left: KeyBytes
  readonly right: KeyBytes
}

interface Asked {
  readonly foreignKey: unknown
  readonly instruction: Instruction
}

/**
 * Tells the lanes of foreign keys which rows of the left table want them: the new one, and the old one that the row has
 * left (`kafka-streams.md` B.8, C.5). What is sent bears a hash of the left value, so that an answer to an older one can
 * be told.
 */
export function foreignKeyRegistration(registration: Registration): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const { value } = record as Row
    if (registration.versioned && !value.isLatest) {
      ctx.drop('out_of_order', `Skipping out-of-order record from versioned table at "${registration.node}".`)
      return
    }
    const asked = registration.isLeftJoin ? ofLeftJoin(registration, record, ctx) : ofJoin(registration, record, ctx)
    if (asked.length === 0) return
    const subscription = {
      hash: registration.left.hash(ctx, value.newValue),
      primaryKey: record.key,
      primaryKeyBytes: registration.left.keyBytes(ctx, record.key),
    }
    for (const { foreignKey, instruction } of asked) {
      const sent: Subscription = { ...subscription, instruction }
      void ctx.forward({ ...record, key: foreignKey, value: sent })
    }
  })
}

/** Every change of a row is answered, so that it has its one result; also where it has no foreign key any more. */
function ofLeftJoin(registration: Registration, { key, value }: Row, ctx: Context): Asked[] {
  if (value.oldValue === null && value.newValue === null) return []
  const before = foreignKeyOf(registration, key, value.oldValue)
  const now = foreignKeyOf(registration, key, value.newValue)
  const subscribe: Asked = { foreignKey: now, instruction: 'answer' }
  if (before === null || isSame(registration, before, now, ctx)) return [subscribe]
  return [{ foreignKey: before, instruction: 'end' }, subscribe]
}

/** Only what may change a result is answered: a row that was not joined under the same key has none to take back. */
function ofJoin(registration: Registration, { key, value }: Row, ctx: Context): Asked[] {
  const before = foreignKeyOf(registration, key, value.oldValue)
  const end: Asked[] = before === null ? [] : [{ foreignKey: before, instruction: 'end-and-answer' }]
  if (value.newValue === null) return end
  const now = foreignKeyOf(registration, key, value.newValue)
  if (now === null) {
    ctx.drop('null_key', `Skipping record due to null foreign key. ${recordPlace(ctx)}`)
    return end
  }
  if (before === null || isSame(registration, before, now, ctx)) {
    return [{ foreignKey: now, instruction: 'answer-if-there' }]
  }
  return [
    { foreignKey: before, instruction: 'end' },
    { foreignKey: now, instruction: 'answer' },
  ]
}

function foreignKeyOf({ node, extractor }: Registration, key: unknown, value: unknown): unknown {
  return value === null ? null : (settled(node, extractor(value, key)) ?? null)
}

function isSame({ right }: Registration, before: unknown, now: unknown, ctx: Context): boolean {
  return now !== null && equalBytes(right.keyBytes(ctx, before), right.keyBytes(ctx, now))
}
