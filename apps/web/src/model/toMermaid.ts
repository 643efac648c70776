import { type AnalysisResult, branchOf, type DocumentNode, joinInputs, type TopologyDocument } from '@lanescope/shared'
import { formatDuration } from './duration.js'
import { kindFacts, longLabel, paletteKindOf } from './nodeKinds.js'
import { storesOf } from './queries.js'

/**
 * The topology as a Mermaid flowchart: sub-topologies as subgraphs, stores beside their nodes, two bars in words where
 * the key changes lanes. Node ids are numbers of ours: Mermaid reads words such as `end` as its own.
 */
export function toMermaid(document: TopologyDocument, analysis: AnalysisResult | null): string {
  const ids = new Map(document.nodes.map((node, index) => [node.id, `n${index}`]))
  const lines = [
    '---',
    `title: ${JSON.stringify(document.name)}`,
    '---',
    'flowchart LR',
    ...nodeLines(document, analysis, ids),
    ...storeLines(document, ids),
    ...edgeLines(document, analysis, ids),
  ]
  return `${lines.join('\n')}\n`
}

type Ids = ReadonlyMap<string, string>

function nodeLines(document: TopologyDocument, analysis: AnalysisResult | null, ids: Ids): readonly string[] {
  const subs = analysis?.view.subTopologies ?? []
  const known = new Set(subs.flatMap(({ nodeIds }) => nodeIds))
  const outside = document.nodes.filter(({ id }) => !known.has(id)).map((node) => `  ${shape(node, ids)}`)
  const inside = subs.flatMap((sub) => {
    const nodes = document.nodes.filter(({ id }) => sub.nodeIds.includes(id))
    const title = `Sub-topology ${sub.index}: ${sub.laneCount} lanes, ${sub.title}`
    return [`  subgraph s${sub.index}[${quoted(title)}]`, ...nodes.map((node) => `    ${shape(node, ids)}`), '  end']
  })
  return [...inside, ...outside]
}

/** Round where the topology begins and ends, square within. */
function shape(node: DocumentNode, ids: Ids): string {
  const id = ids.get(node.id) ?? ''
  const words = quoted(node.name, longLabel(kindFacts(paletteKindOf(node))).toLowerCase())
  return node.kind === 'source' || node.kind === 'sink' ? `${id}([${words}])` : `${id}[${words}]`
}

/** A store that several nodes share is one cylinder. */
function storeLines(document: TopologyDocument, ids: Ids): readonly string[] {
  const numbers = new Map<string, string>()
  return document.nodes.flatMap((node) =>
    storesOf(document, node).flatMap((store) => {
      const known = numbers.get(store.name)
      const id = known ?? `d${numbers.size}`
      numbers.set(store.name, id)
      const kept = store.retentionMs === undefined ? [] : [`keeps ${formatDuration(store.retentionMs)}`]
      const link = `  ${ids.get(node.id)} -.- ${id}`
      return known === undefined ? [`  ${id}[(${quoted(store.name, ...kept)})]`, link] : [link]
    }),
  )
}

function edgeLines(document: TopologyDocument, analysis: AnalysisResult | null, ids: Ids): readonly string[] {
  const analysed = new Map(analysis?.view.edges.map((edge) => [edge.edgeId, edge]))
  return document.edges.map((edge) => {
    const seen = analysed.get(edge.id)
    const to = document.nodes.find(({ id }) => id === edge.to)
    const isRight = to?.kind === 'join' && joinInputs(document, to.id).right?.id === edge.id
    const from = document.nodes.find(({ id }) => id === edge.from)
    const branch = from?.kind === 'branch' ? branchOf(from, edge, document) : undefined
    const said = [
      ...(branch === undefined ? [] : [branch]),
      ...(seen?.looksUp ? ['looked up'] : isRight ? ['right'] : []),
      ...(seen?.boundary ? [`key: ${seen.keyChip.label}, to its lane`] : []),
    ]
    const label = said.length === 0 ? '' : `|${quoted(said.join(', '))}|`
    return `  ${ids.get(edge.from)} ${seen?.looksUp ? '-.->' : '-->'}${label} ${ids.get(edge.to)}`
  })
}

/** A label in quotes; what Mermaid would read as its own or as HTML is written as an entity. */
function quoted(...lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll(/[&"<>#;]/g, (sign) => `#${sign.charCodeAt(0)};`))
  return `"${safe.join('<br/>')}"`
}
