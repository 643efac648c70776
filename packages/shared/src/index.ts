// Analysis of a document
export * from './analysis/index.js'
// Code generation
export * from './codegen/index.js'
// The topology document
export * from './document/index.js'
// Import from other tools
export * from './import/index.js'
// Loading a project's modules
export * from './loader/index.js'
// Wire protocol
export * from './protocol/index.js'
