import { CLOSE_REASONS, encode, parseRequest, type Request, type ServerMessage } from '@lanescope/shared'
import type { WebSocket } from 'ws'
import { FrameFeed } from '../runs/FrameFeed.js'
import type { RunViewer } from '../runs/RunViewer.js'
import { toWireError } from '../toWireError.js'
import type { RequestHandler } from './RequestHandler.js'

/** The WebSocket protocol's own code for "try again later". */
const TRY_AGAIN_LATER = 1013

/** One page: answers its requests, and pushes it what it watches. */
export class PageConnection {
  readonly #socket: WebSocket
  readonly #handle: RequestHandler
  /** A page draws one run: the frames of any other would only get in its way. */
  #watch: { readonly runId: string; readonly end: () => void } | undefined

  constructor(socket: WebSocket, hello: ServerMessage, handle: RequestHandler) {
    this.#socket = socket
    this.#handle = handle
    socket.on('message', (data, isBinary) => this.#onMessage(isBinary ? undefined : String(data)))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.unwatch())
    this.send(hello)
  }

  send(message: ServerMessage, taken?: () => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(encode(message), () => taken?.())
  }

  /**
   * Makes this page the viewer of a run, and of no other. Asked again, it starts over: a page that comes back to a
   * project has nothing left.
   */
  watch(runId: string, start: (viewer: RunViewer) => () => void): void {
    this.unwatch()
    const feed = new FrameFeed({
      buffered: () => this.#socket.bufferedAmount,
      send: (frame, taken) => this.send({ type: 'frame', frame }, taken),
      giveUp: () => this.#socket.close(TRY_AGAIN_LATER, 'The page is too far behind'),
    })
    this.#watch = { runId, end: start((frame) => feed.push(frame)) }
  }

  /** Ends the watching, if it is of this run; without one, whichever it is of. */
  unwatch(runId = this.#watch?.runId): void {
    if (this.#watch === undefined || this.#watch.runId !== runId) return
    this.#watch.end()
    this.#watch = undefined
  }

  close(): void {
    this.#socket.close(1001, 'The agent has ended')
  }

  #onMessage(text: string | undefined): void {
    const parsed = text === undefined ? ({ ok: false, problems: [] } as const) : parseRequest(text)
    if (parsed.ok) {
      void this.#answer(parsed.message)
      return
    }
    const problems = parsed.problems.map(({ path, message }) => (path === '' ? message : `At ${path}: ${message}`))
    if (parsed.id === undefined) {
      this.#socket.close(CLOSE_REASONS.badMessage, shorten(problems[0] ?? 'A request is text'))
      return
    }
    const message = `The request was refused. ${problems.join(' ')}`
    const error = { code: 'BAD_REQUEST', kind: 'bug', message, context: { problems: parsed.problems } } as const
    this.send({ type: 'reply', id: parsed.id, ok: false, error })
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request
    try {
      const { result, afterwards } = await this.#handle(request, this)
      this.send({ type: 'reply', id, ok: true, result })
      afterwards?.()
    } catch (error) {
      this.send({ type: 'reply', id, ok: false, error: toWireError(error) })
    }
  }
}

/** A close frame holds 123 bytes of reason. */
function shorten(reason: string): string {
  return [...reason].slice(0, 40).join('')
}
