import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Makes any number of records of one, each with a value of its own, in the order given; the key stays. */
export function flatMapValues(
  node: string,
  mapper: (value: any, key: any) => Iterable<unknown>,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    for (const value of settled(node, mapper(record.value, record.key))) void ctx.forward({ ...record, value })
  })
}
