export * from './document/TopologyDocument.js'
export * from './protocol/messages.js'
