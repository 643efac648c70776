import { OwnRecord } from '../../model/OwnRecord.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** Gives a record a new key; its value stays. */
export function selectKey(
  node: string,
  mapper: (key: any, value: any) => unknown,
): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const key = settled(node, mapper(record.key, record.value))
    void ctx.forward(new OwnRecord(key, record.value, record.timestamp, record.headers))
  })
}
