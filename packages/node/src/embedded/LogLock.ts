import { createHash, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StreamError } from '@lanescope/core'
import { describeProcess, isAlive, type ProcessIdentity } from './ProcessIdentity.js'

const NAME = 'lock'
/** Each try ends with the lock taken, refused, or a dead holder's lock removed: others that take over at the same moment use up some. */
const TRIES = 200

/** The right to write a folder's log, held by one process at a time; a process that died holds nothing. */
export class LogLock {
  private constructor(
    private readonly path: string,
    private readonly content: string,
  ) {}

  /** @throws StreamError LOG_LOCKED when a living process holds it */
  static async take(dir: string): Promise<LogLock> {
    const path = join(dir, NAME)
    const content = JSON.stringify({ ...(await describeProcess(process.pid)), id: randomUUID() })
    // Linked into place, so that nobody sees it half written.
    const draft = join(dir, `lock-${randomUUID()}`)
    await writeFile(draft, content, { mode: 0o600 })
    try {
      for (let tries = 0; tries < TRIES; tries++) {
        if (await linkNew(draft, path)) return new LogLock(path, content)
        await removeIfDead(path, dir, draft)
      }
    } finally {
      await rm(draft, { force: true })
    }
    throw locked(dir, 'another process that is starting')
  }

  /** Gives the folder free; a lock that another process has taken since is left alone. */
  async release(): Promise<void> {
    if ((await readLock(this.path)) === this.content) await rm(this.path, { force: true })
  }
}

/** Who holds a folder's log, as `process 4711`; undefined when nobody alive does. */
export async function holderOf(dir: string): Promise<string | undefined> {
  const holder = parse(await readLock(join(dir, NAME)))
  return holder !== undefined && (await isAlive(holder)) ? nameOf(holder) : undefined
}

async function linkNew(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Only who has claimed that very lock may remove it: of two processes that find the same dead holder, the slower one
 * must not remove the lock that the faster one has taken since.
 *
 * @throws StreamError LOG_LOCKED when the holder lives
 */
async function removeIfDead(path: string, dir: string, draft: string): Promise<void> {
  const content = await readLock(path)
  if (content === undefined) return
  const holder = parse(content)
  if (holder !== undefined && (await isAlive(holder))) throw locked(dir, nameOf(holder))
  const claim = join(dir, `lock-dead-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`)
  if (!(await linkNew(draft, claim))) {
    const claimant = parse(await readLock(claim))
    if (claimant !== undefined && !(await isAlive(claimant))) await rm(claim, { force: true })
    return
  }
  try {
    if ((await readLock(path)) === content) await rm(path, { force: true })
  } finally {
    await rm(claim, { force: true })
  }
}

async function readLock(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A lock that says nothing legible has no living holder: its writer died. */
function parse(content: string | undefined): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(content ?? 'null')
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined
    return { pid: value.pid, started: 'started' in value && typeof value.started === 'string' ? value.started : '' }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function nameOf({ pid }: ProcessIdentity): string {
  return pid === process.pid ? `this process (${pid})` : `process ${pid}`
}

function locked(dir: string, holder: string): StreamError {
  return new StreamError(
    `The embedded log in "${dir}" is used by ${holder}, and takes one writer: stop that one, or set embedded.log.dir to another folder`,
    { code: 'LOG_LOCKED', kind: 'operational', retriable: true },
  )
}
