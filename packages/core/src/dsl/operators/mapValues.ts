import { OwnRecord } from '../../model/OwnRecord.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Gives a record a new value; its key stays. */
export function mapValues(
  node: string,
  mapper: (value: any, key: any) => unknown,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const value = settled(node, mapper(record.value, record.key))
    void ctx.forward(new OwnRecord(record.key, value, record.timestamp, record.headers))
  })
}
