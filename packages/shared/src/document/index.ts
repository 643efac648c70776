export { branchNames, branchOf } from './branches.js'
export { checkStructure, findCycle } from './checkStructure.js'
export { emptyDocument } from './emptyDocument.js'
export { fingerprintOf, type RunMaterial } from './fingerprint.js'
export { GENERATED_MODULES, isGeneratedPath } from './generatedModules.js'
export { incompleteness, type MissingPart } from './incompleteness.js'
export { type JsonError, locateJsonError } from './locateJsonError.js'
export { MIGRATIONS, type Migration, type MigrationOutcome, migrate } from './migrate.js'
export {
  type AggregatingNode,
  type CountingNode,
  formOf,
  isAggregating,
  isCounting,
  joinForms,
  joinInputs,
  type KeyWindow,
  keyWindowOf,
  type NodeForm,
  needsDsl,
  ownStoreOf,
  type WindowingNode,
  windowsOf,
} from './nodeForms.js'
export { checkDocument, type ParsedDocument, parseDocument } from './parseDocument.js'
export type { DocumentProblem } from './problems.js'
export { projectNameProblem } from './projectName.js'
export { builtInExpression, serdeExpression, serdeLabel } from './serdeText.js'
export * from './TopologyDocument.js'
export { typeProblem } from './typeProblem.js'
export { writeDocument } from './writeDocument.js'
