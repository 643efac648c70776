import type { StreamError } from '../../errors/StreamError.js'
import { topologyError } from '../../topology/topologyError.js'
import { repartitionNamesOf, writeRepartition } from '../repartition.js'
import type { DslGraph } from './DslGraph.js'
import { GraphNode } from './GraphNode.js'

type Test = (node: GraphNode) => boolean

/**
 * `merge.repartition.topics`: the repartitions behind one key change become one, right behind it (C.2).
 *
 * Kafka Streams looks for the key change upwards from each repartition, and gives up where a change of values lies
 * between. Where a merge of streams lies between, and all repartitions of its key changes are behind the merge, they
 * become one right behind the merge.
 */
export function mergeRepartitions(graph: DslGraph): void {
  const found = findRepartitions(graph)
  moveBehindMerges(graph, found)
  for (const [changer, repartitions] of found) if (repartitions.size > 0) mergeBehind(graph, changer, repartitions)
}

type Found = Map<GraphNode, Set<GraphNode>>

/** The mergeable repartitions of each node that changes keys, in the order of the calls. */
function findRepartitions(graph: DslGraph): Found {
  const found: Found = new Map()
  for (const node of [...graph.nodes].sort((a, b) => a.step.priority - b.step.priority)) {
    if (node.changesKey) found.set(node, new Set())
    if (node.step.facts.mergeable !== true) continue
    const changer = upward(graph, node, (other) => other.changesKey)
    const nearest = upward(graph, node, (other) => other.changesKey || other.changesValue)
    if (changer !== undefined && changer === nearest) found.get(changer)?.add(node)
  }
  return found
}

function moveBehindMerges(graph: DslGraph, found: Found): void {
  const moved = new Set<GraphNode>()
  const behind: Found = new Map()
  for (const merge of graph.nodes.filter((node) => node.merges)) {
    const taken = new Set<GraphNode>()
    for (const [changer, repartitions] of found) {
      if (![...repartitions].every((one) => below(graph, one, merge) !== undefined)) continue
      if (below(graph, merge, changer) === undefined) continue
      moved.add(changer)
      for (const one of repartitions) taken.add(one)
    }
    behind.set(merge, taken)
  }
  for (const [merge, repartitions] of behind) found.set(merge, repartitions)
  for (const changer of moved) found.delete(changer)
}

function mergeBehind(graph: DslGraph, changer: GraphNode, repartitions: ReadonlySet<GraphNode>): void {
  const crossings = [...repartitions].map((node) => node.repartition as NonNullable<GraphNode['repartition']>)
  const [first] = crossings
  if (first === undefined) return
  const names = repartitionNamesOf(first.topic)
  const output = outputOf(changer)
  const key = crossings.find(({ declared }) => declared.key !== undefined)?.declared.key
  const value = crossings.find(({ declared }) => declared.value !== undefined)?.declared.value
  const lanes = Math.max(0, ...crossings.map(({ numberOfLanes }) => numberOfLanes ?? 0))
  const write = writeRepartition(output, names, {
    by: first.by,
    declared: { ...(key !== undefined && { key }), ...(value !== undefined && { value }) },
    ...(lanes > 0 && { numberOfLanes: lanes }),
    ...(crossings.some(({ keepsNulls }) => keepsNulls) && { keepsNulls: true }),
  })
  const merged = new GraphNode({ write, facts: {}, priority: changer.priority })
  for (const replaced of repartitions) replaceBy(graph, changer, names.source, replaced)
  write(merged)
  graph.nodes.push(merged)
}

/** Hangs what led from the key change to a repartition behind the merged one, and closes the gap where it was. */
function replaceBy(graph: DslGraph, changer: GraphNode, source: string, replaced: GraphNode): void {
  // The merged one may have the very name of this one: whoever hangs on this one is asked for first.
  const children = graph.childrenOf(replaced)
  const child = below(graph, replaced, changer)
  if (child === undefined) throw sharedWay(changer, replaced)
  child.replaceParent(outputOf(changer), source)
  for (const next of children) for (const parent of replaced.parents) next.replaceParent(outputOf(replaced), parent)
  graph.remove(replaced)
}

/** Kafka Streams gives up here too: the first of the two has taken the way along. */
function sharedWay(changer: GraphNode, replaced: GraphNode): StreamError {
  const [node, topic] = [outputOf(changer), replaced.repartition?.topic ?? outputOf(replaced)]
  return topologyError(
    `The optimiser cannot merge the repartition "${topic}" with the others behind "${node}": two of them lie behind one ` +
      `node between "${node}" and them. Group that node's output once, by Grouped.as(…), or leave merge.repartition.topics out of topology.optimization.`,
    { node, topic },
  )
}

/** The node on the way up from here, or here itself, that hangs on the given one. */
function below(graph: DslGraph, from: GraphNode, on: GraphNode): GraphNode | undefined {
  return upward(graph, from, (node) => graph.parentsOf(node).includes(on))
}

/** The first node on the ways up, or here itself, of which the test holds; the first parent's way is walked first. */
function upward(graph: DslGraph, from: GraphNode, test: Test, seen = new Set<GraphNode>()): GraphNode | undefined {
  if (test(from)) return from
  seen.add(from)
  for (const parent of graph.parentsOf(from)) {
    const found = seen.has(parent) ? undefined : upward(graph, parent, test, seen)
    if (found !== undefined) return found
  }
  return undefined
}

/** The node of the topology that hands on what a graph node makes: the last, but for sinks. */
function outputOf(node: GraphNode): string {
  return node.nodes.filter(({ kind }) => kind !== 'sink').at(-1)?.name as string
}
