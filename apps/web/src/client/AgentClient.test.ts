import { ManualClock } from '@lanescope/core'
import { CLOSE_REASONS, PROTOCOL_VERSION } from '@lanescope/shared'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  type AgentClient,
  type ClientStatus,
  createAgentClient,
  RequestError,
  retryDelayMs,
  type Socket,
} from './AgentClient.js'

class FakeSocket implements Socket {
  readyState = 1
  readonly sent: { id: number; type: string; [key: string]: unknown }[] = []
  readonly closed: number[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { readonly data: unknown }) => void) | null = null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null = null
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  close(code = 1000): void {
    this.closed.push(code)
    this.onclose?.({ code, reason: '' })
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
}

const hello = {
  type: 'hello',
  protocol: PROTOCOL_VERSION,
  version: '0',
  log: { kind: 'embedded' },
  projectsFolder: '/p',
}

describe('AgentClient', () => {
  let clock: ManualClock
  let sockets: FakeSocket[]
  let statuses: ClientStatus[]
  let pushed: string[]
  let client: AgentClient
  const socket = () => sockets.at(-1)!

  beforeEach(() => {
    clock = new ManualClock(1_000)
    sockets = []
    statuses = []
    pushed = []
    client = createAgentClient({
      clock,
      connect: () => {
        sockets.push(new FakeSocket())
        return socket()
      },
      onStatus: (status) => statuses.push(status),
      onMessage: (message) => pushed.push(message.type),
    })
    client.start()
  })

  it('is open once the agent has greeted it', () => {
    expect(statuses).toEqual([{ status: 'connecting' }])
    socket().say(hello)
    expect(statuses.at(-1)).toEqual({ status: 'open' })
    expect(pushed).toEqual(['hello'])
  })

  it('answers each request by its id, in whatever order replies come', async () => {
    socket().say(hello)
    const first = client.request('list-projects', {})
    const second = client.request('create-project', { name: 'x' })
    const [one, two] = socket().sent
    expect(two).toMatchObject({ type: 'create-project', name: 'x' })
    socket().say({ type: 'reply', id: two?.id, ok: true, result: { project: 'P' } })
    socket().say({ type: 'reply', id: one?.id, ok: true, result: { projects: [] } })
    expect(await first).toEqual({ projects: [] })
    expect(await second).toEqual({ project: 'P' })
  })

  it('hands on what the agent refuses', async () => {
    socket().say(hello)
    const request = client.request('open-project', { projectId: 'x' })
    socket().say({
      type: 'reply',
      id: socket().sent[0]?.id,
      ok: false,
      error: { code: 'NOT_FOUND', kind: 'user', message: 'No x', context: {} },
    })
    await expect(request).rejects.toMatchObject({ name: 'RequestError', message: 'No x', error: { code: 'NOT_FOUND' } })
  })

  it('fails what waits when the connection is lost, and what is asked before the greeting', async () => {
    await expect(client.request('list-projects', {})).rejects.toBeInstanceOf(RequestError)
    socket().say(hello)
    const request = client.request('list-projects', {})
    socket().close(1006)
    await expect(request).rejects.toMatchObject({ error: { code: 'CONNECTION_LOST' } })
  })

  it('tries again after a growing pause, and says when', async () => {
    socket().close(1006)
    expect(statuses.at(-1)).toEqual({ status: 'lost', retryAt: 1_500 })
    await clock.advance(499)
    expect(sockets).toHaveLength(1)
    await clock.advance(1)
    expect(sockets).toHaveLength(2)
    socket().close(1006)
    expect(statuses.at(-1)).toEqual({ status: 'lost', retryAt: 2_500 })
  })

  it('starts the pauses over once it was greeted', async () => {
    socket().close(1006)
    await clock.advance(500)
    socket().say(hello)
    socket().close(1006)
    expect(statuses.at(-1)).toMatchObject({ retryAt: 1_500 + 500 })
  })

  it('tries at once when asked', () => {
    socket().close(1006)
    client.retryNow()
    expect(sockets).toHaveLength(2)
    client.retryNow()
    expect(sockets).toHaveLength(2)
  })

  it('closes to an agent of another version and does not come back', async () => {
    socket().say({ ...hello, protocol: PROTOCOL_VERSION + 1 })
    expect(socket().closed).toEqual([CLOSE_REASONS.versionMismatch])
    expect(statuses.at(-1)).toMatchObject({ status: 'refused', reloadMends: true })
    await clock.advance(60_000)
    expect(sockets).toHaveLength(1)
  })

  it('does not come back without a key, which loading the page again would not bring', () => {
    socket().close(CLOSE_REASONS.tokenRefused)
    expect(statuses.at(-1)).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('no key'),
      reloadMends: false,
    })
  })

  it('stays away once it is stopped', async () => {
    socket().say(hello)
    client.stop()
    await clock.advance(60_000)
    expect(sockets).toHaveLength(1)
  })
})

describe('retryDelayMs', () => {
  it('doubles from half a second up to fifteen', () => {
    expect([1, 2, 3, 5, 6, 50].map(retryDelayMs)).toEqual([500, 1_000, 2_000, 8_000, 15_000, 15_000])
  })
})
