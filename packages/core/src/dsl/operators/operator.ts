import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'

type Process = (record: Record<any, any>, ctx: OperatorContext<any, any, any>) => void

/**
 * A supplier of one of the DSL's own operators. They keep no fields and never return a promise (L8): a child that
 * does is waited for by the record, not by the operator.
 */
export function operator(process: Process): ProcessorSupplier<any, any, any, any> {
  return {
    sync: true,
    get: () => ({ process: (record, ctx) => process(record, ctx as OperatorContext<any, any, any>) }),
  }
}
