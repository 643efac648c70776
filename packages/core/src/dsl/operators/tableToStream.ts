import { OwnRecord } from '../../model/OwnRecord.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { Change } from '../Change.js'
import { operator } from './operator.js'

/** A table's changes as a stream of their new values. */
export function tableToStream(): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const { newValue } = record.value as Change<unknown>
    void ctx.forward(new OwnRecord(record.key, newValue, record.timestamp, record.headers))
  })
}
