import { parentPort, workerData } from 'node:worker_threads'
import { runSeeds, type SeedsOptions } from './runSeeds.js'

/* One share of the seeds; tells the parent of each seed, and of everything at the end. */

const result = await runSeeds({
  ...(workerData as SeedsOptions),
  onSeed: (seed, failed) => parentPort?.postMessage({ type: 'seed', seed, failed }),
})
parentPort?.postMessage({ type: 'result', result })
