export { topologicalOrder } from './buildable.js'
export { formatTypeScript } from './formatTypeScript.js'
export { GENERATED_HEADER, type GeneratedFile } from './GeneratedFile.js'
export {
  formatTopology,
  type GeneratedTopology,
  generateAnalysisModule,
  generateTopology,
} from './generateTopology.js'
export { StoreNames } from './storesModule.js'
export type { LineRange } from './TopologyLines.js'
