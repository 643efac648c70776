import { writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { CLOSE_REASONS, PROTOCOL_VERSION } from '@lanescope/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestAgent } from '../../test/TestAgent.js'
import { TestPage } from '../../test/TestPage.js'

let agent: TestAgent
let port: number

beforeAll(async () => {
  agent = await TestAgent.start()
  port = Number(new URL(agent.url).port)
  const web = (path: string, text: string) => writeFile(join(agent.folder, 'web', path), text)
  await web('assets/index-Ab3_-x9Z.js', 'export {}')
  await web('assets/simulation-worker-Ab3_-x9Z.js', 'export {}')
  await web('assets/analysis-worker-Ab3_-x9Z.js', 'export {}')
  await web('assets/code-worker-Ab3_-x9Z.js', 'export {}')
  await web('notes.exe', 'no type that is served')
  await writeFile(join(agent.folder, 'secret.txt'), 'secret')
})

afterAll(() => agent.close())

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends the path as it is: `fetch` would tidy it up. */
function get(path: string, headers: { [name: string]: string } = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('the page', () => {
  it('is served with a policy that lets in nothing from elsewhere', async () => {
    const { status, headers, text } = await get('/')
    expect(status).toBe(200)
    expect(text).toContain('<title>Lanescope')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('is asked for anew each time, and sent only when it has changed', async () => {
    const first = await get('/')
    expect(first.headers['cache-control']).toBe('no-cache')
    const again = await get('/', { 'if-none-match': String(first.headers.etag) })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('may keep what is named by its content for ever', async () => {
    const { headers } = await get('/assets/index-Ab3_-x9Z.js')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
  })

  it('answers HEAD without the text', async () => {
    const { status, headers, text } = await get('/', {}, 'HEAD')
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(Number(headers['content-length'])).toBeGreaterThan(0)
  })

  it.each(['simulation', 'analysis'])('runs user code in its %s worker, which reaches nothing', async (name) => {
    const { headers } = await get(`/assets/${name}-worker-Ab3_-x9Z.js`)
    expect(headers['content-security-policy']).toBe("default-src 'none'; script-src 'self' blob:; connect-src 'none'")
  })

  it('lets the language service fetch its own files and run nothing else', async () => {
    const { headers } = await get('/assets/code-worker-Ab3_-x9Z.js')
    expect(headers['content-security-policy']).toBe("default-src 'none'; script-src 'self'; connect-src 'self'")
  })
})

describe('what is not served', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//etc/passwd',
    '/./index.html',
    '/%',
    '/index.html%00.js',
    '/notes.exe',
    '/assets',
    '/nothing.js',
  ])('is %s', async (path) => {
    const { status, text } = await get(path)
    expect(status).toBe(404)
    expect(text).not.toContain('secret')
  })

  it('is anything but GET and HEAD', async () => {
    expect((await get('/', {}, 'POST')).status).toBe(405)
  })

  it('is anything asked for under a foreign name, or from a foreign page', async () => {
    expect((await get('/', { host: 'evil.example' })).status).toBe(403)
    expect((await get('/api/health', { host: `evil.example:${port}` })).status).toBe(403)
    expect((await get('/api/health', { origin: 'http://evil.example' })).status).toBe(403)
    expect((await get('/api/health')).text).toBe('{"status":"ok"}')
    expect((await get('/api/health', { host: `localhost:${port}` })).status).toBe(200)
  })

  it('is an export without the key, or one of no project', async () => {
    const token = new URLSearchParams(new URL(agent.url).hash.slice(1)).get('token')
    expect((await get('/api/export/one.zip')).status).toBe(403)
    expect((await get('/api/export/one.zip?token=wrong')).status).toBe(403)
    expect((await get(`/api/export/nothing.zip?token=${token}`)).status).toBe(404)
    expect((await get(`/api/export/..%2f..%2fetc.zip?token=${token}`)).status).toBe(404)
  })
})

describe('the WebSocket', () => {
  it('says hello first', async () => {
    const page = await TestPage.open(agent.url)
    expect(page.messages[0]).toEqual({
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      version: '0.0.0',
      log: { kind: 'embedded' },
      projectsFolder: join(agent.folder, 'projects'),
    })
    page.close()
  })

  it('closes at once on a page without the key, and tells it why', async () => {
    const page = new TestPage(agent.url, { token: 'wrong' })
    expect((await page.closed).code).toBe(CLOSE_REASONS.tokenRefused)
    expect(page.messages).toEqual([])
  })

  it('is not opened for a foreign page, nor elsewhere', async () => {
    await expect(new TestPage(agent.url, { origin: 'http://evil.example' }).closed).rejects.toThrow('403')
    await expect(new TestPage(agent.url, { path: '/other' }).closed).rejects.toThrow('404')
  })

  it.each([['no JSON'], ['{"type":"list-projects"}'], ['[1]'], [new Uint8Array([1, 2, 3])]])(
    'closes with code 4002 on %j, which cannot even be answered',
    async (message) => {
      const page = await TestPage.open(agent.url)
      page.send(message)
      expect((await page.closed).code).toBe(CLOSE_REASONS.badMessage)
    },
  )

  it('answers a request that is wrong but has an id, and goes on', async () => {
    const page = await TestPage.open(agent.url)
    page.send({ id: 900, type: 'open-project' })
    page.send({ id: 901, type: 'what-is-this' })
    await page.until(() => page.messages.length === 3)
    expect(page.messages.slice(1)).toMatchObject([
      { type: 'reply', id: 900, ok: false, error: { code: 'BAD_REQUEST' } },
      { type: 'reply', id: 901, ok: false, error: { code: 'BAD_REQUEST' } },
    ])
    expect(await page.ask('list-projects', {})).toEqual({ projects: [] })
    page.close()
  })

  it('answers each request once, and tells every page of a change', async () => {
    const [one, other] = [await TestPage.open(agent.url), await TestPage.open(agent.url)]
    const { project } = await one.ask('create-project', { name: 'shared' })
    const [saved, clash] = await Promise.all([
      one.ask('save-project', { projectId: 'shared', baseRevision: project.revision, config: { 'lanes.count': 4 } }),
      other.refusal('save-project', { projectId: 'shared', baseRevision: project.revision - 1, config: {} }),
    ])
    expect(clash.code).toBe('CONFLICT')
    await other.until(() => other.messages.some(({ type }) => type === 'project-changed'))
    expect(other.messages.filter(({ type }) => type === 'project-changed')).toEqual([
      { type: 'project-changed', projectId: 'shared', revision: saved.revision, by: 'page' },
    ])
    expect((await other.ask('open-project', { projectId: 'shared' })).project.config).toEqual({ 'lanes.count': 4 })
    expect((await other.refusal('open-project', { projectId: '../shared' })).code).toBe('PATH_INVALID')
    one.close()
    other.close()
  })
})

describe('the port', () => {
  it('in use is told in one line that says what to do', async () => {
    await expect(TestAgent.start({ port })).rejects.toThrow(`Port ${port} is in use; --port 0 takes any free one`)
  })
})
