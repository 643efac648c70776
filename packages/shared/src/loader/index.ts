export { BlobLinker, type ModuleHost, providePackages } from './BlobLinker.js'
export type { PackageNames } from './bindImports.js'
export type * from './LoadedModule.js'
export { linkModule, type SpecifierResolver } from './linkModule.js'
export { type LoadOptions, loadModules, ModuleCache } from './loadModules.js'
export { preparedPath } from './preparedPath.js'
export {
  loadSimulatedModules,
  type SimulatedLoadResult,
  type SimulatedModule,
} from './simulated/loadSimulatedModules.js'
export { simulatedHelpers } from './simulated/simulatedHelpers.js'
export { fileOfModule } from './specifiers.js'
export { loadTypeScript, type TypeScriptTools } from './TypeScriptTools.js'
