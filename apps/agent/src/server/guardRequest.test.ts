import { describe, expect, it } from 'vitest'
import { guardRequest } from './guardRequest.js'

describe('who may speak with the agent', () => {
  it.each(['127.0.0.1:4747', 'localhost:4747', 'LOCALHOST:4747'])('lets pages of %s pass', (host) => {
    expect(guardRequest({ host, origin: `http://${host}` }, 4747, true)).toBe('pass')
  })

  it.each([
    'evil.example:4747',
    '127.0.0.1',
    '127.0.0.1:4748',
    'localhost.evil.example:4747',
    '0.0.0.0:4747',
    undefined,
  ])('turns away the host %s, as a rebound name would send it', (host) => {
    expect(guardRequest(host === undefined ? {} : { host }, 4747, false)).toBe('foreign-host')
  })

  it.each(['http://evil.example', 'null', 'https://127.0.0.1:4747', 'http://127.0.0.1:80', 'http://localhost:4747'])(
    'turns away the origin %s',
    (origin) => {
      expect(guardRequest({ host: '127.0.0.1:4747', origin }, 4747, false)).toBe('foreign-origin')
    },
  )

  it('asks a WebSocket for its origin, and not a plain page request, which carries none', () => {
    expect(guardRequest({ host: 'localhost:1' }, 1, false)).toBe('pass')
    expect(guardRequest({ host: 'localhost:1' }, 1, true)).toBe('foreign-origin')
  })
})
