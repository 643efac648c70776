import { type CompiledTopology, type EngineConfig, parseConfig, type Topology, validate } from '@lanescope/core'
import { type GeneratedTopology, generateAnalysisModule, generateTopology } from '../codegen/generateTopology.js'
import { incompleteness } from '../document/incompleteness.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { AnalysisHost, AnalysisInput } from './AnalysisHost.js'
import { type AnalysisResult, EMPTY_VIEW } from './AnalysisResult.js'
import { isFollowUp } from './followUps.js'
import { missingPartProblem, type NewProblem, thrownProblem, withId } from './problems.js'
import { sampleKeys } from './sampleKeys.js'
import { TopologyBuilder } from './TopologyBuilder.js'
import { type DocumentAnalysis, toAnalysis } from './toAnalysis.js'
import { withoutNodes } from './withoutNodes.js'

const NOTHING: DocumentAnalysis = { view: EMPTY_VIEW, findings: [], suppressed: [] }

interface Built {
  /** Undefined when nothing could be built. */
  readonly topology: Topology | undefined
  readonly document: TopologyDocument
  readonly nodeIds: ReadonlySet<string>
}

/**
 * Says about a document what its compiled topology says: serdes and where they come from, boundaries, lanes, findings.
 *
 * It runs the generated text with the user's own serdes, deserializers and extractors; processors are stubs. What is
 * broken becomes a problem on its node and is left out, so that the rest is still analysed. It keeps what did not
 * change between calls; calls must not overlap.
 */
export class Analyser {
  readonly #host: AnalysisHost
  readonly #builder: TopologyBuilder

  constructor(host: AnalysisHost) {
    this.#host = host
    this.#builder = new TopologyBuilder(host)
  }

  async analyse(input: AnalysisInput): Promise<AnalysisResult> {
    const started = this.#host.now()
    const written = generateTopology(input.document)
    const problems: NewProblem[] = incompleteness(input.document).map(missingPartProblem)
    const config = readConfig(input.config, problems)
    const built = await this.#buildWhatCanBe(input, problems)
    const analysis = this.#judge(built, config, input, problems)
    return {
      ok: analysis !== NOTHING,
      ...analysis,
      problems: unique(problems.map(withId)),
      leftOut: input.document.nodes.map(({ id }) => id).filter((id) => !built.nodeIds.has(id)),
      topologyText: written.text,
      nodeLines: nodeLines(written),
      durationMs: this.#host.now() - started,
    }
  }

  /** Tries, leaves out what the try found broken, and tries again: at most once a node. */
  async #buildWhatCanBe(input: AnalysisInput, problems: NewProblem[]): Promise<Built> {
    const broken = new Set<string>()
    for (;;) {
      const { document } = withoutNodes(input.document, broken)
      const generated = generateAnalysisModule(document)
      if (generated.nodesInOrder.length === 0) return { topology: undefined, document, nodeIds: new Set() }
      const attempt = await this.#builder.build(input, document, generated)
      problems.push(...attempt.problems)
      if (attempt.topology !== undefined) {
        return { topology: attempt.topology, document, nodeIds: new Set(generated.nodesInOrder) }
      }
      const before = broken.size
      for (const id of attempt.broken) broken.add(id)
      if (broken.size === before) return { topology: undefined, document, nodeIds: new Set() }
    }
  }

  #judge(built: Built, config: EngineConfig, input: AnalysisInput, problems: NewProblem[]): DocumentAnalysis {
    const { topology, document } = built
    if (topology === undefined) return NOTHING
    let compiled: CompiledTopology
    try {
      compiled = topology.compile(config)
    } catch (error) {
      problems.push(thrownProblem('compile', error, document))
      return NOTHING
    }
    const keys = sampleKeys(document, compiled, this.#host, input.overruns ?? [])
    problems.push(...keys.problems)
    try {
      const findings = validate({ topology: compiled, config, samples: keys.samples })
      const analysis = toAnalysis(compiled, findings, document)
      const own = analysis.findings.filter((one) => !isFollowUp(one, input.document, built.nodeIds))
      return { ...analysis, findings: own }
    } catch (error) {
      problems.push(thrownProblem('validate', error, document))
      return toAnalysis(compiled, [], document)
    }
  }
}

/** The config as the engine reads it; a wrong one is a problem, and the defaults stand in for it. */
function readConfig(config: AnalysisInput['config'], problems: NewProblem[]): EngineConfig {
  try {
    return parseConfig(config)
  } catch (error) {
    problems.push({ ...thrownProblem('config', error, { nodes: [], stores: [] }), file: 'app.config.json' })
    const { 'application.id': id } = config
    return parseConfig({ 'application.id': typeof id === 'string' && id !== '' ? id : 'unnamed' })
  }
}

function nodeLines(written: GeneratedTopology): AnalysisResult['nodeLines'] {
  const entries = written.nodesInOrder.flatMap((id) => {
    const lines = written.linesOf(id)
    return lines === undefined ? [] : [[id, lines] as const]
  })
  return Object.fromEntries(entries)
}

function unique<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
