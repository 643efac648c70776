import type { CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import type { Finding, Fix, Severity, ValidationRule } from '../Finding.js'
import { formatDuration } from '../formatDuration.js'
import { severityOf } from '../severity.js'
import { shortestPath } from '../shortestPath.js'

const id = 'suppress-without-grace'

/** V10: final results of windows that close at their very end, so that one record out of order is missing for good. */
export const suppressWithoutGrace: ValidationRule = {
  id,
  spec: 'V10',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes
      .filter(({ facts }) => facts?.finalResults === true)
      .flatMap((node) => {
        const window = windowOf(topology, node)
        return window?.facts?.window?.graceMs === 0 ? [finding(topology, node, window, severity)] : []
      })
  },
}

/** The nearest aggregation in windows: the node itself when it emits on close, else one upstream. */
function windowOf(topology: CompiledTopology, node: CompiledNode): CompiledNode | undefined {
  const seen = new Set([node])
  for (const at of seen) {
    if (at.facts?.window !== undefined) return at
    for (const parent of at.parents) seen.add(topology.node(parent))
  }
  return undefined
}

function finding(topology: CompiledTopology, node: CompiledNode, window: CompiledNode, severity: Severity): Finding {
  const { name } = node
  const places = [
    { node: window.name, title: 'No grace.', detail: 'Its windows close at their end.' },
    { node: name, title: 'Final results.', detail: 'Each window comes once, when it closes.' },
  ]
  return {
    id: `${id}:${name}`,
    rule: id,
    severity,
    node: name,
    nodes: [...new Set([window.name, name])],
    path: shortestPath(topology, window.name, name),
    places,
    title: `The final results of ${name} leave out whatever comes late`,
    message:
      `${window.name} has windows without grace, and ${name} gives each of them once, when it closes. A record that comes ` +
      'a millisecond out of order behind the end of its window is dropped, and no later result makes up for it.',
    why:
      'A window without grace closes as soon as the clock reaches its end. Where updates go on, a dropped record is one ' +
      'update fewer; where only the final result is sent, that result is wrong and stays so.',
    fixes: graces(window.facts?.window?.sizeMs ?? 0).map((graceMs) => grace(window.name, graceMs)),
    note: 'How late records may be is yours to say: results come later by as much.',
  }
}

/** Graces that people speak of, the longest first, in ms. */
const NICE = [
  86_400_000, 43_200_000, 21_600_000, 3_600_000, 1_800_000, 600_000, 300_000, 60_000, 30_000, 10_000, 5_000, 1_000,
]

/** What is proposed: about a tenth of a window, and all of one. */
function graces(sizeMs: number): readonly number[] {
  const tenth = NICE.find((ms) => ms <= sizeMs / 10) ?? 1_000
  return sizeMs > tenth ? [tenth, sizeMs] : [tenth]
}

function grace(node: string, graceMs: number): Fix {
  const words = formatDuration(graceMs)
  return {
    kind: 'set-grace',
    node,
    graceMs,
    title: `Give ${node} ${words} of grace`,
    effect: `Windows take records for ${words} after their end, and their results come as much later.`,
  }
}
