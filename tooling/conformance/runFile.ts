import { readFile } from 'node:fs/promises'
import { parseCase } from './CaseFile.js'
import { compareCase, type Difference } from './compare/compareCase.js'
import type { FoundCase } from './findCases.mjs'
import { parseRepaired, repairedCase } from './RepairedFile.js'
import { runCase } from './run/runCase.js'

/** Under which `compat` cases run: as Kafka Streams to the letter, or with the engine's repairs (S6). */
export type Compat = 'kafka-streams' | 'repair'

/** Runs the case of one file, and tells what differs from what it expects; nothing: it has passed. */
export async function runFile({ path, repaired }: FoundCase, compat: Compat): Promise<readonly Difference[]> {
  try {
    const file = parseCase(await readFile(path, 'utf8'))
    const own =
      repaired === undefined || compat !== 'repair' ? undefined : parseRepaired(await readFile(repaired, 'utf8'))
    const outcome = await runCase(file, compat)
    if (own === undefined) return compareCase(file, outcome)
    // Else the file would stand for a repair that is none.
    if (compareCase(file, outcome).length === 0) return [unchanged]
    return compareCase(repairedCase(file, own), outcome)
  } catch (error) {
    const actual = error instanceof Error ? briefly(error) : String(error)
    return [{ where: 'the case', expected: 'a run', actual }]
  }
}

const unchanged: Difference = {
  where: 'repaired',
  expected: 'results that a repair changes',
  actual: 'the results of Kafka Streams; delete the file',
}

function briefly(error: Error): string {
  if (error.name === 'UnknownWord' || error.name === 'MissingApi') return `${error.name}: ${error.message}`
  return (error.stack ?? error.message).split('\n').slice(0, 6).join('\n')
}
