import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What the heap holds once all that is garbage has been collected, in MB. */
export function collectedHeapMb(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Twice: what is freed by the first may hold more.
  collect()
  collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}
