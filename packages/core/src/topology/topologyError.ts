import { StreamError, type StreamErrorContext } from '../errors/StreamError.js'

/** The refusal of a topology that cannot be built: the user's to mend, and the same at each attempt. */
export function topologyError(message: string, context: StreamErrorContext = {}): StreamError {
  return new StreamError(message, { code: 'TOPOLOGY_INVALID', kind: 'user', retriable: false, context })
}
