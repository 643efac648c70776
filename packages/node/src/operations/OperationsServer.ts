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
        `Nothing can listen at http.host "${host}", http.port ${port}: ${(error as Error).message}. Give another port`,
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

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

function answerTo({ method, url }: IncomingMessage, monitor: EngineMonitor, applicationId: string): Answer {
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Ask with GET.')
  const { state, isReady } = monitor
  switch (url?.split('?', 1)[0]) {
    case '/health': {
      const alive = state !== 'failed'
      return asJson(alive, { alive, state })
    }
    case '/ready': {
      const restoring = isReady ? undefined : monitor.restore.now
      return asJson(isReady, { ready: isReady, state, ...(restoring && { restoring }) })
    }
    case '/metrics':
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: scrape(monitor, applicationId) }
    default:
      return plain(404, 'There is /health, /ready and /metrics.')
  }
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

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(body)
}
