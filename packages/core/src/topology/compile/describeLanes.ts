import type {
  CompiledBoundary,
  CompiledNode,
  CompiledSource,
  CompiledSubTopology,
  CompiledTopology,
  ResolvedSerde,
} from '../CompiledTopology.js'

type Parts = Pick<CompiledTopology, 'nodes' | 'edges' | 'boundaries' | 'subTopologies' | 'stores'>

/** Chains, sub-topologies, lane counts, boundaries and timers, with each key serde and where it came from (B5). */
export function describeLanes(parts: Parts): string {
  const blocks = parts.subTopologies.map((sub) => describeSubTopology(parts, sub))
  const crossings = parts.boundaries.map((boundary) => describeBoundary(parts, boundary))
  return `Lanes:\n${[...blocks, ...crossings].join('\n')}`
}

function describeSubTopology(parts: Parts, sub: CompiledSubTopology): string {
  const nodes = parts.nodes.filter((node) => node.subTopology === sub.index)
  const lines = [
    `  Sub-topology ${sub.index}: ${lanesText(sub.laneCount)} (${laneCountOrigin(sub)}), ${
      sub.sync ? 'synchronous' : 'asynchronous'
    }`,
    ...describeSources(nodes),
    ...(sub.upstream.length > 0 ? [`    fed by sub-topology ${sub.upstream.join(', ')}`] : []),
    ...(sub.turn !== sub.index ? [`    takes turns with sub-topology ${sub.turn}: they share a store`] : []),
    ...chains(parts, nodes).map((chain) => `    ${chain.join(' -> ')}`),
    ...nodes.filter((node) => node.timers.length > 0).map(describeTimers),
  ]
  return `${lines.join('\n')}\n`
}

/** L4, L11: what picks the lane of a record that begins here. */
function describeSources(nodes: readonly CompiledNode[]): string[] {
  const lines: [string, (source: CompiledSource) => boolean][] = [
    ['the raw key bytes of', ({ schedule, laneBy }) => schedule === undefined && laneBy === 'key'],
    ['the partition of', ({ schedule, laneBy }) => schedule === undefined && laneBy === 'partition'],
    ['what the key serde writes of', ({ schedule }) => schedule !== undefined],
  ]
  return lines.flatMap(([by, fits]) => {
    const names = nodes.filter(({ source }) => source !== undefined && fits(source)).map((node) => node.name)
    return names.length === 0 ? [] : [`    laned by ${by} ${names.join(', ')}`]
  })
}

function laneCountOrigin({ laneCountFrom }: CompiledSubTopology): string {
  if (laneCountFrom.by === 'default') return 'the default'
  return laneCountFrom.node === undefined ? laneCountFrom.by : `${laneCountFrom.by} on ${laneCountFrom.node}`
}

/** Runs of nodes with one way on: a chain ends where the path forks, joins, ends or crosses a boundary. */
function chains(parts: Parts, nodes: readonly CompiledNode[]): string[][] {
  const crossing = new Set(parts.boundaries.map(({ from, to }) => edgeKey(from, to)))
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const within = (node: CompiledNode) => node.children.filter((child) => !crossing.has(edgeKey(node.name, child)))
  const startsChain = (node: CompiledNode) => {
    const inside = node.parents.filter((parent) => byName.has(parent) && !crossing.has(edgeKey(parent, node.name)))
    const [only] = inside
    return inside.length !== 1 || within(byName.get(only as string) as CompiledNode).length !== 1
  }
  return nodes.filter(startsChain).map((start) => {
    const chain = [start.name]
    let last = start
    for (let next = onlyNext(last); next !== undefined; next = onlyNext(last)) {
      chain.push(next.name)
      last = next
    }
    return [...chain, ...elsewhere(last)]
  })

  /** A sink that is counted to a sub-topology further down: this end writes to it from its own lanes. */
  function elsewhere(last: CompiledNode): string[] {
    const [child, ...others] = within(last)
    return child === undefined || others.length > 0 || byName.has(child) ? [] : [child]
  }

  function onlyNext(node: CompiledNode): CompiledNode | undefined {
    const [child, ...others] = within(node)
    const next = child === undefined || others.length > 0 ? undefined : byName.get(child)
    return next === undefined || startsChain(next) ? undefined : next
  }
}

/** Names hold no blank (C.1), so two nodes make one key. */
function edgeKey(from: string, to: string): string {
  return `${from} ${to}`
}

function describeTimers(node: CompiledNode): string {
  return `    Timers of ${node.name} (${node.timers.join(', ')}): key ${describeSerde(node.timerKey as ResolvedSerde)}`
}

function describeBoundary(parts: Parts, boundary: CompiledBoundary): string {
  const { from, to, fromSubTopology, toSubTopology, key, partitioner } = boundary
  const laned = partitioner === undefined ? `key ${describeSerde(key)}` : 'lane picked by a partitioner of its own'
  const lanes = lanesText(parts.subTopologies[toSubTopology]?.laneCount ?? 1)
  return (
    `  Boundary ${from} -> ${to}: sub-topology ${fromSubTopology} -> ${toSubTopology} (${lanes}), ` +
    `${boundaryOrigin(boundary)}, ${laned}\n`
  )
}

function boundaryOrigin({ by, topic }: CompiledBoundary): string {
  if (by === 'Repartitioned') return `repartition() ${topic}`
  if (by === 'Joined') return `join ${topic}`
  return by === 'Grouped' ? `grouping ${topic}` : 'changed key'
}

function lanesText(laneCount: number): string {
  return laneCount === 1 ? '1 lane' : `${laneCount} lanes`
}

/** A serde and where it came from, in a few words. */
export function describeSerde(resolved: ResolvedSerde): string {
  if (resolved.status === 'unresolved') return '? (no serde declared, and no default)'
  const origin = resolved.node === undefined ? resolved.by : `${resolved.by} on ${resolved.node}`
  return `${resolved.serde?.id ?? resolved.label} (${resolved.status}: ${origin})`
}
