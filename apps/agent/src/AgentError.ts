import type { WireError } from '@lanescope/shared'

/** What the agent itself refuses, by a code that the page may act on. Permanent, as the engine's codes are. */
export type AgentErrorCode =
  | 'BAD_REQUEST'
  | 'CONFLICT'
  | 'DOCUMENT_INVALID'
  | 'EXPORT_FAILED'
  | 'FOLDER_UNWRITABLE'
  | 'NAME_TAKEN'
  | 'NOT_FOUND'
  | 'NO_RUN'
  | 'PATH_INVALID'
  | 'PORT_IN_USE'
  | 'PROJECT_CODE'
  | 'RUN_ACTIVE'
  | 'RUN_CRASHED'
  | 'RUN_UNRESPONSIVE'
  | 'RUN_OUT_OF_MEMORY'
  | 'TOPIC_MISSING'

export interface AgentErrorOptions {
  readonly code: AgentErrorCode
  readonly kind: WireError['kind']
  /** Whether doing the same thing again may succeed. */
  readonly retriable: boolean
  readonly context?: WireError['context']
  readonly cause?: unknown
}

/** An error of the agent: of a request that it cannot fulfil, or of a run that ended badly. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode
  readonly kind: WireError['kind']
  readonly retriable: boolean
  readonly context: WireError['context']

  constructor(message: string, options: AgentErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.kind = options.kind
    this.retriable = options.retriable
    this.context = options.context ?? {}
  }
}
