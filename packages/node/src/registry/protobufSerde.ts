import { type Serde, StreamError } from '@lanescope/core'
import type * as Protobuf from 'protobufjs'
import { checkMessage } from './checkMessage.js'
import { loadPeer } from './loadPeer.js'
import { readIndexes, writeIndexes } from './messageIndexes.js'
import {
  type RegistrySerdeOptions,
  type ResolvedReference,
  registrySerde,
  type SchemaCodec,
  type SchemaFormat,
} from './registrySerde.js'
import type { SchemaReference, SchemaRegistry, SchemaText } from './SchemaRegistry.js'

export interface ProtobufSerdeOptions extends RegistrySerdeOptions {
  /** The text of the `.proto` file. Default: the newest of the first topic's subject. */
  readonly schema?: string
  readonly references?: readonly SchemaReference[]
  /** Which of its messages it writes and reads, with or without the package: `Outer.Inner`. Default: the first. */
  readonly message?: string
  /** What 64-bit numbers become. Default: `string`, which is exact. */
  readonly longs?: 'string' | 'number'
}

type Library = typeof Protobuf

/**
 * A serde of Protobuf messages under a Schema Registry: `00`, the schema's id, which message it is, the message. Needs the
 * library `protobufjs`. Messages are plain objects, their fields in camelCase, enums by name, fields that were not
 * written at their defaults.
 *
 * @throws StreamError CONFIG_INVALID for a schema or a message that is none, REGISTRY_REFUSED, REGISTRY_UNAVAILABLE
 */
export async function protobufSerde<T = any>(
  registry: SchemaRegistry,
  options: ProtobufSerdeOptions,
): Promise<Serde<T>> {
  const library = await loadPeer('protobufjs', async () => (await import('protobufjs')).default as Library)
  const { schema, references = [] } = options
  const given: SchemaText | undefined =
    schema === undefined ? undefined : { schemaType: 'PROTOBUF', schema, references }
  return registrySerde<T>(registry, protobufFormat(library, options), given, options)
}

function protobufFormat(library: Library, { message, longs = 'string' }: ProtobufSerdeOptions): SchemaFormat {
  const conversion = { longs: longs === 'string' ? String : Number, enums: String, defaults: true, arrays: true }
  return {
    type: 'PROTOBUF',
    compile(text, references, reader) {
      const file = parse(library, text, references)
      return new ProtobufCodec(library, file, message, conversion, reader as ProtobufCodec | undefined)
    },
  }
}

interface ProtoFile {
  readonly root: Protobuf.Root
  /** Full names of its own messages, in the order of the file; of each, those within it. */
  readonly messages: readonly MessageNames[]
}

interface MessageNames {
  readonly name: string
  readonly nested: readonly MessageNames[]
}

function parse(library: Library, text: SchemaText, references: readonly ResolvedReference[]): ProtoFile {
  try {
    const own = library.parse(text.schema, new library.Root())
    const root = new library.Root()
    for (const imported of [...(own.imports ?? []), ...(own.weakImports ?? [])]) addCommon(library, root, imported)
    for (const reference of references) {
      const { imports = [] } = library.parse(reference.text.schema, root)
      for (const imported of imports) addCommon(library, root, imported)
    }
    library.parse(text.schema, root)
    root.resolveAll()
    const space = own.package === undefined ? own.root : own.root.lookup(own.package)
    return { root, messages: messagesIn(library, space as Protobuf.NamespaceBase) }
  } catch (cause) {
    throw invalid(`This is no Protobuf schema: ${text.schema} (${(cause as Error).message})`, cause)
  }
}

/** Google's own types, which every compiler brings along. */
function addCommon(library: Library, root: Protobuf.Root, imported: string): void {
  const known = library.common.get(imported)
  if (known?.nested !== undefined) root.addJSON(known.nested)
}

function messagesIn(library: Library, space: Protobuf.NamespaceBase): MessageNames[] {
  return space.nestedArray
    .filter((nested): nested is Protobuf.Type => nested instanceof library.Type)
    .map((type) => ({ name: type.fullName, nested: messagesIn(library, type) }))
}

class ProtobufCodec implements SchemaCodec {
  readonly name: string
  readonly #type: Protobuf.Type
  readonly #indexes: Uint8Array

  constructor(
    private readonly library: Library,
    private readonly file: ProtoFile,
    message: string | undefined,
    private readonly conversion: Protobuf.IConversionOptions,
    private readonly reader: ProtobufCodec | undefined,
  ) {
    const path = reader === undefined ? pathTo(file.messages, message) : [0]
    const name = at(file.messages, path)
    if (name === undefined)
      throw invalid(
        `The schema has no message ${message === undefined ? '' : `"${message}"`}. It has ${listed(file.messages)}.`,
      )
    this.#type = file.root.lookupType(name)
    this.name = name.slice(1)
    this.#indexes = writeIndexes(path)
  }

  write(value: unknown): Uint8Array {
    const wrong = checkMessage(this.library, this.#type, value)
    if (wrong !== undefined) throw new TypeError(`This is no ${this.name}: ${wrong}.`)
    const message = this.#type.fromObject(value as { [field: string]: any })
    const encoded = this.#type.encode(message).finish()
    const bytes = new Uint8Array(this.#indexes.length + encoded.length)
    bytes.set(this.#indexes)
    bytes.set(encoded, this.#indexes.length)
    return bytes
  }

  /** A reader takes its own message, whatever place that has in the writer's file; fields that it lacks are left out. */
  read(payload: Uint8Array): unknown {
    const { path, end } = readIndexes(payload)
    const written = at(this.file.messages, path)
    const type = (this.reader ?? this).#type
    if (written !== type.fullName) {
      throw new TypeError(
        `It is a message ${written?.slice(1) ?? `at place ${path}`}, and is read as ${type.fullName.slice(1)}.`,
      )
    }
    return type.toObject(type.decode(payload.subarray(end)), this.conversion)
  }
}

function at(messages: readonly MessageNames[], [first, ...rest]: readonly number[]): string | undefined {
  const message = first === undefined ? undefined : messages[first]
  return rest.length === 0 || message === undefined ? message?.name : at(message.nested, rest)
}

/** Where a message stands in its file: undefined is the first. */
function pathTo(messages: readonly MessageNames[], wanted: string | undefined): readonly number[] {
  if (wanted === undefined) return [0]
  for (const [index, { name, nested }] of messages.entries()) {
    if (name === `.${wanted}` || name.endsWith(`.${wanted}`)) return [index]
    const within = pathTo(nested, wanted)
    if (within.length > 0) return [index, ...within]
  }
  return []
}

function listed(messages: readonly MessageNames[]): string {
  return messages.map(({ name }) => name.slice(1)).join(', ') || 'none'
}

function invalid(message: string, cause?: unknown): StreamError {
  return new StreamError(message, { code: 'CONFIG_INVALID', kind: 'user', retriable: false, cause })
}
