import type { Record } from '../../model/Record.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { Change } from '../Change.js'
import { settled } from '../sync.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'
import type { ValueTransformer, ValueTransformerSupplier } from '../ValueTransformer.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import { forwardDerived } from './tableDerive.js'

type Context = OperatorContext<any, any, any>
type AnyTransformer = ValueTransformer<any, any, any>

/** Gives each row a new value by a transformer, which sees deleted rows too. One transformer a lane. */
export function tableTransformValues(
  node: string,
  transformers: ValueTransformerSupplier<any, any, any>,
  store: TableStore<any, any> | undefined,
  sendsOldValues: boolean,
): ProcessorSupplier<any, any, any, any> {
  return {
    sync: true,
    stores: [...(transformers.stores ?? []), ...(store?.stores ?? [])],
    get: () => new TableTransformValues(node, transformers.get(), store, sendsOldValues),
  }
}

class TableTransformValues implements Processor<any, Change<any>, any, any> {
  constructor(
    private readonly node: string,
    private readonly transformer: AnyTransformer,
    private readonly store: TableStore<any, any> | undefined,
    private readonly sendsOldValues: boolean,
  ) {}

  process(record: Record<any, Change<any>>, ctx: Context): void {
    const newValue = this.transform(record.key, record.value.newValue, ctx)
    const oldValue = this.sendsOldValues ? this.before(record, ctx) : null
    forwardDerived(this.store, record, newValue, oldValue, ctx)
  }

  close(): void {
    this.transformer.close?.()
  }

  private before({ key, value }: Record<any, Change<any>>, ctx: Context): unknown {
    if (this.store !== undefined) return this.store.get(ctx, key)?.value ?? null
    return this.transform(key, value.oldValue, ctx)
  }

  private transform(key: unknown, value: unknown, ctx: Context): unknown {
    return settled(this.node, this.transformer.transform(key, value, ctx)) ?? null
  }
}

/** Reads a transformed table through the one it was made from, by a transformer of the reader's own. */
export function transformedView<K>(
  node: string,
  transformers: ValueTransformerSupplier<K, any, any>,
  parent: TableView<K, any>,
): TableView<K, any> {
  // A reader has one context a lane, so that each lane gets one transformer, as each of the node's own does.
  const ofReader = new WeakMap<Context, AnyTransformer>()
  const transform = (ctx: Context, key: K, row: ValueAndTimestamp<any> | undefined) => {
    const transformer = ofReader.get(ctx) ?? transformers.get()
    ofReader.set(ctx, transformer)
    const value = settled(node, transformer.transform(key, row?.value ?? null, ctx)) ?? null
    return value === null ? undefined : { value, timestamp: row?.timestamp ?? -1 }
  }
  const { getAsOf } = parent
  return {
    stores: [...parent.stores, ...(transformers.stores ?? [])],
    versioned: parent.versioned,
    get: (ctx, key) => transform(ctx, key, parent.get(ctx, key)),
    ...(getAsOf !== undefined && {
      getAsOf: (ctx, key, timestamp) => transform(ctx, key, getAsOf.call(parent, ctx, key, timestamp)),
    }),
  }
}
