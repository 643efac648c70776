export * from './messages.js'
export {
  encode,
  MAX_REQUEST_LENGTH,
  MAX_SERVER_MESSAGE_LENGTH,
  type Parsed,
  parseReply,
  parseRequest,
  parseServerMessage,
} from './parseMessage.js'
export * from './runs.js'
export {
  toRareEvent,
  toSample,
  toTimerEvent,
  toWireBlast,
  toWireTimer,
  type UnnumberedRareEvent,
  valueText,
} from './wireEvents.js'
