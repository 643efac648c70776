import { topologyError } from './topologyError.js'

const longestName = 249

/**
 * Refuses what Kafka refuses as a name of a node, store or topic (`kafka-streams.md` C.1).
 *
 * @throws StreamError TOPOLOGY_INVALID
 */
export function checkName(what: 'node' | 'store' | 'topic', name: string): void {
  const problem = problemOf(name)
  if (problem === undefined) return
  throw topologyError(`The ${what} name "${name}" ${problem}.`, what === 'topic' ? { topic: name } : { [what]: name })
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'is illegal, it cannot be empty: give it at least one letter'
  if (name === '.' || name === '..') return 'is illegal, it cannot be "." or ".."'
  if (name.length > longestName)
    return `is illegal, it is ${name.length} characters long and ${longestName} are allowed`
  if (!/^[A-Za-z0-9._-]+$/.test(name)) {
    return `is illegal, it contains a character other than ASCII alphanumerics, '.', '_' and '-'`
  }
  return undefined
}
