import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { CLOSE_REASONS, type ServerMessage } from '@lanescope/shared'
import { WebSocketServer } from 'ws'
import { AgentError } from '../AgentError.js'
import { toWireError } from '../toWireError.js'
import type { AccessToken } from './AccessToken.js'
import { guardRequest } from './guardRequest.js'
import { PageConnection } from './PageConnection.js'
import type { RequestHandler } from './RequestHandler.js'
import { BASE_HEADERS } from './securityHeaders.js'
import { serveStatic } from './serveStatic.js'

/** The largest message of a page: a project's files and document, with room to spare. */
const MAX_MESSAGE_BYTES = 16_000_000

export interface AgentServerOptions {
  readonly token: AccessToken
  /** The built page. */
  readonly webFolder: string
  readonly hello: ServerMessage
  readonly handle: RequestHandler
  /** Makes the zip of a project. */
  readonly exportProject: (projectId: string) => Promise<Uint8Array>
}

/** HTTP for the page's files, and one WebSocket for each page, on 127.0.0.1 alone. */
export class AgentServer {
  readonly #options: AgentServerOptions
  readonly #http: Server
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  })
  readonly #pages = new Set<PageConnection>()
  #port = 0

  constructor(options: AgentServerOptions) {
    this.#options = options
    this.#http = createServer((request, response) => void this.#onRequest(request, response))
    this.#http.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head))
  }

  /**
   * @param port 0: any free one
   * @returns the port
   * @throws AgentError PORT_IN_USE
   */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)))
      this.#http.listen(port, '127.0.0.1', () => resolve())
    })
    this.#port = (this.#http.address() as AddressInfo).port
    return this.#port
  }

  /** Tells every page. */
  broadcast(message: ServerMessage): void {
    for (const page of this.#pages) page.send(message)
  }

  async close(): Promise<void> {
    for (const page of this.#pages) page.close()
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#http.closeAllConnections()
    await closed
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(BASE_HEADERS)) response.setHeader(name, value)
    try {
      await this.#route(request, response)
    } catch (error) {
      const { code, message } = toWireError(error)
      if (response.headersSent) response.destroy()
      else sendText(response, statusOf(code), message)
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const guarded = guardRequest(request.headers, this.#port, false)
    if (guarded !== 'pass') return sendText(response, 403, refusal(guarded))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD')
      return sendText(response, 405, 'Only GET and HEAD')
    }
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    // `URL` resolves dot segments away; the raw path is what was asked for.
    const path = (request.url ?? '/').split(/[?#]/, 1)[0] ?? '/'
    if (path === '/api/health') return sendJson(response, { status: 'ok' })
    const exported = /^\/api\/export\/([A-Za-z0-9._-]+)\.zip$/.exec(path)
    if (exported) {
      if (!this.#options.token.accepts(url.searchParams.get('token'))) return sendText(response, 403, NO_TOKEN)
      return this.#sendExport(exported[1] ?? '', response)
    }
    if (await serveStatic(this.#options.webFolder, path, request, response)) return
    sendText(response, 404, path === '/' ? NOT_BUILT : 'There is no such page')
  }

  async #sendExport(projectId: string, response: ServerResponse): Promise<void> {
    const zip = await this.#options.exportProject(projectId)
    response.writeHead(200, {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${projectId}.zip"`,
      'Content-Length': zip.length,
      'Cache-Control': 'no-store',
    })
    response.end(zip)
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const guarded = guardRequest(request.headers, this.#port, true)
    if (guarded !== 'pass') {
      refuseUpgrade(socket, '403 Forbidden', refusal(guarded))
      return
    }
    if (url.pathname !== '/ws') {
      refuseUpgrade(socket, '404 Not Found', 'The WebSocket is at /ws')
      return
    }
    const known = this.#options.token.accepts(url.searchParams.get('token'))
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      // Said after the handshake: of one that fails, a page learns no reason.
      if (!known) return webSocket.close(CLOSE_REASONS.tokenRefused, NO_TOKEN)
      const page = new PageConnection(webSocket, this.#options.hello, this.#options.handle)
      this.#pages.add(page)
      webSocket.on('close', () => this.#pages.delete(page))
    })
  }
}

const NO_TOKEN = 'Open the address that the agent printed when it started: it carries the key to this page'
const NOT_BUILT = 'The page is not built; "npm start" builds it'

function refusal(why: 'foreign-host' | 'foreign-origin'): string {
  return why === 'foreign-host'
    ? 'This agent answers to 127.0.0.1 and localhost alone'
    : 'Another web page may not speak with this agent'
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(`${text}\n`)
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(value))
}

function refuseUpgrade(socket: Duplex, status: string, text: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\n`)
}

function statusOf(code: string): number {
  if (code === 'NOT_FOUND') return 404
  return code === 'INTERNAL' ? 500 : 400
}

function listenError(error: NodeJS.ErrnoException, port: number): AgentError {
  const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code ?? error.message})`
  return new AgentError(`Port ${port} ${why}; --port 0 takes any free one`, {
    code: 'PORT_IN_USE',
    kind: 'operational',
    retriable: true,
    context: { port },
    cause: error,
  })
}
