import { access, constants, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StreamError } from '@lanescope/core'

/** What LevelDB's adapter throws: a code of its own, the reason in `cause`. */
interface LevelError {
  readonly code?: string
  readonly message?: string
  readonly cause?: LevelError
}

/** Bytes on disk are not what was written (E11): a checksum is wrong, a page is missing, a head cannot be read. */
export function corrupt(folder: string, what: string, store?: string, cause?: unknown): StreamError {
  return new StreamError(
    `The state in ${folder} is damaged: ${what}. It is rebuilt from the changelogs at the next start or restart; ` +
      'check the disk if it happens again.',
    {
      code: 'STATE_CORRUPT',
      kind: 'operational',
      retriable: true,
      ...(store === undefined ? {} : { context: { store } }),
      cause,
    },
  )
}

/** What a failure of the database means. */
export function diskError(folder: string, doing: string, error: unknown): StreamError {
  if (error instanceof StreamError) return error
  const root = rootOf(error as LevelError)
  if (root.code === 'LEVEL_LOCKED') return locked(folder, error)
  if (root.code === 'LEVEL_CORRUPTION' || CUT_OFF.test(root.message ?? ''))
    return corrupt(folder, root.message ?? 'LevelDB cannot read it', undefined, error)
  return new StreamError(
    `${doing} the state in ${folder} failed: ${root.message ?? String(error)}. ${adviceOn(root.message ?? '')}`,
    { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true, cause: error },
  )
}

/** What LevelDB says when one of its files is shorter than it was. */
const CUT_OFF = /\.(ldb|sst): Invalid argument/

/**
 * What LevelDB says when its head names a file that is not there. Of its lock, which it makes itself, it says so where it
 * has no folder to make it in.
 */
const LOST_FILE = /^IO error: .*[/\\](?!LOCK:)[^/\\]*: No such file or directory$/

/** What a write was to bring to the disk. */
export interface WriteFacts {
  /** With keys and checksums; LevelDB needs about as much again to merge it with what is there. */
  readonly bytes: number
  readonly stores: readonly string[]
}

const FULL = /No space left on device|ENOSPC|not enough space|[Qq]uota/
const REFUSED = /[Rr]ead-only file system|[Pp]ermission denied|EROFS|EACCES/
const GONE = /No such file or directory|ENOENT/
const IN_THE_WAY = /EEXIST|ENOTDIR|[Nn]ot a directory/

/**
 * What a failed write means: which folder, what was to be written, and what to do. Nothing is lost with it, because the
 * changelogs have what was committed.
 */
export async function writeError(folder: string, error: unknown, { bytes, stores }: WriteFacts): Promise<StreamError> {
  const root = rootOf(error as LevelError)
  if (error instanceof StreamError || root.code === 'LEVEL_LOCKED' || root.code === 'LEVEL_CORRUPTION') {
    return diskError(folder, 'Writing', error)
  }
  const reason = root.message ?? String(error)
  const [store] = stores
  const of = stores.length === 0 ? '' : ` of ${namesOf(stores)}`
  return new StreamError(
    `Writing ${bytes} bytes${of} to the state in ${folder} failed: ${reason}.${await freeText(folder)} ${adviceOn(reason)} ` +
      'What was committed is in the changelogs, and nothing of it is lost: the next start or restart brings the state to it.',
    {
      code: 'STATE_UNAVAILABLE',
      kind: 'operational',
      retriable: true,
      ...(store === undefined ? {} : { context: { store } }),
      cause: error,
    },
  )
}

/**
 * After a write that failed, until what is there has been read again.
 *
 * @param cause what the write failed with
 */
export function notReadAgain(folder: string, cause: unknown): StreamError {
  const reason = rootOf(cause as LevelError).message ?? String(cause)
  return new StreamError(
    `The state in ${folder} is not read before a restart opens it again, because a write has failed: ${reason}. ${adviceOn(reason)}`,
    { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true, cause },
  )
}

/** What keeps a folder from being opened. */
export async function openError(folder: string, error: unknown): Promise<StreamError> {
  const told = diskError(folder, 'Opening', error)
  if (told.code !== 'STATE_UNAVAILABLE') return told
  // Of a file system that is read only, making a folder says that there is no such folder.
  const refused = await whyUnwritable(folder)
  if (refused !== undefined) return diskError(folder, 'Opening', refused)
  const { message = '', code } = rootOf(error as LevelError)
  if (LOST_FILE.test(message)) return corrupt(folder, message, undefined, error)
  if (code !== 'ENOENT') return told
  return new StreamError(
    `Opening the state in ${folder} failed: ${message}. There can be no new folder there: give state.dir another one.`,
    { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true, cause: error },
  )
}

async function whyUnwritable(folder: string): Promise<Error | undefined> {
  for (let dir = resolve(folder); ; dir = dirname(dir)) {
    try {
      await access(dir, constants.W_OK)
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT') return error as Error
      if (dir === dirname(dir)) return undefined
    }
  }
}

function namesOf(stores: readonly string[]): string {
  const [first, ...others] = stores
  if (others.length === 0) return `"${first}"`
  return `"${first}" and ${others.length} other ${others.length === 1 ? 'store' : 'stores'}`
}

function adviceOn(reason: string): string {
  if (FULL.test(reason)) return 'Make room on that disk, or give state.dir a folder on a larger one.'
  if (REFUSED.test(reason)) return 'Let this process write there, or give state.dir a folder that it may write to.'
  if (IN_THE_WAY.test(reason)) return 'Something that is no folder is in its way: give state.dir the path of a folder.'
  if (GONE.test(reason)) return 'Has the folder been deleted? Leave it alone while the application runs.'
  return 'Make sure that the folder can be written and its disk has room.'
}

async function freeText(folder: string): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return ` ${bavail * bsize} bytes are free there.`
  } catch {
    // The folder may be what is missing; then the reason says so.
    return ''
  }
}

export function isCorrupt(error: unknown): boolean {
  return error instanceof StreamError && error.code === 'STATE_CORRUPT'
}

function locked(folder: string, cause: unknown): StreamError {
  return new StreamError(
    `Another process has the state in ${folder} open. Stop it first, or give this application another state.dir.`,
    { code: 'STATE_LOCKED', kind: 'operational', retriable: true, cause },
  )
}

function rootOf(error: LevelError): LevelError {
  let root = error
  while (root.cause !== undefined && root.cause !== null) root = root.cause
  return root
}
