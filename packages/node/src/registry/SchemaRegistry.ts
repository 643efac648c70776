import { type Clock, StreamError, SystemClock } from '@lanescope/core'
import { refused, unavailable } from './registryErrors.js'

/** What a schema is written in. */
export type SchemaType = 'AVRO' | 'JSON' | 'PROTOBUF'

/** Another schema that one uses, by the name that it uses for it. */
export interface SchemaReference {
  readonly name: string
  readonly subject: string
  readonly version: number
}

export interface SchemaText {
  readonly schemaType: SchemaType
  readonly schema: string
  readonly references: readonly SchemaReference[]
}

/** A schema of a subject. */
export interface RegisteredSchema extends SchemaText {
  readonly subject: string
  readonly version: number
  readonly id: number
}

export interface SchemaRegistryOptions {
  /** One address, or several of one registry: the next is asked when one does not answer. */
  readonly url: string | readonly string[]
  /** Basic authentication. */
  readonly auth?: { readonly user: string; readonly password: string }
  /** More request headers, such as a bearer token. */
  readonly headers?: Readonly<{ [name: string]: string }>
  /** How often a request is tried in all while no answer comes, over all addresses. Default: 4. */
  readonly attempts?: number
  /** How long the second attempt waits, in ms; each one after waits twice as long. Default: 100. */
  readonly backoffMs?: number
  /** How long one attempt may take, in ms. Default: 10,000. */
  readonly timeoutMs?: number
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** Default: the system's. */
  readonly clock?: Clock
}

const contentType = 'application/vnd.schemaregistry.v1+json'

/**
 * A client of a Schema Registry's REST interface. What can never change is asked for once: the schema of an id, a version
 * of a subject. What failed is asked for again the next time.
 *
 * @example
 * const registry = new SchemaRegistry({ url: 'http://localhost:8081', auth: { user: 'me', password: 'secret' } })
 * const { id, schema } = await registry.latest('orders-value')
 */
export class SchemaRegistry {
  readonly #urls: readonly string[]
  readonly #headers: Readonly<{ [name: string]: string }>
  readonly #attempts: number
  readonly #backoffMs: number
  readonly #timeoutMs: number
  readonly #fetch: typeof fetch
  readonly #clock: Clock
  readonly #known = new Map<string, Promise<any>>()
  /** The address that answered last. */
  #at = 0

  /** @throws StreamError CONFIG_INVALID for an address that is none */
  constructor({
    url,
    auth,
    headers = {},
    attempts = 4,
    backoffMs = 100,
    timeoutMs = 10_000,
    ...rest
  }: SchemaRegistryOptions) {
    this.#urls = (typeof url === 'string' ? [url] : url).map(checkedUrl)
    if (this.#urls.length === 0) throw noUrl('')
    const authorization = auth && `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString('base64')}`
    this.#headers = { ...(authorization !== undefined && { authorization }), ...headers }
    this.#attempts = attempts
    this.#backoffMs = backoffMs
    this.#timeoutMs = timeoutMs
    this.#fetch = rest.fetch ?? ((input, init) => fetch(input, init))
    this.#clock = rest.clock ?? new SystemClock()
  }

  /** @throws StreamError REGISTRY_REFUSED when there is no such schema, REGISTRY_UNAVAILABLE when no answer comes */
  byId(id: number): Promise<SchemaText> {
    return this.#once(`/schemas/ids/${id}`, textOf)
  }

  /** A schema by the identity that record headers carry. @throws as `byId` */
  byGuid(guid: string): Promise<SchemaText> {
    return this.#once(`/schemas/guids/${guid}`, textOf)
  }

  /** The newest version of a subject: asked for each time. @throws as `byId` */
  async latest(subject: string): Promise<RegisteredSchema> {
    return registeredOf(await this.#ask('GET', `/subjects/${encodeURIComponent(subject)}/versions/latest`))
  }

  /** @throws as `byId` */
  version(subject: string, version: number): Promise<RegisteredSchema> {
    return this.#once(`/subjects/${encodeURIComponent(subject)}/versions/${version}`, registeredOf)
  }

  /** Numbers of all versions of a subject; none when there is no such subject. */
  async versions(subject: string): Promise<readonly number[]> {
    try {
      return await this.#ask('GET', `/subjects/${encodeURIComponent(subject)}/versions`)
    } catch (error) {
      if (error instanceof StreamError && error.code === 'REGISTRY_REFUSED' && isMissing(error)) return []
      throw error
    }
  }

  /** The id of a schema that a subject has. @throws StreamError REGISTRY_REFUSED when it does not have it */
  async lookUp(subject: string, text: SchemaText): Promise<number> {
    return idOf(await this.#ask('POST', `/subjects/${encodeURIComponent(subject)}`, text))
  }

  /**
   * Makes a schema the newest version of a subject, unless it has it already.
   *
   * @returns its id
   * @throws StreamError REGISTRY_REFUSED when it is incompatible or invalid, or may not be registered
   */
  async register(subject: string, text: SchemaText): Promise<number> {
    return idOf(await this.#ask('POST', `/subjects/${encodeURIComponent(subject)}/versions`, text))
  }

  #once<T>(path: string, read: (answer: any) => T): Promise<T> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const asked = this.#ask('GET', path).then(read)
    this.#known.set(path, asked)
    asked.catch(() => this.#known.delete(path))
    return asked
  }

  async #ask(method: 'GET' | 'POST', path: string, text?: SchemaText): Promise<any> {
    const body =
      text && JSON.stringify({ ...text, references: text.references.length > 0 ? text.references : undefined })
    let failure: unknown
    for (let attempt = 0; attempt < this.#attempts; attempt++) {
      if (attempt > 0) await this.#wait(this.#backoffMs * 2 ** (attempt - 1))
      const url = this.#urls[this.#at % this.#urls.length] as string
      try {
        const response = await this.#send(method, url + path, body)
        const answer = await response.text()
        if (response.ok) return JSON.parse(answer)
        if (!mayPass(response.status)) throw refused(method, url + path, response.status, answer)
        failure = new Error(`it answered ${response.status} ${answer.slice(0, 200)}`)
      } catch (error) {
        if (error instanceof StreamError) throw error
        failure = error
      }
      this.#at++
    }
    throw unavailable(method, this.#urls, path, this.#attempts, failure)
  }

  async #send(method: string, url: string, body: string | undefined): Promise<Response> {
    const abort = new AbortController()
    const timer = this.#clock.after(this.#timeoutMs, () =>
      abort.abort(new Error(`no answer came within ${this.#timeoutMs} ms`)),
    )
    try {
      const headers = { accept: `${contentType}, application/json`, 'content-type': contentType, ...this.#headers }
      return await this.#fetch(url, { method, headers, signal: abort.signal, ...(body !== undefined && { body }) })
    } finally {
      timer.cancel()
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(ms, resolve)
    })
  }
}

/** Whether the same request may succeed later: the registry is overloaded, starting, or has no leader. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

function isMissing(error: StreamError): boolean {
  return (error.cause as { status?: number } | undefined)?.status === 404
}

function textOf({ schema, schemaType = 'AVRO', references = [] }: any): SchemaText {
  return { schema, schemaType, references }
}

function registeredOf(answer: any): RegisteredSchema {
  const { subject, version, id } = answer
  return { ...textOf(answer), subject, version, id }
}

function idOf({ id }: any): number {
  return id
}

function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw noUrl(url)
  return url.replace(/\/+$/, '')
}

function noUrl(url: string): StreamError {
  return new StreamError(`"${url}" is no address of a Schema Registry. Give one like http://localhost:8081.`, {
    code: 'CONFIG_INVALID',
    kind: 'user',
    retriable: false,
  })
}
