import { StreamError, type StreamErrorContext } from './StreamError.js'

/** A callback of an incarnation that has ended called its context (E7): a promise that could not be cancelled. Nothing was changed. */
export class StaleIncarnationError extends StreamError {
  override readonly name = 'StaleIncarnationError'

  constructor(context: StreamErrorContext) {
    super(
      `A callback of node "${context.node ?? '?'}" went on after its run had ended or started again, and called its context. ` +
        'Nothing was changed. Stop what it does when ctx.signal aborts.',
      { code: 'STALE_INCARNATION', kind: 'user', retriable: false, context },
    )
  }
}
