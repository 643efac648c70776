import { type Clock, StreamError } from '@lanescope/core'
import type { TokenRequest } from '../config/securityConfig.js'

/** A token that is over so soon is not used for another connection. */
const SPARE_MS = 30_000
/** Less than the broker is given, so that it is not blamed. */
const ANSWER_MS = 4_000
/** Of a token that does not say how long it holds. */
const ASSUMED_MS = 60_000

/** Tokens for OAUTHBEARER from an OAuth 2 token endpoint, by client credentials; one for all connections while it holds. */
export class TokenSource {
  #token: { readonly value: string; readonly freshUntil: number } | undefined

  constructor(
    private readonly request: TokenRequest,
    private readonly clock: Clock,
  ) {}

  /** @throws StreamError LOG_UNAVAILABLE naming the endpoint, and nothing that is secret */
  async token(): Promise<string> {
    const now = this.clock.monotonic()
    if (this.#token !== undefined && now < this.#token.freshUntil) return this.#token.value
    const { value, holdsMs } = await this.#fetch()
    this.#token = { value, freshUntil: now + Math.max(0, holdsMs - SPARE_MS) }
    return value
  }

  async #fetch(): Promise<{ readonly value: string; readonly holdsMs: number }> {
    const { url, clientId, clientSecret, scope } = this.request
    const login = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
    let response: Response
    let body: { readonly [name: string]: unknown }
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Basic ${login}`, accept: 'application/json' },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      body = objectOf(await response.text())
    } catch (error) {
      const { cause, message } = error as Error
      throw this.#failed(`does not answer (${cause instanceof Error ? cause.message : message})`, true)
    }
    if (!response.ok) {
      const named = typeof body.error === 'string' ? ` (${body.error})` : ''
      const fix = response.status < 500 ? ': check client id, client secret and scope' : ''
      throw this.#failed(`answered ${response.status}${named}${fix}`, response.status >= 500)
    }
    const { access_token: value, expires_in: seconds } = body
    if (typeof value !== 'string' || value === '') throw this.#failed('answered without an access_token', false)
    return { value, holdsMs: typeof seconds === 'number' ? seconds * 1000 : ASSUMED_MS }
  }

  #failed(what: string, retriable: boolean): StreamError {
    const { origin, pathname } = new URL(this.request.url)
    return new StreamError(`The token endpoint ${origin}${pathname} ${what}`, {
      code: 'LOG_UNAVAILABLE',
      kind: 'operational',
      retriable,
    })
  }
}

/** What cannot be read as an object has no fields. */
function objectOf(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
