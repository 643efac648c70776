import { type Headers, type Serde, StreamError } from '@lanescope/core'
import type { RegisteredSchema, SchemaReference, SchemaRegistry, SchemaText, SchemaType } from './SchemaRegistry.js'
import { readTag, type SchemaTag, type Side, withId } from './wireFormat.js'

/** Which subject a topic's schema stands under: by topic (`orders-value`), by record name, by both, or as you say. */
export type SubjectName =
  | 'topic'
  | 'record'
  | 'topic-record'
  | ((topic: string, side: Side, recordName: string) => string)

export interface RegistrySerdeOptions {
  /**
   * The real topics that this serde writes to, those of changelogs and repartitions too: their subjects are looked up,
   * or registered, when it is made. Another topic's records get the id of the first one.
   */
  readonly topics: readonly string[]
  /** Whether it is a key's serde or a value's. Default: `value`. */
  readonly side?: Side
  /** Default: `topic`. */
  readonly subject?: SubjectName
  /** Registers the schema under each subject that lacks it. Default: false, it must be there. */
  readonly register?: boolean
}

/** A schema at work: of another schema's bytes it makes values as its own reader would see them. */
export interface SchemaCodec {
  /** The name of what it describes, for subjects; empty when it has none. */
  readonly name: string
  write(value: unknown): Uint8Array
  read(payload: Uint8Array): unknown
}

/** One schema language. */
export interface SchemaFormat {
  readonly type: SchemaType
  /** @param reader the codec of the schema that was asked for: what it makes of what this one has written */
  compile(text: SchemaText, references: readonly ResolvedReference[], reader: SchemaCodec | undefined): SchemaCodec
}

/** A reference and all that it refers to itself, the innermost first. */
export interface ResolvedReference {
  readonly name: string
  readonly text: SchemaText
}

/**
 * Makes a serde of registered schemas. Schemas that it may have to write, or to read back from its own stores, are
 * fetched now; those of other producers when their first record comes (`Serde.prepare`).
 *
 * @param given the schema to write and to read as; undefined: the newest of the first topic's subject
 * @throws StreamError REGISTRY_REFUSED, REGISTRY_UNAVAILABLE; CONFIG_INVALID for no topics or a schema that is none
 */
export async function registrySerde<T>(
  registry: SchemaRegistry,
  format: SchemaFormat,
  given: SchemaText | undefined,
  options: RegistrySerdeOptions,
): Promise<Serde<T>> {
  const { topics, side = 'value', subject = 'topic', register = false } = options
  if (topics.length === 0) throw noTopics(format)
  const text = given ?? (await registry.latest(subjectOf(subject, topics[0] as string, side, '')))
  const own = format.compile(text, await resolve(registry, text.references), undefined)
  const subjects = new Map(topics.map((topic) => [topic, subjectOf(subject, topic, side, own.name)]))
  const schemas = new KnownSchemas(registry, format, own)
  const ids = new Map<string, number>()
  for (const name of new Set(subjects.values())) {
    ids.set(name, register ? await registry.register(name, text) : await registry.lookUp(name, text))
    for (const version of await registry.versions(name)) await schemas.add(await registry.version(name, version))
  }
  const idOf = (topic: string) => ids.get(subjects.get(topic) ?? '') ?? ([...ids.values()][0] as number)
  const name = `${format.type.toLowerCase()}(${[...new Set(ids.values())].join(',')})`
  return {
    id: name,
    serialize: (topic, _headers, value) => withId(idOf(topic), own.write(value)),
    prepare: (bytes, headers) => schemas.prepare(side, headers, bytes),
    deserialize: (_topic, headers, bytes) => schemas.read(side, headers, bytes) as T,
  }
}

function noTopics({ type }: SchemaFormat): StreamError {
  return new StreamError(`A serde of ${type} was given no topics, so it has no subject. Name at least one in topics.`, {
    code: 'CONFIG_INVALID',
    kind: 'user',
    retriable: false,
  })
}

function subjectOf(subject: SubjectName, topic: string, side: Side, recordName: string): string {
  if (typeof subject === 'function') return subject(topic, side, recordName)
  if (subject === 'record') return recordName
  return subject === 'topic' ? `${topic}-${side}` : `${topic}-${recordName}`
}

/** Schemas by what bytes say of them. What could not be fetched is told when it is needed, and asked for anew after. */
class KnownSchemas {
  readonly #codecs = new Map<string, SchemaCodec>()
  readonly #fetching = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, unknown>()

  constructor(
    private readonly registry: SchemaRegistry,
    private readonly format: SchemaFormat,
    private readonly own: SchemaCodec,
  ) {}

  async add({ id, ...text }: RegisteredSchema): Promise<void> {
    await this.#compile(keyOf({ by: 'id', id, payload: nothing }), text)
  }

  prepare(side: Side, headers: Headers, bytes: Uint8Array): Promise<void> | undefined {
    const tag = tagOf(side, headers, bytes)
    const key = tag && keyOf(tag)
    if (tag === undefined || key === undefined || this.#codecs.has(key)) return undefined
    const running = this.#fetching.get(key)
    if (running !== undefined) return running
    const fetching = this.#fetch(tag, key).finally(() => this.#fetching.delete(key))
    this.#fetching.set(key, fetching)
    return fetching
  }

  read(side: Side, headers: Headers, bytes: Uint8Array): unknown {
    const tag = readTag(side, headers, bytes)
    const key = keyOf(tag)
    const codec = this.#codecs.get(key)
    if (codec !== undefined) return codec.read(tag.payload)
    const failure = this.#failures.get(key)
    const why = failure instanceof Error ? failure.message : 'it has not been fetched: call prepare before deserialize.'
    throw new TypeError(`The schema of ${key} is not known: ${why}`, { cause: failure })
  }

  async #fetch(tag: SchemaTag, key: string): Promise<void> {
    try {
      const text = await (tag.by === 'id' ? this.registry.byId(tag.id) : this.registry.byGuid(tag.guid))
      await this.#compile(key, text)
      this.#failures.delete(key)
    } catch (error) {
      this.#failures.set(key, error)
      throw error
    }
  }

  async #compile(key: string, text: SchemaText): Promise<void> {
    if (text.schemaType !== this.format.type) {
      throw new TypeError(
        `it is a schema of ${text.schemaType}, and is read as ${this.format.type}. Declare a serde of its kind.`,
      )
    }
    const references = await resolve(this.registry, text.references)
    this.#codecs.set(key, this.format.compile(text, references, this.own))
  }
}

const nothing = new Uint8Array(0)

/** Bytes without a tag are `deserialize`'s to refuse. */
function tagOf(side: Side, headers: Headers, bytes: Uint8Array): SchemaTag | undefined {
  try {
    return readTag(side, headers, bytes)
  } catch {
    return undefined
  }
}

function keyOf(tag: SchemaTag): string {
  return tag.by === 'id' ? `id ${tag.id}` : `GUID ${tag.guid}`
}

/** All that a schema refers to, each once, the innermost first. */
async function resolve(
  registry: SchemaRegistry,
  references: readonly SchemaReference[],
  found: Map<string, ResolvedReference> = new Map(),
): Promise<readonly ResolvedReference[]> {
  for (const { name, subject, version } of references) {
    if (found.has(name)) continue
    const text = await registry.version(subject, version)
    await resolve(registry, text.references, found)
    found.set(name, { name, text })
  }
  return [...found.values()]
}
