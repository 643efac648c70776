import type { Cancellable, Clock } from '@lanescope/core'
import {
  CLOSE_REASONS,
  PROTOCOL_VERSION,
  type Replies,
  type Request,
  type RequestOf,
  type RequestType,
  type ServerMessage,
  type WireError,
} from '@lanescope/shared'

/** A request that the agent refused, or that no agent answered. */
export class RequestError extends Error {
  constructor(readonly error: WireError) {
    super(error.message)
    this.name = 'RequestError'
  }
}

/** What a request says of itself; the client adds its id. */
export type RequestBody<T extends RequestType> = Omit<RequestOf<T>, 'id' | 'type'>

/** The part of WebSocket that is needed; a test hands in its own. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
}

export type ClientStatus =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  | { readonly status: 'lost'; readonly retryAt: number }
  | { readonly status: 'refused'; readonly reason: string; readonly reloadMends: boolean }

export interface AgentClientOptions {
  readonly connect: () => Socket
  readonly clock: Clock
  readonly onStatus: (status: ClientStatus) => void
  readonly onMessage: (message: Exclude<ServerMessage, { readonly type: 'reply' }>) => void
}

export interface AgentClient {
  start(): void
  stop(): void
  /** Tries at once instead of waiting for the countdown. */
  retryNow(): void
  /** @throws RequestError when the agent refuses or the connection is lost before it answers */
  request<T extends RequestType>(type: T, body: RequestBody<T>): Promise<Replies[T]>
}

interface Waiting {
  resolve(result: never): void
  reject(error: RequestError): void
}

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 15_000

/** How long to wait before try number `attempt`, from 1: doubling from half a second to fifteen. */
export function retryDelayMs(attempt: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, attempt - 1))
}

const lost = (message: string): RequestError =>
  new RequestError({ code: 'CONNECTION_LOST', kind: 'operational', message, context: {} })

/** One WebSocket to the agent: request and reply by id, pushed messages to one listener, reconnect with backoff. */
export function createAgentClient(options: AgentClientOptions): AgentClient {
  const waiting = new Map<number, Waiting>()
  let socket: Socket | null = null
  let retry: Cancellable | null = null
  let attempt = 0
  let nextId = 1
  let greeted = false
  let stopped = false

  const failAll = (message: string) => {
    const error = lost(message)
    for (const one of waiting.values()) one.reject(error)
    waiting.clear()
  }

  const onMessage = (data: unknown) => {
    const message = JSON.parse(String(data)) as ServerMessage
    if (message.type === 'reply') {
      const one = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.ok) one?.resolve(message.result as never)
      else one?.reject(new RequestError(message.error))
      return
    }
    if (message.type === 'hello') {
      if (message.protocol !== PROTOCOL_VERSION) {
        socket?.close(CLOSE_REASONS.versionMismatch, 'version mismatch')
        return
      }
      greeted = true
      attempt = 0
      options.onMessage(message)
      options.onStatus({ status: 'open' })
      return
    }
    options.onMessage(message)
  }

  const onClose = (code: number, reason: string) => {
    socket = null
    greeted = false
    failAll('The connection to Lanescope was lost before it answered. It is tried again by itself.')
    if (stopped) return
    const refusal = refusalOf(code, reason)
    if (refusal !== undefined) {
      // Without the key to it, the page would be refused again.
      const reloadMends = code !== CLOSE_REASONS.tokenRefused
      options.onStatus({ status: 'refused', reason: refusal, reloadMends })
      return
    }
    attempt += 1
    const delay = retryDelayMs(attempt)
    options.onStatus({ status: 'lost', retryAt: options.clock.now() + delay })
    retry = options.clock.after(delay, open)
  }

  const open = () => {
    retry?.cancel()
    retry = null
    const made = options.connect()
    socket = made
    made.onmessage = (event) => onMessage(event.data)
    made.onclose = (event) => {
      if (socket === made) onClose(event.code, event.reason)
    }
  }

  return {
    start: () => {
      stopped = false
      options.onStatus({ status: 'connecting' })
      open()
    },
    stop: () => {
      stopped = true
      retry?.cancel()
      socket?.close(1000)
      failAll('The page was closed.')
    },
    retryNow: () => {
      if (socket === null && !stopped) open()
    },
    request: (type, body) =>
      new Promise((resolve, reject) => {
        if (!socket || !greeted) {
          reject(lost('Lanescope does not answer just now. What you typed is kept, and sent when it is back.'))
          return
        }
        const id = nextId++
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ ...body, id, type } as unknown as Request))
      }),
  }
}

function refusalOf(code: number, reason: string): string | undefined {
  if (code === CLOSE_REASONS.versionMismatch)
    return 'This page and the running Lanescope are of different versions. Reload the page.'
  if (code === CLOSE_REASONS.replaced) return 'This page was opened again elsewhere and gave up its place.'
  if (code === CLOSE_REASONS.badMessage) return `Lanescope refused a message of this page: ${reason}`
  if (code === CLOSE_REASONS.tokenRefused)
    return 'This page has no key to the Lanescope that runs. Open the address that it printed in its terminal.'
  return undefined
}
