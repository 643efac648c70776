export { FutureTimestampException } from './FutureTimestampException.js'
export { LaneKeySerializationException } from './LaneKeySerializationException.js'
export { isPromise, refusedPromise } from './refusedPromise.js'
export { StaleIncarnationError } from './StaleIncarnationError.js'
export {
  StreamError,
  type StreamErrorCode,
  type StreamErrorContext,
  type StreamErrorKind,
  type StreamErrorOptions,
} from './StreamError.js'
export { type LaneSplit, TimerLaneAffinityException } from './TimerLaneAffinityException.js'
