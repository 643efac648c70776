import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { compareTopologies, type StateChange } from '../compareTopologies.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { listOf } from '../sentences.js'
import { severityOf } from '../severity.js'

const id = 'state-format-change'

type What = 'store' | 'internal topic' | 'timers'
type Lost = Exclude<StateChange, { readonly kind: 'added' }>

/** V12: state of the topology that runs now, which this one would reset, rename or strand. */
export const stateFormatChange: ValidationRule = {
  id,
  spec: 'V12',
  check({ topology, deployed, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined || deployed === undefined) return []
    const { stores, topics, timers } = compareTopologies(deployed, topology)
    const told = (what: What, changes: readonly StateChange[]) =>
      changes.filter(isLost).map((change) => finding(topology, what, change, severity))
    const changelogs = new Set(stores.filter(isLost).map((change) => `${nameOf(change)}-changelog`))
    return [
      ...told('store', stores),
      // A changelog goes with its store, which has been told of.
      ...told(
        'internal topic',
        topics.filter((change) => !isLost(change) || !changelogs.has(nameOf(change))),
      ),
      ...told('timers', timers),
    ]
  },
}

function isLost(change: StateChange): change is Lost {
  return change.kind !== 'added'
}

function nameOf(change: Lost): string {
  return change.kind === 'renamed' ? change.from : change.name
}

function finding(topology: CompiledTopology, what: What, change: Lost, severity: Severity): Finding {
  const name = nameOf(change)
  const node = ownerOf(topology, what, change) ?? topology.nodes[0]?.name ?? name
  return {
    id: `${id}:${what}:${name}`,
    rule: id,
    severity,
    node,
    nodes: [node],
    path: [],
    places: [{ node, title: title(what, change), detail: detail(change) }],
    title: title(what, change),
    message: `${title(what, change)}. ${consequence(what, change)}`,
    why:
      'State is found again by its name and read by its serdes. A topology that calls it otherwise, or reads it otherwise, ' +
      'starts over the old state as if there were none: nothing fails, and the results begin anew.',
    fixes: [],
    note: remedy(what, change),
  }
}

/** The node of the new topology that has to do with it. */
function ownerOf(topology: CompiledTopology, what: What, change: Lost): string | undefined {
  const name = change.kind === 'renamed' ? change.to : change.name
  if (what === 'store') return topology.stores.find((store) => store.name === name)?.nodes[0]
  if (what === 'timers') return topology.nodes.find((node) => name.startsWith(`${node.name} (`))?.name
  const boundary = topology.boundaries.find(({ topic }) => topic === name)
  return boundary?.from ?? topology.stores.find((store) => `${store.name}-changelog` === name)?.nodes[0]
}

function title(what: What, change: Lost): string {
  switch (change.kind) {
    case 'renamed':
      return `The ${what} ${change.from} would be called ${change.to}`
    case 'reset':
      return `The ${what} ${change.name} would be read by other rules than it was written`
    case 'stranded':
      return `The ${what} ${change.name} would be left behind`
  }
}

function detail(change: Lost): string {
  if (change.kind === 'reset') {
    return `${listOf(change.differences.map(({ what, before, after }) => `${what}: ${before} → ${after}`))}.`
  }
  return change.kind === 'renamed' ? `Before: ${change.from}.` : 'Nothing uses it any more.'
}

function consequence(what: What, change: Lost): string {
  if (change.kind === 'reset') return detail(change)
  if (what === 'timers') return 'What is pending there would never fire.'
  if (what === 'internal topic') return 'Records that still stand in the old one would not be read.'
  return change.kind === 'renamed' ? 'Under its new name it starts empty.' : 'What it holds is no longer used.'
}

function remedy(what: What, change: Lost): string {
  if (change.kind === 'renamed') return `Keep the name: call it ${change.from} explicitly.`
  if (change.kind === 'stranded') return 'If that is meant, delete the old state.'
  return what === 'timers'
    ? 'Keep the serde, or set timers.serde-change to migrate or strand.'
    : 'Keep serdes and windows as they were, or give it a new name so that it starts anew.'
}
