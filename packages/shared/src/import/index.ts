export { type ImportedDescription, importDescription } from './importDescription.js'
export { type DescribedNode, type ParsedDescription, parseDescription } from './parseDescription.js'
