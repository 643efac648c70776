import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { relayCode, relayDocument, writeProject } from '../test/projects.js'
import { MAIN } from '../test/TestAgent.js'
import { TestPage } from '../test/TestPage.js'

let folder: string
let started: ChildProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-main-'))
  started = []
})

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function agent(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const line = stdout.endsWith('\n') ? stdout.trimEnd().split('\n').at(-1) : undefined
      const found = line === undefined ? null : /^Lanescope is at (http:\S+)$/.exec(line)
      if (found?.[1]) resolve(found[1])
    })
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  url.catch(() => undefined)
  return { child, ended, url }
}

/** Whether a process lives; one that has ended, and whose parent has not asked for its exit code, does not (Linux). */
async function lives(pid: number): Promise<boolean> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    return !/^State:\s*Z/m.test(status)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

async function startRun(url: string, body: string) {
  await writeProject(join(folder, 'projects', 'one'), relayDocument('one'), { 'relay.ts': relayCode(body) })
  const page = await TestPage.open(url)
  await page.ask('start-run', { projectId: 'one', overrides: {}, generators: false })
  return page
}

describe('the command', () => {
  it('lists its flags and ends', async () => {
    const { code, stdout } = await agent('--help').ended
    expect(code).toBe(0)
    expect(stdout).toContain('--bootstrap-servers LIST')
  })

  it('refuses an unknown flag in one line, with exit code 2', async () => {
    expect(await agent('--prot', '1').ended).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown flag "--prot"; --help lists the flags\n',
    })
  })

  it('refuses a port in use in one line, with exit code 1', async () => {
    const url = await agent('--port', '0', '--no-open').url
    const { port } = new URL(url)
    expect(await agent('--port', port, '--no-open').ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `Port ${port} is in use; --port 0 takes any free one\n`,
    })
  })

  it('refuses a folder that it cannot write in one line, with exit code 1', async () => {
    const file = join(folder, 'taken')
    await writeFile(file, '')
    const { code, stdout, stderr } = await agent('--port', '0', '--no-open', '--dir', join(file, 'projects')).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^Projects cannot be kept in .*projects \(E[A-Z]+\); --dir takes another folder\n$/)
  })

  it('says a word when it ends without a run', async () => {
    const { child, ended, url } = agent('--port', '0', '--no-open')
    await url
    child.kill('SIGINT')
    expect((await ended).stdout).toMatch(/\nLanescope has ended\. Bye\.\n$/)
  })

  it('says in one line that Kafka does not answer, and goes on', async () => {
    const { child, ended, url } = agent('--port', '0', '--no-open', '--bootstrap-servers', 'localhost:9')
    const told = new Promise<string>((resolve) => child.stderr.once('data', (chunk) => resolve(String(chunk))))
    await url
    expect(await told).toMatch(/^Kafka at localhost:9 cannot be used just now, and runs will fail until it can: .+\n$/)
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
  })

  // The system's list of a process's children.
  const onLinux = it.runIf(process.platform === 'linux')

  onLinux.each(['SIGINT', 'SIGTERM'] as const)('ends on %s, with the run that it hosts', async (signal) => {
    const { child, ended, url } = agent('--port', '0', '--no-open')
    const page = await startRun(await url, '')
    const [run] = await childrenOf(child.pid!)
    expect(await lives(run!)).toBe(true)
    child.kill(signal)
    const { code, stdout } = await ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/\nStopped 1 run\. Bye\.\n$/)
    expect(await lives(run!)).toBe(false)
    expect((await page.closed).code).toBe(1001)
  })

  onLinux('lets the run stop as asked when a signal takes its whole group', async () => {
    const { child, ended, url } = agent('--port', '0', '--no-open')
    const page = await startRun(await url, '')
    const [run] = await childrenOf(child.pid!)
    process.kill(run!, 'SIGTERM')
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    await page.closed
    const told = page.messages.filter((message) => message.type === 'run-state').at(-1)
    expect(told?.run).toMatchObject({ state: 'stopped', error: null })
  })

  onLinux.each([
    ['that works', ''],
    ['that hangs in an endless loop', 'for (;;);'],
  ])('leaves no run behind %s, even when it is killed', async (_what, body) => {
    const { child, url } = agent('--port', '0', '--no-open')
    const page = await startRun(await url, body)
    await page.ask('produce', { projectId: 'one', topic: 'in', partition: 0, key: null, value: '61', timestamp: 1 })
    const [run] = await childrenOf(child.pid!)
    child.kill('SIGKILL')
    await vi.waitFor(async () => expect(await lives(run!)).toBe(false), { timeout: 50_000, interval: 20 })
  })
})

describe('an export', () => {
  it('holds what people wrote, what is generated, and our packages, each named as a file', async () => {
    const url = await agent('--port', '0', '--no-open').url
    await writeProject(join(folder, 'projects', 'one'), relayDocument('one'), { 'relay.ts': relayCode('') })
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')
    const response = await fetch(new URL(`/api/export/one.zip?token=${token}`, url))
    expect(response.headers.get('content-type')).toBe('application/zip')
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const text = (path: string) => new TextDecoder().decode(files[`one/${path}`])
    expect(text('src/relay.ts')).toBe(relayCode(''))
    expect(text('src/topology.ts')).toContain('export function build()')
    const { dependencies } = JSON.parse(text('package.json')) as { dependencies: { [name: string]: string } }
    expect(Object.keys(dependencies).sort()).toEqual(['@lanescope/core', '@lanescope/node'])
    for (const specifier of Object.values(dependencies)) {
      expect(specifier).toMatch(/^file:vendor\/.*\.tgz$/)
      // A gzip file begins with these two bytes.
      expect([...(files[`one/${specifier.slice('file:'.length)}`] ?? [])].slice(0, 2)).toEqual([0x1f, 0x8b])
    }
  })

  it('of an unfinished drawing is refused with what is missing', async () => {
    const url = await agent('--port', '0', '--no-open').url
    await writeProject(
      join(folder, 'projects', 'one'),
      { ...relayDocument('one'), edges: [] },
      { 'relay.ts': relayCode('') },
    )
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token')
    const response = await fetch(new URL(`/api/export/one.zip?token=${token}`, url))
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Nothing leads into "relay"')
  })
})
