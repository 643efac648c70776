import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { AnalysedFinding } from './AnalysisResult.js'

/** The rules that conclude from nothing being wired behind a node. */
const NOTHING_BEHIND: ReadonlySet<string> = new Set(['unreachable-node', 'dangling-sink'])

/**
 * Whether a finding only follows from what was left out of the build: an edge leads on from its node, and the node
 * behind it has a problem of its own.
 */
export function isFollowUp(
  { rule, nodeId }: Pick<AnalysedFinding, 'rule' | 'nodeId'>,
  { edges }: Pick<TopologyDocument, 'edges'>,
  built: ReadonlySet<string>,
): boolean {
  return NOTHING_BEHIND.has(rule) && edges.some(({ from, to }) => from === nodeId && !built.has(to))
}
