import { type DocumentNode, formOf, isAggregating, isCounting, type TopologyDocument } from '@lanescope/shared'
import { downstreamOf, nodeById } from './queries.js'

/** Why an edge cannot be drawn, as a sentence; undefined when it can. */
export function connectRefusal(document: TopologyDocument, from: string, to: string): string | undefined {
  const source = nodeById(document, from)
  const target = nodeById(document, to)
  if (!source || !target) return 'One of the two nodes is gone.'
  if (from === to) return `${source.name} cannot feed itself.`
  const ends = endRefusal(source, target) ?? globalRefusal(document, source, target)
  if (ends !== undefined) return ends
  if (document.edges.some((edge) => edge.from === from && edge.to === to))
    return `${source.name} feeds ${target.name} already.`
  if (downstreamOf(document, to).has(from))
    return `That would be a circle: records of ${target.name} reach ${source.name}.`
  return roomRefusal(target, document.edges.filter((edge) => edge.to === to).length)
}

function roomRefusal(target: DocumentNode, inputs: number): string | undefined {
  if (target.kind === 'join') return inputs >= 2 ? `${target.name} joins two inputs, and has both already.` : undefined
  if (inputs === 0) return undefined
  if (isCounting(target)) return `${target.name} counts one stream, and has one already.`
  if (isAggregating(target)) return `${target.name} aggregates one stream, and has one already: merge or cogroup them.`
  if (target.kind === 'suppress') return `${target.name} holds back one table, and has one already.`
  if (['transform', 'branch', 'repartition', 'to-table'].includes(target.kind))
    return `${target.name} takes one stream, and has one already: merge them first.`
  return undefined
}

/** A global table gives no records: only a join looks into it. */
function globalRefusal(document: TopologyDocument, source: DocumentNode, target: DocumentNode): string | undefined {
  if (formOf(document, source) !== 'global-table') return undefined
  if (target.kind === 'join' && target.properties.of === 'stream-global') return undefined
  return `${source.name} is a global table: only a global table join looks into it.`
}

function endRefusal(source: DocumentNode, target: DocumentNode): string | undefined {
  if (target.kind === 'source') return `${target.name} reads topics; nothing can lead into a source.`
  if (source.kind === 'sink') return `${source.name} writes a topic; nothing can lead out of a sink.`
  return undefined
}

/** The refusal of every node as the other end of a wire; null for a valid one. */
export function wireTargets(
  document: TopologyDocument,
  start: string,
  direction: 'forward' | 'backward',
): ReadonlyMap<string, string | null> {
  return new Map(
    document.nodes
      .filter((node) => node.id !== start)
      .map((node) => {
        const reason =
          direction === 'forward' ? connectRefusal(document, start, node.id) : connectRefusal(document, node.id, start)
        return [node.id, reason ?? null]
      }),
  )
}
