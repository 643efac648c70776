import { StreamError, TimerLaneAffinityException, toHex } from '@lanescope/core'
import type { WireError } from '@lanescope/shared'
import { AgentError } from './AgentError.js'
import { RunFailure } from './runs/RunFailure.js'

/** An error as the page gets it: code, kind, message and context, never the stack. */
export function toWireError(error: unknown): WireError {
  if (error instanceof TimerLaneAffinityException) {
    const { recordBytes, timerBytes, ...split } = error.split
    return {
      ...partsOf(error),
      split: { ...split, recordBytes: toHex(recordBytes), timerBytes: toHex(timerBytes) },
    }
  }
  if (error instanceof RunFailure) return error.error
  if (error instanceof StreamError || error instanceof AgentError) return partsOf(error)
  const message = error instanceof Error ? error.message : String(error)
  // What the system says of a file or folder names it, and is for whoever runs this machine to mend.
  if (error instanceof Error && 'syscall' in error && 'path' in error) {
    return { code: 'FILE_SYSTEM', kind: 'operational', message, context: { path: error.path } }
  }
  return { code: 'INTERNAL', kind: 'bug', message, context: {} }
}

function partsOf(error: StreamError | AgentError): WireError {
  return { code: error.code, kind: error.kind, message: error.message, context: { ...error.context } }
}
