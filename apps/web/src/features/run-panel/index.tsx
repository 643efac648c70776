export { LiveCards } from './LiveCards.js'
export { RunControls } from './RunControls.js'
export { RunPanel } from './RunPanel.js'
