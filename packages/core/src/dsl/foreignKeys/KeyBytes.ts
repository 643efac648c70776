import { StreamError } from '../../errors/StreamError.js'
import { murmur3x128 } from '../../lanes/murmur3x128.js'
import { Headers } from '../../model/Headers.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Serde } from '../../serde/Serde.js'

type Side = 'key' | 'value'

/** Writes the keys and values of a table where a foreign-key join must compare bytes: by the serdes of a node behind it. */
export class KeyBytes {
  constructor(
    /** A node that receives the table's changes. */
    private readonly node: string,
    /** What serdes are told as the topic. */
    private readonly topic: string,
  ) {}

  keyBytes(ctx: OperatorContext<any, any, any>, key: unknown): Uint8Array {
    return this.serde(ctx, 'key').serialize(this.topic, Headers.empty, key)
  }

  key(ctx: OperatorContext<any, any, any>, bytes: Uint8Array): unknown {
    return this.serde(ctx, 'key').deserialize(this.topic, Headers.empty, bytes)
  }

  /** How many bytes a value takes. */
  valueLength(ctx: OperatorContext<any, any, any>, value: unknown): number {
    return this.serde(ctx, 'value').serialize(this.topic, Headers.empty, value).length
  }

  /** The hash of a value's bytes; null of null. */
  hash(ctx: OperatorContext<any, any, any>, value: unknown): Uint8Array | null {
    if (value === null || value === undefined) return null
    return murmur3x128(this.serde(ctx, 'value').serialize(this.topic, Headers.empty, value))
  }

  private serde(ctx: OperatorContext<any, any, any>, side: Side): Serde<any> {
    const serde = ctx.serdesOf(this.node)[side]
    if (serde !== undefined) return serde
    throw new StreamError(
      `The foreign-key join at "${this.node}" must write ${side}s and has no serde for them. Declare it on the table, ` +
        `with Consumed or Materialized, or set default.${side}.serde.`,
      { code: 'SERDE_MISSING', kind: 'user', retriable: false, context: { node: this.node } },
    )
  }
}
