export { applyFix, type FixPreview, fixPreview } from './applyFix.js'
export { topologicalOrder } from './buildable.js'
export { type Export, type ExportedFile, type ExportedProject, exportFiles, type VendorPackage } from './exportFiles.js'
export { formatTypeScript } from './formatTypeScript.js'
export { GENERATED_HEADER, type GeneratedFile } from './GeneratedFile.js'
export { generateProject, generateSources, type ProjectOptions } from './generateProject.js'
export {
  formatTopology,
  type GeneratedTopology,
  generateAnalysisModule,
  generateTopology,
} from './generateTopology.js'
export type { VendorFile } from './projectFiles.js'
export { StoreNames } from './storesModule.js'
export type { LineRange } from './TopologyLines.js'
export { type DocumentTopic, topicsOf } from './topicsOf.js'
