export { ProblemsAside } from './ProblemsAside.js'
export { ProblemsTab } from './ProblemsTab.js'
