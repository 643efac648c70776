import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, extname, join } from 'node:path'
import { contentSecurityPolicy } from './securityHeaders.js'

const TYPES: Readonly<{ [extension: string]: string }> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** Vite names what it builds by a hash of its content, so that such a file never changes. */
const HASHED = /^assets\/.*-[A-Za-z0-9_-]{8}\.[a-z0-9]+$/

/**
 * The file that a URL path names, relative to the web folder; undefined when it names none that may be served.
 * Every segment must be an ordinary name, so that nothing leads out of the folder.
 */
export function toFilePath(urlPath: string): string | undefined {
  if (urlPath === '/') return 'index.html'
  let decoded: string
  try {
    decoded = decodeURIComponent(urlPath)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
  const segments = decoded.slice(1).split('/')
  return segments.every((segment) => /^[A-Za-z0-9_@][A-Za-z0-9_@.+-]*$/.test(segment)) ? segments.join('/') : undefined
}

/** Answers with a file of the built page. @returns whether there was such a file */
export async function serveStatic(
  folder: string,
  urlPath: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = toFilePath(urlPath)
  const type = path === undefined ? undefined : TYPES[extname(path).toLowerCase()]
  if (path === undefined || type === undefined) return false
  const content = await readIfThere(join(folder, path))
  if (content === undefined) return false
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Security-Policy', contentSecurityPolicy(basename(path)))
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end()
    return true
  }
  response.writeHead(200, { 'Content-Length': content.length })
  response.end(request.method === 'HEAD' ? undefined : content)
  return true
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined
    throw error
  }
}
