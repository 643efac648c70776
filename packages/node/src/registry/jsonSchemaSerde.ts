import { type Serde, StreamError } from '@lanescope/core'
import type { ValidateFunction } from 'ajv'
import { loadPeer } from './loadPeer.js'
import { type RegistrySerdeOptions, registrySerde, type SchemaCodec, type SchemaFormat } from './registrySerde.js'
import type { SchemaReference, SchemaRegistry, SchemaText } from './SchemaRegistry.js'

export interface JsonSchemaSerdeOptions extends RegistrySerdeOptions {
  /** The JSON Schema of what it writes, and reads. Default: the newest of the first topic's subject. */
  readonly schema?: string | object
  readonly references?: readonly SchemaReference[]
  /** Whether values are held to the schema when they are written and read. Default: true. */
  readonly validate?: boolean
}

/** What is used of `ajv`. */
interface Ajv {
  addSchema(schema: object, key: string): unknown
  compile(schema: object): ValidateFunction
  errorsText(errors: ValidateFunction['errors']): string
}

type MakeAjv = (draft: string) => Ajv

/**
 * A serde of JSON under a Schema Registry: `00`, the schema's id, the text. Needs the library `ajv`. Drafts 4 to 2020-12;
 * what `$schema` says counts.
 *
 * @throws StreamError CONFIG_INVALID for a schema that is none, REGISTRY_REFUSED, REGISTRY_UNAVAILABLE
 */
export async function jsonSchemaSerde<T = any>(
  registry: SchemaRegistry,
  options: JsonSchemaSerdeOptions,
): Promise<Serde<T>> {
  const makeAjv = await loadPeer('ajv', loadAjv)
  const { schema, references = [], validate = true } = options
  const given: SchemaText | undefined =
    schema === undefined
      ? undefined
      : { schemaType: 'JSON', schema: typeof schema === 'string' ? schema : JSON.stringify(schema), references }
  return registrySerde<T>(registry, jsonFormat(makeAjv, validate), given, options)
}

async function loadAjv(): Promise<MakeAjv> {
  const [{ Ajv }, { Ajv2019 }, { Ajv2020 }] = await Promise.all([
    import('ajv'),
    import('ajv/dist/2019.js'),
    import('ajv/dist/2020.js'),
  ])
  // Keywords and formats that it does not know are other validators' business, not a fault of the schema.
  const options = { strict: false, validateFormats: false, allErrors: true }
  return (draft) => {
    if (draft.includes('2020-12')) return new Ajv2020(options)
    return draft.includes('2019-09') ? new Ajv2019(options) : new Ajv(options)
  }
}

function jsonFormat(makeAjv: MakeAjv, validate: boolean): SchemaFormat {
  return {
    type: 'JSON',
    compile(text, references, reader) {
      try {
        const { $schema = '', ...schema } = JSON.parse(text.schema)
        const ajv = makeAjv(String($schema))
        for (const { name, text: referred } of references) {
          const { $schema: _draft, ...inner } = JSON.parse(referred.schema)
          ajv.addSchema(inner, name)
        }
        const own = new JsonCodec(String(schema.title ?? ''), ajv, ajv.compile(schema), validate)
        return reader === undefined ? own : reader
      } catch (cause) {
        throw new StreamError(`This is no JSON Schema: ${text.schema} (${(cause as Error).message})`, {
          code: 'CONFIG_INVALID',
          kind: 'user',
          retriable: false,
          cause,
        })
      }
    },
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

class JsonCodec implements SchemaCodec {
  constructor(
    readonly name: string,
    private readonly ajv: Ajv,
    private readonly isValid: ValidateFunction,
    private readonly validates: boolean,
  ) {}

  write(value: unknown): Uint8Array {
    this.#check(value)
    return encoder.encode(JSON.stringify(value))
  }

  read(payload: Uint8Array): unknown {
    const value: unknown = JSON.parse(decoder.decode(payload))
    this.#check(value)
    return value
  }

  #check(value: unknown): void {
    if (!this.validates || this.isValid(value)) return
    throw new TypeError(
      `${JSON.stringify(value)} does not fit its JSON Schema: ${this.ajv.errorsText(this.isValid.errors)}.`,
    )
  }
}
