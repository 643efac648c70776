import { type CompiledTopology, fromHex, Headers, type SourceSamples, toHex } from '@lanescope/core'
import { sourceName } from '../document/partNames.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { AnalysisHost, Overrun } from './AnalysisHost.js'
import type { NewProblem } from './problems.js'

/** All that the user's serdes may take for the samples of one analysis, in ms. */
export const SAMPLE_BUDGET_MS = 100

export interface SampleKeys {
  /** By source name: the keys that its deserializer can read. */
  readonly samples: ReadonlyMap<string, SourceSamples>
  readonly problems: readonly NewProblem[]
}

/**
 * Reads the sample keys of every source once with its own deserializer, so that validation meets only keys that can
 * be read, and slow code is found here, where its source is known.
 */
export function sampleKeys(
  document: TopologyDocument,
  compiled: CompiledTopology,
  host: AnalysisHost,
  overruns: readonly Overrun[],
): SampleKeys {
  const samples = new Map<string, SourceSamples>()
  const problems: NewProblem[] = []
  const started = host.now()
  for (const node of document.nodes) {
    const keys = document.samples[node.id]?.keys ?? []
    if (node.kind !== 'source' || keys.length === 0) continue
    const place = `the key of ${node.name}`
    const report = (message: string) =>
      problems.push({ rule: 'sample-keys', severity: 'warn', nodeId: node.id, field: 'samples', message })
    const overrun = overruns.find(({ phase }) => phase.step === 'samples' && phase.nodeId === node.id)
    if (overrun !== undefined) {
      report(overrun.message)
      continue
    }
    host.onPhase?.({ step: 'samples', nodeId: node.id, place })
    const name = sourceName(node)
    const readable = keys.map(fromHex).filter((bytes) => {
      const reason = refusal(bytes, compiled, name, node.properties.topics[0] ?? '')
      if (reason !== undefined) report(`The sample key ${toHex(bytes)} of ${node.name} cannot be read: ${reason}`)
      return reason === undefined
    })
    const took = host.now() - started
    if (took <= SAMPLE_BUDGET_MS) samples.set(name, { keys: readable })
    else report(slow(place, took))
  }
  return { samples, problems }
}

export function slow(place: string, tookMs: number): string {
  return `The code that reads ${place} took ${Math.round(tookMs)} ms on the sample keys; ${SAMPLE_BUDGET_MS} ms is the most. The samples are left out.`
}

function refusal(bytes: Uint8Array, compiled: CompiledTopology, name: string, topic: string): string | undefined {
  const deserializer = compiled.nodes.find((node) => node.name === name)?.source?.keyDeserializer
  try {
    deserializer?.deserialize(topic, Headers.empty, bytes)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
