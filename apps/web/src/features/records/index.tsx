export { RecordsAside } from './RecordsAside.js'
export { RecordsTab } from './RecordsTab.js'
