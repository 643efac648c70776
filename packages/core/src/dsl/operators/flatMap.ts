import { OwnRecord } from '../../model/OwnRecord.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Makes any number of records of one, each with a key and value of its own, in the order given. */
export function flatMap(
  node: string,
  mapper: (key: any, value: any) => Iterable<readonly [unknown, unknown]>,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    for (const [key, value] of settled(node, mapper(record.key, record.value))) {
      void ctx.forward(new OwnRecord(key, value, record.timestamp, record.headers))
    }
  })
}
