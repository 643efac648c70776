import type { CompiledStore, CompiledTopology } from '../topology/CompiledTopology.js'
import { pairRenamed } from './pairRenamed.js'

/** What a change of the topology does to something that is kept by name. */
export type StateChange =
  /** It is kept under another name, so that what was written is not found again. */
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  /** The name stays, but what was written cannot be read, or means something else. */
  | { readonly kind: 'reset'; readonly name: string; readonly differences: readonly Difference[] }
  /** Nothing uses it any more. */
  | { readonly kind: 'stranded'; readonly name: string }
  /** It is new, and starts empty. */
  | { readonly kind: 'added'; readonly name: string }

/** One property of what is kept, before and after. */
export interface Difference {
  readonly what: string
  readonly before: string
  readonly after: string
}

/** What is kept between two runs, by name, and what becomes of it (V12). Each list in the order of the topologies. */
export interface TopologyComparison {
  readonly stores: readonly StateChange[]
  /** Changelogs and repartition topics, as Kafka Streams names them without the application's id. */
  readonly topics: readonly StateChange[]
  /** By the node that sets them. */
  readonly timers: readonly StateChange[]
  /** Whether state would be lost: anything that is renamed, reset or stranded. */
  readonly losesState: boolean
}

/** Something that is kept by name, and what it must be alike in to be found again. */
interface Kept {
  readonly name: string
  readonly form: ReadonlyMap<string, string>
}

/**
 * Compares a topology with the one that ran before it: which stores, internal topics and timers a start of the new one
 * over the state of the old would reset, rename or strand (V12). Pure; it knows names and forms, not the state itself.
 *
 * A rename is told where something of the same form is gone under one name and there under another, in order.
 */
export function compareTopologies(before: CompiledTopology, after: CompiledTopology): TopologyComparison {
  const stores = compare(storesOf(before), storesOf(after))
  const topics = compare(topicsOf(before), topicsOf(after))
  const timers = compare(timersOf(before), timersOf(after))
  const losesState = [...stores, ...topics, ...timers].some(({ kind }) => kind !== 'added')
  return { stores, topics, timers, losesState }
}

function compare(before: readonly Kept[], after: readonly Kept[]): StateChange[] {
  const gone = before.filter(({ name }) => !after.some((other) => other.name === name))
  const come = after.filter(({ name }) => !before.some((other) => other.name === name))
  const renamed = pairRenamed(gone, come, isAlike)
  return [
    ...before.flatMap((old) => {
      const now = after.find(({ name }) => name === old.name)
      if (now !== undefined) return changed(old, now)
      const to = renamed.get(old)
      if (to !== undefined) return [{ kind: 'renamed' as const, from: old.name, to: to.name }]
      return [{ kind: 'stranded' as const, name: old.name }]
    }),
    ...come.filter((one) => ![...renamed.values()].includes(one)).map(({ name }) => ({ kind: 'added' as const, name })),
  ]
}

function changed(old: Kept, now: Kept): StateChange[] {
  const keys = new Set([...old.form.keys(), ...now.form.keys()])
  const differences = [...keys]
    .map((what) => ({ what, before: old.form.get(what) ?? 'none', after: now.form.get(what) ?? 'none' }))
    .filter((one) => one.before !== one.after)
  return differences.length === 0 ? [] : [{ kind: 'reset', name: now.name, differences }]
}

function isAlike(one: Kept, other: Kept): boolean {
  return changed(one, other).length === 0
}

function storesOf({ stores }: CompiledTopology): Kept[] {
  return stores.map(({ name, builder, key, value }) => ({
    name,
    form: formOf({
      kind: builder.kind,
      'key serde': key.serde?.id ?? key.label,
      'value serde': value.serde?.id ?? value.label,
      'window size': builder.windowSizeMs,
      retention: builder.retentionMs,
    }),
  }))
}

function topicsOf(topology: CompiledTopology): Kept[] {
  const changelogs = topology.stores.filter(hasChangelog).map(({ name, key, value }) => ({
    name: `${name}-changelog`,
    form: formOf({ 'key serde': key.serde?.id ?? key.label, 'value serde': value.serde?.id ?? value.label }),
  }))
  const repartitions = topology.boundaries.flatMap(({ topic, from, to, key }) => {
    if (topic === undefined) return []
    const value = topology.edges.find((edge) => edge.from === from && edge.to === to)?.value
    return [{ name: topic, form: formOf({ 'key serde': key.serde?.id ?? key.label, 'value serde': value?.serde?.id }) }]
  })
  return [
    ...changelogs,
    ...repartitions.filter(({ name }, at) => repartitions.findIndex((o) => o.name === name) === at),
  ]
}

function hasChangelog({ builder, global, sourceTopic }: CompiledStore): boolean {
  return builder.logging !== false && global !== true && sourceTopic === undefined
}

function timersOf({ nodes }: CompiledTopology): Kept[] {
  return nodes.flatMap(({ name, timers, timerKey }) =>
    [...timers].sort().map((domain) => ({
      name: `${name} (${domain})`,
      form: formOf({ 'key serde': timerKey?.serde?.id ?? timerKey?.label }),
    })),
  )
}

function formOf(values: { readonly [what: string]: string | number | undefined }): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).flatMap(([what, value]) => (value === undefined ? [] : [[what, `${value}`]])))
}
