import type { TopologyDocument } from '@lanescope/shared'

/** Silences a rule on a node, with the reason that the project keeps. */
export function suppress(document: TopologyDocument, rule: string, node: string, reason: string): TopologyDocument {
  const others = document.suppressions.filter((one) => one.rule !== rule || one.node !== node)
  return { ...document, suppressions: [...others, { rule, node, reason }] }
}

export function unsuppress(document: TopologyDocument, rule: string, node: string): TopologyDocument {
  const suppressions = document.suppressions.filter((one) => one.rule !== rule || one.node !== node)
  return suppressions.length === document.suppressions.length ? document : { ...document, suppressions }
}
