import { OwnRecord } from '../../model/OwnRecord.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Gives a record a new key and value. */
export function map(
  node: string,
  mapper: (key: any, value: any) => readonly [unknown, unknown],
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const [key, value] = settled(node, mapper(record.key, record.value))
    void ctx.forward(new OwnRecord(key, value, record.timestamp, record.headers))
  })
}
