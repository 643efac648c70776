import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { parseCase } from './CaseFile.js'
import { compareCase, type Difference } from './compare/compareCase.js'
import { runCase } from './run/runCase.js'

/* Runs its share of the case files, and tells the parent of each. */

export interface CaseReport {
  readonly file: string
  readonly differences: readonly Difference[]
}

/** A case that takes longer has got stuck. */
const longestMs = 20_000

const { files } = workerData as { readonly files: readonly { readonly name: string; readonly path: string }[] }
for (const { name, path } of files) {
  const report: CaseReport = { file: name, differences: await differencesOf(path) }
  // What cannot be cloned is a function in an expectation or a result, and says nothing anyway.
  parentPort?.postMessage(JSON.parse(JSON.stringify(report)))
}

async function differencesOf(path: string): Promise<readonly Difference[]> {
  try {
    const file = parseCase(await readFile(path, 'utf8'))
    return compareCase(file, await withinTime(runCase(file)))
  } catch (error) {
    const actual = error instanceof Error ? briefly(error) : String(error)
    return [{ where: 'the case', expected: 'a run', actual }]
  }
}

function briefly(error: Error): string {
  if (error.name === 'UnknownWord' || error.name === 'MissingApi') return `${error.name}: ${error.message}`
  return (error.stack ?? error.message).split('\n').slice(0, 6).join('\n')
}

async function withinTime<T>(run: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The case took longer than ${longestMs} ms.`)), longestMs)
  })
  try {
    return await Promise.race([run, late])
  } finally {
    clearTimeout(timer)
  }
}
