import type { CompiledNode, CompiledStore } from '../../topology/CompiledTopology.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { formatDuration } from '../formatDuration.js'
import { severityOf } from '../severity.js'

const id = 'retention-too-small'

/** V8: a store that forgets a window while its operator still takes records for it. */
export const retentionTooSmall: ValidationRule = {
  id,
  spec: 'V8',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes.flatMap((node) => {
      const least = leastRetention(node)
      const stores = topology.stores.filter(({ name }) => node.stores.includes(name))
      return stores
        .filter(({ builder }) => least !== undefined && (builder.retentionMs ?? Number.POSITIVE_INFINITY) < least)
        .map((store) => finding(node, store, least as number, severity))
    })
  },
}

function leastRetention({ facts }: CompiledNode): number | undefined {
  const { window } = facts ?? {}
  return window === undefined ? undefined : (window.keepMs ?? window.sizeMs + window.graceMs)
}

function finding({ name, facts }: CompiledNode, store: CompiledStore, least: number, severity: Severity): Finding {
  const kept = store.builder.retentionMs as number
  const grace = formatDuration(facts?.window?.graceMs ?? 0)
  return {
    id: `${id}:${name}:${store.name}`,
    rule: id,
    severity,
    node: name,
    nodes: [name],
    path: [],
    places: [
      {
        node: name,
        title: `${store.name} keeps ${formatDuration(kept)}.`,
        detail: `It takes ${formatDuration(least)}.`,
      },
    ],
    title: `${store.name} forgets windows that ${name} still takes records for`,
    message:
      `${name} takes records until ${formatDuration(least)} after a window starts (grace ${grace}), but its store keeps only ` +
      `${formatDuration(kept)}. A late record then finds nothing of its window, and begins it anew or is dropped.`,
    why:
      'A window store drops what is older than its retention, by the greatest time it has seen. What the operator would ' +
      'still accept by its grace is gone by then, so results that were right are overwritten by partial ones.',
    fixes: [],
    note: `Give ${store.name} a retention of at least ${least} ms, or the windows a smaller grace.`,
  }
}
