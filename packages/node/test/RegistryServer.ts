import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Stored {
  readonly schema: string
  readonly schemaType?: string
  readonly references?: readonly object[]
}

/** A Schema Registry over HTTP, in memory: the parts of the protocol that a client of it uses. */
export class RegistryServer {
  /** `METHOD path` of all requests, in their order. */
  readonly requests: string[] = []
  /** The last request's headers. */
  headers: IncomingMessage['headers'] = {}
  /** What the next requests get instead of an answer: a status, or a broken connection. */
  readonly failures: (number | 'broken')[] = []
  /** `user:password` that requests must carry. */
  auth: string | undefined
  readonly #byId: Stored[] = []
  readonly #subjects = new Map<string, number[]>()
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        this.requests.push(`${request.method} ${request.url}`)
        this.headers = request.headers
        const failure = this.failures.shift()
        if (failure === 'broken') {
          request.socket.destroy()
          return
        }
        const body = Buffer.concat(chunks).toString()
        const [status, answer] =
          failure === undefined
            ? this.#answer(request, body)
            : [failure, { error_code: failure * 100, message: 'later' }]
        response.writeHead(status, { 'content-type': 'application/vnd.schemaregistry.v1+json' })
        response.end(JSON.stringify(answer))
      })
    })
  }

  static async start(): Promise<RegistryServer> {
    const made = new RegistryServer()
    await new Promise<void>((resolve) => made.#server.listen(0, '127.0.0.1', resolve))
    return made
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Registers as a producer elsewhere would. @returns the id */
  add(subject: string, stored: Stored): number {
    const known = this.#byId.findIndex((other) => same(other, stored))
    const id = known >= 0 ? known + 1 : this.#byId.push(stored)
    const versions = this.#subjects.get(subject) ?? []
    if (!versions.includes(id)) versions.push(id)
    this.#subjects.set(subject, versions)
    return id
  }

  /** A GUID of ours, as the header form carries it. */
  static guid(id: number): string {
    return `89791762-2336-4186-9674-${id.toString(16).padStart(12, '0')}`
  }

  #answer(request: IncomingMessage, body: string): [number, unknown] {
    if (this.auth !== undefined && request.headers.authorization !== `Basic ${btoa(this.auth)}`) {
      return [401, { error_code: 401, message: 'Unauthorized' }]
    }
    const parts = (request.url ?? '').split('/').slice(1).map(decodeURIComponent)
    if (parts[0] === 'schemas') return this.#schema(parts[1] as string, parts[2] as string)
    const subject = parts[1] as string
    const versions = this.#subjects.get(subject)
    if (request.method === 'POST' && parts[2] === 'versions') return this.#register(subject, JSON.parse(body))
    if (versions === undefined) return [404, { error_code: 40401, message: `Subject '${subject}' not found.` }]
    if (request.method === 'POST') return this.#lookUp(subject, versions, JSON.parse(body))
    if (parts[3] === undefined) return [200, versions.map((_, index) => index + 1)]
    const version = parts[3] === 'latest' ? versions.length : Number(parts[3])
    const id = versions[version - 1]
    if (id === undefined) return [404, { error_code: 40402, message: `Version ${version} not found.` }]
    return [200, { subject, version, id, ...this.#byId[id - 1] }]
  }

  #schema(by: string, which: string): [number, unknown] {
    const index =
      by === 'ids' ? Number(which) - 1 : this.#byId.findIndex((_, at) => RegistryServer.guid(at + 1) === which)
    const stored = this.#byId[index]
    return stored === undefined ? [404, { error_code: 40403, message: 'Schema not found' }] : [200, stored]
  }

  #register(subject: string, stored: Stored): [number, unknown] {
    if (stored.schema.includes('incompatible'))
      return [409, { error_code: 409, message: 'Schema being registered is incompatible' }]
    return [200, { id: this.add(subject, stored) }]
  }

  #lookUp(subject: string, versions: readonly number[], stored: Stored): [number, unknown] {
    const id = versions.find((candidate) => same(this.#byId[candidate - 1] as Stored, stored))
    if (id === undefined) return [404, { error_code: 40403, message: 'Schema not found' }]
    return [200, { subject, id, version: versions.indexOf(id) + 1, ...this.#byId[id - 1] }]
  }
}

function same(a: Stored, b: Stored): boolean {
  const type = ({ schemaType = 'AVRO' }: Stored) => schemaType
  return a.schema === b.schema && type(a) === type(b)
}
