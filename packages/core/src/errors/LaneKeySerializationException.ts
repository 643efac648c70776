import { StreamError, type StreamErrorContext } from './StreamError.js'

/** A record's new key could not be written, so it has no lane (B3): no serde is declared for it, or its serde refuses it. */
export class LaneKeySerializationException extends StreamError {
  override readonly name = 'LaneKeySerializationException'

  constructor(message: string, context: StreamErrorContext, cause: unknown) {
    super(message, { code: 'LANE_KEY_SERIALIZATION', kind: 'user', retriable: false, context, cause })
  }
}
