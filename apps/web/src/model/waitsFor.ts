import type { AnalysisResult, TopologyDocument } from '@lanescope/shared'

/**
 * Why a node that is fine by itself was not looked at: the unfinished node nearest in front of it. Undefined for a node
 * that was looked at, and for one that has a problem of its own.
 */
export function waitsFor(
  document: TopologyDocument,
  analysis: Pick<AnalysisResult, 'leftOut' | 'problems'> | null,
  nodeId: string,
): string | undefined {
  if (!analysis?.leftOut.includes(nodeId)) return undefined
  const troubled = new Set(analysis.problems.flatMap((problem) => problem.nodeId ?? []))
  if (troubled.has(nodeId)) return undefined
  const seen = new Set([nodeId])
  for (const id of seen) {
    if (troubled.has(id)) {
      const name = document.nodes.find((node) => node.id === id)?.name
      return `Not checked yet: "${name}" in front of it is unfinished.`
    }
    for (const edge of document.edges) if (edge.to === id) seen.add(edge.from)
  }
  return 'Not checked yet: the topology cannot be built.'
}
