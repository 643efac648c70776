import { StreamError } from '../errors/index.js'
import type { RecordCoordinates } from '../model/Record.js'
import { itemText, keyOf } from './inspection/takeSnapshot.js'
import type { TopologyRunner } from './TopologyRunner.js'

/** What ended a run, as a StreamError whatever it was. */
export function asStreamError(error: unknown): StreamError {
  if (error instanceof StreamError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new StreamError(message, { code: 'ILLEGAL_STATE', kind: 'bug', retriable: false, cause: error })
}

/** E8: names the callback that a cut waits for. */
export function cutTimedOut(runner: TopologyRunner): StreamError {
  const timeout = runner.config['epoch.cut-timeout-ms']
  const busy = runner.lanes.filter((candidate) => candidate.current !== undefined)
  const [lane] = busy.sort((a, b) => a.pendingSince - b.pendingSince)
  const item = lane?.current
  const key = item === undefined ? undefined : keyOf(item)
  runner.blame(item)
  return new StreamError(
    `A callback has not settled for ${timeout} ms, so the epoch cannot be committed: ` +
      `${item === undefined ? 'unknown' : `${itemText(item)} at "${item.at.name}"${where(item.coordinates)}`}, lane ${lane?.index ?? '?'}. ` +
      'Find what it awaits, or raise epoch.cut-timeout-ms.',
    {
      code: 'PROCESSING_FAILED',
      kind: 'user',
      retriable: true,
      context: {
        ...(item === undefined ? {} : { node: item.at.name, ...(item.coordinates ?? {}) }),
        ...(key === undefined ? {} : { key }),
        ...(lane === undefined ? {} : { lane: lane.index }),
      },
    },
  )
}

function where(at: RecordCoordinates | null): string {
  return at === null ? '' : `, ${at.topic}-${at.partition} @ ${at.offset}`
}

/** E14. */
export function shutdownTimedOut(timeoutMs: number): StreamError {
  return new StreamError(
    `What was in flight has not settled within shutdown.timeout-ms, ${timeoutMs} ms; the last epoch is aborted. ` +
      'Find what a callback or the log waits for, or raise shutdown.timeout-ms.',
    { code: 'PROCESSING_FAILED', kind: 'user', retriable: true },
  )
}

export function noSuchStore(name: string): StreamError {
  return new StreamError(`There is no store "${name}" in this topology.`, {
    code: 'STORE_INVALID',
    kind: 'user',
    retriable: false,
    context: { store: name },
  })
}
