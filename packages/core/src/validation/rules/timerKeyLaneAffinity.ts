import { toHex } from '../../model/bytes.js'
import type {
  CompiledBoundary,
  CompiledNode,
  CompiledTopology,
  ResolvedSerde,
} from '../../topology/CompiledTopology.js'
import { declareSource } from '../declareSource.js'
import type { ByteProof, Finding, FindingPlace, Fix, ValidationInput, ValidationRule } from '../Finding.js'
import { type LaneEntry, laneEntries } from '../laneEntries.js'
import { laneSerdeId } from '../laneSerdeId.js'
import { type KeyProofs, proveKeys } from '../proveKeys.js'

const id = 'timer-key-lane-affinity'

const why =
  'A key is worked on by one lane, so that process and onTimer for it never overlap. The lane is picked by a hash of ' +
  "the key's bytes: for a record, the bytes it was laned by; for a timer, the bytes that the timer key serde writes. " +
  'Where the two differ, they can pick different lanes: onTimer then runs beside process for the same key, and a ' +
  'change that one of them makes to the state can be lost. Some keys agree by luck at one lane count and split at another.'

/** V1 (A1): a timer processor whose timers' bytes may differ from those that laned its records. */
export const timerKeyLaneAffinity: ValidationRule = {
  id,
  spec: 'A1',
  check(input) {
    if (input.config['topology.validation.timer-key-lane-affinity'] === 'off') return []
    return input.topology.nodes.flatMap((node) => checkProcessor(input, node))
  },
}

function checkProcessor(input: ValidationInput, node: CompiledNode): Finding[] {
  const { timerKey } = node
  if (node.timers.length === 0 || timerKey?.serde === undefined) return []
  if (laneCountOf(input.topology, node) === 1) return []
  return laneEntries(input.topology, node.name).flatMap((entry) => {
    if (entry.kind === 'boundary') {
      return splitsAtBoundary(entry.boundary, timerKey) ? [boundaryFinding(input, node, timerKey, entry)] : []
    }
    return splitsAtSource(entry.source, timerKey) ? [sourceFinding(input, node, timerKey, entry)] : []
  })
}

function splitsAtSource({ key, source }: CompiledNode, timerKey: ResolvedSerde): boolean {
  if (source === undefined || source.laneBy === 'partition') return false
  return source.keyForm === 'deserializer' || (key.serde !== undefined && key.serde.id !== laneSerdeId(timerKey))
}

/** A partitioner of the user's own picks lanes without hashing: no contract to break (A8). */
function splitsAtBoundary({ key, partitioner }: CompiledBoundary, timerKey: ResolvedSerde): boolean {
  return partitioner === undefined && key.serde !== undefined && laneSerdeId(key) !== laneSerdeId(timerKey)
}

function sourceFinding(
  input: ValidationInput,
  node: CompiledNode,
  timerKey: ResolvedSerde,
  entry: LaneEntry & { readonly kind: 'source' },
): Finding {
  const { source, path } = entry
  const proven = proveSamples(input, node, timerKey, source)
  const fixes = fixesFor(input, source, proven)
  const note = noteFor(input, source, fixes, proven)
  return {
    ...frame(input, node, source.name),
    nodes: [source.name, node.name],
    path,
    places: [sourcePlace(source), timerPlace(node, timerKey)],
    message: `${sourceSentence(source)} ${timerSentence(node, timerKey)}, ${outcome(proven.proofs)}.`,
    fixes,
    ...(note !== undefined && { note }),
    proofs: proven.proofs,
  }
}

function boundaryFinding(
  input: ValidationInput,
  node: CompiledNode,
  timerKey: ResolvedSerde,
  { boundary, path }: LaneEntry & { readonly kind: 'boundary' },
): Finding {
  const { from, to, key } = boundary
  return {
    ...frame(input, node, `${from}->${to}`),
    nodes: [...new Set([from, to, node.name])],
    path,
    places: [
      { node: to, title: `Lane picked by ${laneSerdeId(key)}.`, detail: `${origin(key)}.` },
      timerPlace(node, timerKey),
    ],
    message:
      `Records cross from ${from} to ${to} to the lane that ${laneSerdeId(key)} picks. ` +
      `${timerSentence(node, timerKey)}, which may write other bytes.`,
    fixes: [],
    note: `Declare one key serde for both: where the records are grouped or written in front of ${node.name}, or as default.key.serde.`,
  }
}

/** What all findings of this rule share. */
function frame(input: ValidationInput, node: CompiledNode, from: string) {
  const verdict = input.config['topology.validation.timer-key-lane-affinity']
  return {
    id: `${id}:${from}:${node.name}`,
    rule: id,
    severity: verdict === 'error' ? ('error' as const) : ('warn' as const),
    node: node.name,
    title: `Timers of ${node.name} can fire on another lane than their records`,
    why,
  }
}

function sourcePlace({ name, key, source }: CompiledNode): FindingPlace {
  if (source?.keyForm === 'deserializer') {
    return { node: name, title: 'Key read by a deserializer.', detail: 'No serde says how to write it.' }
  }
  return { node: name, title: `Key declared as ${key.label}.`, detail: `${origin(key)}.` }
}

function timerPlace({ name }: CompiledNode, timerKey: ResolvedSerde): FindingPlace {
  if (timerKey.status === 'defaulted') {
    return { node: name, title: 'Timer key written by the default.', detail: `default.key.serde is ${timerKey.label}.` }
  }
  return { node: name, title: `Timer key written by ${laneSerdeId(timerKey)}.`, detail: `${origin(timerKey)}.` }
}

function sourceSentence({ name, key, source }: CompiledNode): string {
  return source?.keyForm === 'deserializer'
    ? `${name} reads its key with a deserializer and declares no serde.`
    : `${name} says that its key is written by ${key.label}.`
}

function timerSentence({ name }: CompiledNode, timerKey: ResolvedSerde): string {
  const by = timerKey.status === 'defaulted' ? 'the default' : laneSerdeId(timerKey)
  return `${name} writes timer keys with ${by}`
}

/** Ends the sentence about the timer key. */
function outcome(proofs: readonly ByteProof[]): string {
  if (proofs.length === 0) return 'which may write other bytes'
  if (proofs.some((proof) => proof.verdict !== 'same-bytes')) return 'which writes other bytes'
  return 'which writes the same bytes for every sample key, but nothing promises that it does for all'
}

function origin({ status, by, node, label }: ResolvedSerde): string {
  if (status === 'defaulted') return `${by} is ${label}`
  return node === undefined ? `${by} declares it` : `${by} on ${node} declares it`
}

function proveSamples(
  input: ValidationInput,
  node: CompiledNode,
  timerKey: ResolvedSerde,
  source: CompiledNode,
): KeyProofs {
  return proveKeys({
    topic: topicOf(source),
    keys: input.samples.get(source.name)?.keys ?? [],
    deserializer: source.source?.keyDeserializer,
    timerKey,
    laneCount: laneCountOf(input.topology, node),
  })
}

/** Only a serde that is proven on every sample key is offered. */
function fixesFor(input: ValidationInput, source: CompiledNode, { proofs }: KeyProofs): Fix[] {
  const fix = source.source?.keyForm === 'deserializer' ? declareSource(input, source) : undefined
  if (fix === undefined) return []
  const shown = proofs.find((proof) => proof.verdict === 'split') ?? proofs[0]
  const effect =
    shown === undefined
      ? 'Timers write the very bytes that the topic holds.'
      : `Timers write ${toHex(shown.recordBytes, ' ')} too: both on lane ${shown.recordLane}.`
  return [{ ...fix, effect }]
}

function noteFor(
  input: ValidationInput,
  source: CompiledNode,
  fixes: readonly Fix[],
  proven: KeyProofs,
): string | undefined {
  if (fixes.length > 0) return undefined
  if (source.source?.keyForm !== 'deserializer') {
    return `Declare the same key serde on ${source.name} as for the timers, or set default.key.serde to it.`
  }
  const [unreadable] = proven.unproven
  if (unreadable !== undefined && proven.proofs.length === 0) {
    return `The sample key ${toHex(unreadable.bytes, ' ')} cannot be followed: ${unreadable.reason}`
  }
  if ((input.samples.get(source.name)?.keys ?? []).length === 0) {
    return `Give ${source.name} a sample key: then a serde that writes its very bytes can be proposed.`
  }
  return (
    `No built-in serde reads the sample keys of ${source.name} as its deserializer does and writes them back as the ` +
    'same bytes. Declare a serde of your own that does, with Consumed.with(…).'
  )
}

function topicOf({ name, source }: CompiledNode): string {
  return source?.topics[0] ?? name
}

function laneCountOf(topology: CompiledTopology, { subTopology }: CompiledNode): number {
  return topology.subTopologies[subTopology]?.laneCount ?? 1
}
