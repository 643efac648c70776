export { type ValueAndTimestamp, valueAndTimestamp } from '../serde/valueAndTimestamp.js'
