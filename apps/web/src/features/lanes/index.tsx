export { LanesAside } from './LanesAside.js'
export { LanesTab } from './LanesTab.js'
