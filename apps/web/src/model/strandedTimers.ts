import type { Fix } from '@lanescope/core'
import type { AnalysedNode, TopologyDocument } from '@lanescope/shared'

type Analysed = Pick<AnalysedNode, 'nodeId' | 'name' | 'timers' | 'timerKey' | 'changesKey'>

/**
 * Nodes whose timers a fix writes with another serde, and the one that wrote them until now: those that are pending
 * then lie stranded in the next run (T9), since nothing reads their keys.
 */
export function strandedTimers(
  fix: Fix,
  document: Pick<TopologyDocument, 'nodes' | 'edges'>,
  analysed: readonly Analysed[],
): readonly { readonly name: string; readonly serde: string }[] {
  const change = keyChange(fix)
  const target = document.nodes.find(({ name }) => name === change?.node)?.id
  if (change === undefined || target === undefined) return []
  return sameKeyAfter(target, document, analysed).flatMap((id) => {
    const { name, timers, timerKey } = analysed.find(({ nodeId }) => nodeId === id) ?? {}
    if (name === undefined || timers?.length === 0 || timerKey === undefined) return []
    const { status, label, nodeId } = timerKey.chip
    // What another node declares stays as it is.
    const gives = status === 'defaulted' || (status !== 'unresolved' && nodeId === target)
    return gives && label !== change.serde ? [{ name, serde: label }] : []
  })
}

/** Whose keys a fix has written otherwise, and how. */
function keyChange(fix: Fix): { readonly node: string; readonly serde: string } | undefined {
  switch (fix.kind) {
    case 'declare-consumed':
      return { node: fix.source, serde: fix.keySerde }
    case 'insert-repartition':
      return fix.keySerde === undefined ? undefined : { node: fix.before, serde: fix.keySerde }
    case 'declare-serde':
      return fix.side === 'key' ? { node: fix.node, serde: fix.serde } : undefined
    default:
      return undefined
  }
}

/** The node and all behind it, up to where the key becomes another one. */
function sameKeyAfter(
  from: string,
  { edges }: Pick<TopologyDocument, 'edges'>,
  analysed: readonly Analysed[],
): readonly string[] {
  const reached = [from]
  for (const id of reached) {
    if (analysed.find(({ nodeId }) => nodeId === id)?.changesKey) continue
    for (const edge of edges) if (edge.from === id && !reached.includes(edge.to)) reached.push(edge.to)
  }
  return reached
}

/** What the notice of a fix says of them; undefined when there are none. */
export function strandedWords(stranded: ReturnType<typeof strandedTimers>): string | undefined {
  if (stranded.length === 0) return undefined
  const places = stranded.map(({ name, serde }) => `${name} (written with ${serde})`).join(', ')
  return `Timers still pending at ${places} do not fire any more: the next run puts them aside.`
}
