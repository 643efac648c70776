import type { IncomingHttpHeaders } from 'node:http'

/** Why a request is turned away before anything looks at it. */
export type Guarded = 'pass' | 'foreign-host' | 'foreign-origin'

/**
 * Whether a request comes from a page of this agent. A page that reached us through a name of its own
 * (DNS rebinding) carries that name in `Host`; another site's page carries its own `Origin`.
 */
export function guardRequest(headers: IncomingHttpHeaders, port: number, needsOrigin: boolean): Guarded {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (headers.host === undefined || !hosts.includes(headers.host.toLowerCase())) return 'foreign-host'
  const origin = headers.origin
  if (origin === undefined) return needsOrigin ? 'foreign-origin' : 'pass'
  return origin.toLowerCase() === `http://${headers.host.toLowerCase()}` ? 'pass' : 'foreign-origin'
}
