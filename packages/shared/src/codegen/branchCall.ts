import type { BranchNode } from '../document/TopologyDocument.js'
import { stringLiteral } from './literals.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** A split of a stream: the branches by name. */
export function branchCall(node: BranchNode, input: string, named: string, writer: TopologyWriter): string {
  const { branches, defaultBranch } = node.properties
  const branched = (name: string) => `${writer.imports.core('Branched')}.as(${stringLiteral(`-${name}`)})`
  const calls = branches.map(({ name, code }) => {
    const test = writer.purpose === 'analysis' ? '() => true' : writer.code(code)
    return `.branch(${test}, ${branched(name)})`
  })
  const rest = defaultBranch === undefined ? '.noDefaultBranch()' : `.defaultBranch(${branched(defaultBranch)})`
  return `${input}.split(${named})${calls.join('')}${rest}`
}

/** One branch out of the map that a split gives, which knows it by the name of its node. */
export function branchStream(
  node: BranchNode,
  local: string,
  branch: string | undefined,
  { purpose }: TopologyWriter,
): string {
  // The map has it, which its type does not say.
  return `${local}.get(${stringLiteral(`${node.name}-${branch}`)})${purpose === 'analysis' ? '' : '!'}`
}
