import { StreamError, type StreamErrorContext } from './StreamError.js'

/** A record from the future would have destroyed data and `future-timestamp.guard` is `error` (F3). Fatal. */
export class FutureTimestampException extends StreamError {
  override readonly name = 'FutureTimestampException'

  constructor(message: string, context: StreamErrorContext) {
    super(message, { code: 'FUTURE_TIMESTAMP', kind: 'user', retriable: false, context })
  }

  override get fatal(): boolean {
    return true
  }
}
