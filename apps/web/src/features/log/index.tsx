export { LogAside } from './LogAside.js'
export { LogTab } from './LogTab.js'
