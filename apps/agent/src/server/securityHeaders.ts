const PAGE = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Workers that run users' code: as blob modules, and with no way out. */
const CODE_RUNNER = "default-src 'none'; script-src 'self' blob:; connect-src 'none'"

/** The worker of the language service fetches its own library files and runs nothing of the user's. */
const LANGUAGE_SERVICE = "default-src 'none'; script-src 'self'; connect-src 'self'"

/** The policy of one file, by its name: a worker has the policy that its own script was served with. */
export function contentSecurityPolicy(fileName: string): string {
  if (/^(simulation|analysis)-worker\b/.test(fileName)) return CODE_RUNNER
  if (/^code-worker\b/.test(fileName)) return LANGUAGE_SERVICE
  return PAGE
}

/** Headers of every answer. */
export const BASE_HEADERS: Readonly<{ [name: string]: string }> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
}
