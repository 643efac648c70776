export { TimersAside } from './TimersAside.js'
export { TimersTab } from './TimersTab.js'
