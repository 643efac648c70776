import type { ProcessorSupplier } from '../../processor/Processor.js'
import { settled } from '../sync.js'
import { operator } from './operator.js'

/** One branch of a split: the node that takes its records, and which those are. */
export interface BranchTest {
  readonly child: string
  readonly predicate: (key: any, value: any) => boolean
}

/** Sends each record to the first branch whose predicate holds; one that fits none ends here, as in Kafka Streams. */
export function branch(node: string, tests: readonly BranchTest[]): ProcessorSupplier<any, any, any, any> {
  return operator((record, ctx) => {
    const taken = tests.find(({ predicate }) => Boolean(settled(node, predicate(record.key, record.value))))
    if (taken !== undefined) void ctx.forward(record, taken.child)
  })
}
