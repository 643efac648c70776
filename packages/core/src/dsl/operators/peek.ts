import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Shows each record to a function and hands it on as it was; `foreach` is a peek that nothing comes after. */
export function peek(
  node: string,
  action: (key: any, value: any) => unknown,
  forwards: boolean,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    settled(node, action(record.key, record.value))
    if (forwards) void ctx.forward(record)
  })
}
