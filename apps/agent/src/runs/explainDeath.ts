import type { WireError } from '@lanescope/shared'
import type { RunLimits } from '../config/limits.js'
import type { StallReport } from './childProtocol.js'

export interface Death {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** What the agent killed it for, if it did. */
  readonly killedFor: 'unresponsive' | 'too-much-memory' | 'stop' | undefined
  /** Whether the agent itself was ending. */
  readonly withAgent: boolean
  /** How long it was allowed to be silent. */
  readonly patienceMs: number
  readonly stall: StallReport | undefined
  /** The end of what it wrote to stderr. */
  readonly stderr: string
}

/** Why a run's process ended without having said so itself. */
export function explainDeath(death: Death, limits: RunLimits): WireError {
  const { killedFor, stall, stderr } = death
  if (killedFor === 'unresponsive') {
    return {
      code: 'RUN_UNRESPONSIVE',
      kind: 'user',
      message: `The run did nothing else for ${death.patienceMs / 1000} s and was ended: an endless loop in a callback is likely.${where(stall)}`,
      context: stall === undefined ? {} : { ...stall },
    }
  }
  if (killedFor === 'too-much-memory') {
    return memory(`The run took more than ${limits.residentMb} MB and was ended.${where(stall)}`)
  }
  if (killedFor === 'stop') {
    return {
      code: 'RUN_UNRESPONSIVE',
      kind: 'user',
      message: `The run did not stop within ${limits.stopMs / 1000} s and was ended: a callback never settles, perhaps.`,
      context: {},
    }
  }
  if (/heap out of memory|Reached heap limit/i.test(stderr)) {
    return memory(
      `The run used up its heap of ${limits.heapMb} MB and ended: a store or a collection in the code grows without end, perhaps.`,
    )
  }
  const last = stderr.trim().split('\n').slice(-6).join('\n')
  return {
    code: 'RUN_CRASHED',
    kind: 'user',
    message: `${manner(death)}${last === '' ? '' : ` Its last words:\n${last}`}`,
    context: {},
  }
}

/** No process sends itself one of these. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | null> = new Set<NodeJS.Signals>([
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGKILL',
])

function manner({ code, signal, withAgent }: Death): string {
  const how = signal === null ? `exit code ${code ?? '?'}` : `signal ${signal}`
  if (!FROM_OUTSIDE.has(signal)) return `The run's process ended by itself (${how}).`
  if (withAgent) return `The run was ended with its agent (${how}). The next run goes on from the last epoch.`
  const byWhom =
    signal === 'SIGKILL' ? 'by hand, or by the system for want of memory' : 'by hand, or by another program'
  return `The run's process was ended from outside (${how}): ${byWhom}.`
}

function where(stall: StallReport | undefined): string {
  if (stall === undefined) return ''
  return ` The last record went to "${stall.node}" on lane ${stall.lane}, with key ${stall.key}.`
}

function memory(message: string): WireError {
  return { code: 'RUN_OUT_OF_MEMORY', kind: 'user', message, context: {} }
}
