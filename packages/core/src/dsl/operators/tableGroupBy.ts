import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { Change } from '../Change.js'
import { equalKeys } from '../equalKeys.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

type Pair = readonly [key: unknown, value: unknown]
type Mapper = (key: any, value: any) => Pair

/**
 * Sends each row to its group: the old one to be taken out there, the new one to be put in, in this order. Both go as
 * one where the group is the same. A group of null takes nothing in, which Kafka Streams does not tell (`kafka-streams.md`
 * C.2); a row out of order in a versioned table changes nothing.
 */
export function tableGroupBy(node: string, mapper: Mapper, versioned: boolean): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const { newValue, oldValue, isLatest } = record.value as Change<unknown>
    // Kafka Streams drops this without counting it, and so it is no loss: the newer row is in its group already.
    if (versioned && !isLatest) return
    const into = pairOf(node, mapper, record.key, newValue)
    const from = pairOf(node, mapper, record.key, oldValue)
    if (newValue !== null && into === undefined) {
      ctx.silentLoss('null_key_after_rekey', `The group or value of a row is null at "${node}": it is in no group.`)
    }
    if (from !== undefined && into !== undefined && equalKeys(from[0], into[0])) {
      send(record, into[0], new Change(into[1], from[1], isLatest), ctx)
      return
    }
    if (from !== undefined) send(record, from[0], new Change(null, from[1], isLatest), ctx)
    if (into !== undefined) send(record, into[0], new Change(into[1], null, isLatest), ctx)
  })
}

function send(
  record: Record<unknown, unknown>,
  key: unknown,
  value: Change<unknown>,
  ctx: OperatorContext<any, any, any>,
): void {
  void ctx.forward({ ...record, key, value })
}

/** Where a row goes; nowhere when there is none, or its group or value is null. */
function pairOf(node: string, mapper: Mapper, key: unknown, value: unknown): Pair | undefined {
  if (value === null) return undefined
  const pair = settled(node, mapper(key, value)) as Pair | null | undefined
  return (pair?.[0] ?? null) === null || (pair?.[1] ?? null) === null ? undefined : (pair as Pair)
}
