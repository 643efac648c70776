import type { Replies, Request, RequestOf, RequestType, RunFrame, ServerMessage, WireError } from '@lanescope/shared'
import { WebSocket } from 'ws'

/** What a request was refused with. */
export class Refused extends Error {
  constructor(readonly error: WireError) {
    super(error.message)
  }
}

/** A page as the agent knows one: a WebSocket that asks, and remembers what it was told. */
export class TestPage {
  readonly messages: ServerMessage[] = []
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Extract<ServerMessage, { type: 'reply' }>) => void>()
  #wakers: (() => void)[] = []
  #nextId = 1

  constructor(
    agentUrl: string,
    change: { readonly origin?: string; readonly token?: string; readonly path?: string } = {},
  ) {
    const url = new URL(agentUrl)
    const token = change.token ?? new URLSearchParams(url.hash.slice(1)).get('token') ?? ''
    this.#socket = new WebSocket(`ws://${url.host}${change.path ?? '/ws'}?token=${token}`, {
      origin: change.origin ?? url.origin,
    })
    this.closed = new Promise((resolve, reject) => {
      this.#socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
      this.#socket.on('error', reject)
    })
    // A handshake that fails is awaited by the tests that provoke it.
    this.closed.catch(() => undefined)
    this.#socket.on('message', (data) => this.#onMessage(JSON.parse(String(data)) as ServerMessage))
  }

  /** Opens a page and waits for its hello. */
  static async open(agentUrl: string): Promise<TestPage> {
    const page = new TestPage(agentUrl)
    await page.until(() => page.messages.length > 0)
    return page
  }

  /** @throws Refused */
  ask<T extends RequestType>(type: T, body: Omit<RequestOf<T>, 'id' | 'type'>): Promise<Replies[T]> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (reply) =>
        reply.ok ? resolve(reply.result as Replies[T]) : reject(new Refused(reply.error)),
      )
      this.send({ ...body, id, type } as unknown as Request)
    })
  }

  /** The error that a request is refused with. */
  async refusal<T extends RequestType>(type: T, body: Omit<RequestOf<T>, 'id' | 'type'>): Promise<WireError> {
    try {
      await this.ask(type, body)
    } catch (error) {
      if (error instanceof Refused) return error.error
      throw error
    }
    throw new Error(`"${type}" was not refused`)
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message))
  }

  /** Resolves once the condition holds; looked at after each message. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#wakers.push(resolve))
  }

  get frames(): readonly RunFrame[] {
    return this.messages.flatMap((message) => (message.type === 'frame' ? [message.frame] : []))
  }

  get rare() {
    return this.frames.flatMap(({ rare }) => rare)
  }

  /** The last told state of a run. */
  run(runId: string) {
    return this.messages
      .flatMap((message) => (message.type === 'run-state' && message.run.runId === runId ? [message.run] : []))
      .at(-1)
  }

  /** Waits until a run is over. */
  async end(runId: string) {
    await this.until(() => this.run(runId)?.endedAt != null)
    return this.run(runId)!
  }

  close(): void {
    this.#socket.close()
  }

  #onMessage(message: ServerMessage): void {
    this.messages.push(message)
    if (message.type === 'reply') {
      this.#waiting.get(message.id)?.(message)
      this.#waiting.delete(message.id)
    }
    const wakers = this.#wakers
    this.#wakers = []
    for (const wake of wakers) wake()
  }
}
