export { keyText } from '../../model/keyText.js'
