import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamError } from '@lanescope/core'
import type { HttpConfig } from '../config/operationsConfig.js'
import type { EngineMonitor } from './EngineMonitor.js'
import { scrape } from './scrape.js'

/** Health, readiness and metrics of one application over HTTP. It tells, and changes nothing. */
export class OperationsServer {
  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  /** @throws StreamError CONFIG_INVALID when the address cannot be listened at */
  static async listen(
    { host, port }: HttpConfig,
    monitor: EngineMonitor,
    applicationId: string,
  ): Promise<OperationsServer> {
    const server = createServer((request, response) =>
      send(
        response,
        withoutThrowing(() => answerTo(request, monitor, applicationId)),
      ),
    )
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    }).catch((error: unknown) => {
      throw new StreamError(
        `Nothing can listen at http.host "${host}", http.port ${port}: ${whyNot(error as NodeJS.ErrnoException)}`,
        { code: 'CONFIG_INVALID', kind: 'operational', retriable: false, cause: error },
      )
    })
    return new OperationsServer(server, host)
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo
    return `http://${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}`
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    // Whoever scrapes keeps its connection.
    this.server.closeAllConnections()
    await closed
  }
}

function whyNot({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'another process listens there. Give http.port another one, or 0 for a free one'
    case 'EACCES':
      return 'this user may not. Give http.port one of 1024 or above'
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return 'this machine has no such address. Give http.host one of its own, such as 127.0.0.1, or 0.0.0.0 for all'
    default:
      return `${message}. Give another http.host or http.port`
  }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly allow?: string
}

function answerTo({ method, url }: IncomingMessage, monitor: EngineMonitor, applicationId: string): Answer {
  if (method !== 'GET' && method !== 'HEAD') return { ...plain(405, 'Ask with GET.'), allow: 'GET, HEAD' }
  const { state } = monitor
  switch (url?.split('?', 1)[0]) {
    case '/health': {
      const alive = state !== 'failed'
      return asJson(alive, { alive, state })
    }
    case '/ready':
      return readiness(monitor)
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: scrape(monitor, applicationId) }
    default:
      return plain(404, 'There is /health, /ready and /metrics.')
  }
}

function readiness({ state, notReady, restore }: EngineMonitor): Answer {
  if (notReady === undefined) return asJson(true, { ready: true, state })
  const { reason, since } = notReady
  const restoring = restore.now
  return asJson(false, {
    ready: false,
    state,
    reason,
    since: new Date(since).toISOString(),
    ...(restoring && { restoring }),
  })
}

function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` }
}

function asJson(isGood: boolean, value: object): Answer {
  return { status: isGood ? 200 : 503, type: 'application/json', body: `${JSON.stringify(value)}\n` }
}

/** Whoever asks is told of a failure; the run goes on. */
function withoutThrowing(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    return plain(500, error instanceof Error ? error.message : String(error))
  }
}

function send(response: ServerResponse, { status, type, body, allow }: Answer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(allow && { allow }),
  })
  response.end(body)
}
