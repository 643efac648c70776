import { type Serde, StreamError } from '@lanescope/core'
import type * as Avsc from 'avsc'
import { loadPeer } from './loadPeer.js'
import { type RegistrySerdeOptions, registrySerde, type SchemaCodec, type SchemaFormat } from './registrySerde.js'
import type { SchemaReference, SchemaRegistry, SchemaText } from './SchemaRegistry.js'

export interface AvroSerdeOptions extends RegistrySerdeOptions {
  /**
   * The Avro schema to write, and to read as: bytes of other versions are resolved to it. Default: the newest of the
   * first topic's subject.
   */
  readonly schema?: string | object
  readonly references?: readonly SchemaReference[]
  /** Options of `avsc`'s `Type.forSchema`: `logicalTypes`, `wrapUnions`, … */
  readonly forSchema?: object
}

/**
 * A serde of Avro values under a Schema Registry: `00`, the schema's id, the value. Needs the library `avsc`. A `long` is
 * a number, and refused beyond 2^53−1.
 *
 * @throws StreamError CONFIG_INVALID for a schema that is none, REGISTRY_REFUSED, REGISTRY_UNAVAILABLE
 * @example
 * const order = await avroSerde<Order>(registry, { topics: ['orders'], schema: orderSchema, register: true })
 * builder.stream('orders', Consumed.with(string, order))
 */
export async function avroSerde<T = any>(registry: SchemaRegistry, options: AvroSerdeOptions): Promise<Serde<T>> {
  const avsc = await loadPeer('avsc', async () => (await import('avsc')).default as unknown as typeof Avsc)
  const { schema, references = [], forSchema = {} } = options
  const given: SchemaText | undefined =
    schema === undefined
      ? undefined
      : { schemaType: 'AVRO', schema: typeof schema === 'string' ? schema : JSON.stringify(schema), references }
  return registrySerde<T>(registry, avroFormat(avsc, forSchema), given, options)
}

function avroFormat(avsc: typeof Avsc, forSchema: object): SchemaFormat {
  return {
    type: 'AVRO',
    compile(text, references, reader) {
      const named = {}
      for (const reference of references) typeOf(avsc, reference.text, { ...forSchema, registry: named })
      const type = typeOf(avsc, text, { ...forSchema, registry: named })
      return new AvroCodec(type, reader as AvroCodec | undefined)
    },
  }
}

function typeOf(avsc: typeof Avsc, { schema }: SchemaText, options: object): Avsc.Type {
  try {
    return avsc.Type.forSchema(JSON.parse(schema), options)
  } catch (cause) {
    throw new StreamError(`This is no Avro schema: ${schema} (${(cause as Error).message})`, {
      code: 'CONFIG_INVALID',
      kind: 'user',
      retriable: false,
      cause,
    })
  }
}

class AvroCodec implements SchemaCodec {
  readonly name: string
  readonly #resolver: ReturnType<Avsc.Type['createResolver']> | undefined

  constructor(
    readonly type: Avsc.Type,
    private readonly reader: AvroCodec | undefined,
  ) {
    this.name = type.name ?? ''
    this.#resolver = reader && !reader.type.equals(type) ? reader.type.createResolver(type) : undefined
  }

  write(value: unknown): Uint8Array {
    return this.type.toBuffer(value)
  }

  read(payload: Uint8Array): unknown {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
    return (this.reader?.type ?? this.type).fromBuffer(bytes, this.#resolver)
  }
}
