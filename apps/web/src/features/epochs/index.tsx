export { EpochsAside } from './EpochsAside.js'
export { EpochsTab } from './EpochsTab.js'
