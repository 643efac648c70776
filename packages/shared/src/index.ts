// The topology document
export * from './document/index.js'
// Wire protocol
export * from './protocol/messages.js'
