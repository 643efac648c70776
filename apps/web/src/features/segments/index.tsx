export { SegmentsAside } from './SegmentsAside.js'
export { SegmentsTab } from './SegmentsTab.js'
