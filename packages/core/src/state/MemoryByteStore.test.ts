import { orderedByteStoreContract } from '../../test/orderedByteStoreContract.js'
import { MemoryByteStore } from './MemoryByteStore.js'

orderedByteStoreContract('MemoryByteStore', () => new MemoryByteStore())
