import type { ProcessorSupplier } from '../../processor/Processor.js'
import { operator } from './operator.js'

/** Hands on every record as it is: where streams merge, and where a table becomes a stream. */
export function passThrough(): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    void ctx.forward(record)
  })
}
