import type { CompiledTopology } from '../../topology/CompiledTopology.js'

/** Whether all that reaches a node comes from sources of global stores. */
export function isGlobalNode(compiled: CompiledTopology, name: string): boolean {
  const node = compiled.nodes.find((one) => one.name === name)
  const sources = node?.kind === 'source' ? [name] : (node?.sources ?? [])
  return sources.length > 0 && sources.every((source) => compiled.node(source).source?.feeds === 'global')
}
