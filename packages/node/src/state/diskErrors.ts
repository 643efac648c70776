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
  if (root.code === 'LEVEL_CORRUPTION')
    return corrupt(folder, root.message ?? 'LevelDB cannot read it', undefined, error)
  return new StreamError(
    `${doing} the state in ${folder} failed: ${root.message ?? String(error)}. Make sure that the folder can be written ` +
      'and its disk has room.',
    { code: 'STATE_UNAVAILABLE', kind: 'operational', retriable: true, cause: error },
  )
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
