import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Lets a record pass iff the predicate says `wanted`. */
export function filter(
  node: string,
  predicate: (key: any, value: any) => boolean,
  wanted: boolean,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    if (Boolean(settled(node, predicate(record.key, record.value))) === wanted) void ctx.forward(record)
  })
}
