import type { ProcessorSupplier } from '../../processor/Processor.js'
import { operator } from './operator.js'

/**
 * Stands in front of a boundary: a null key has no lane of its own behind it. Kafka Streams drops such a record
 * without a word; here it is counted and told (G3).
 */
export function repartitionFilter(node: string): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    if (record.key !== null && record.key !== undefined) void ctx.forward(record)
    else
      ctx.silentLoss('null_key_after_rekey', `The new key of a record is null in front of the boundary at "${node}".`)
  })
}
