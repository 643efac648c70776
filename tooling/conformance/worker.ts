import { parentPort, workerData } from 'node:worker_threads'
import type { Difference } from './compare/compareCase.js'
import type { FoundCase } from './findCases.mjs'
import { type Compat, runFile } from './runFile.js'

/* Runs its share of the case files, and tells the parent of each. */

export interface CaseReport {
  readonly file: string
  readonly differences: readonly Difference[]
}

/** A case that takes longer has got stuck. */
const longestMs = 20_000

const { files, compat } = workerData as { readonly files: readonly FoundCase[]; readonly compat: Compat }
for (const file of files) {
  const report: CaseReport = { file: file.name, differences: await withinTime(runFile(file, compat)) }
  // What cannot be cloned is a function in an expectation or a result, and says nothing anyway.
  parentPort?.postMessage(JSON.parse(JSON.stringify(report)))
}

async function withinTime(run: Promise<readonly Difference[]>): Promise<readonly Difference[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Difference[]>((resolve) => {
    const difference = { where: 'the case', expected: 'an end', actual: `none within ${longestMs} ms` }
    timer = setTimeout(() => resolve([difference]), longestMs)
  })
  try {
    return await Promise.race([run, late])
  } finally {
    clearTimeout(timer)
  }
}
