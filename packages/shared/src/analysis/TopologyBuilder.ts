import type { Topology } from '@lanescope/core'
import type { GeneratedTopology } from '../codegen/generateTopology.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { BlobLinker } from '../loader/BlobLinker.js'
import type { LoadedModule } from '../loader/LoadedModule.js'
import { loadModules, ModuleCache } from '../loader/loadModules.js'
import { fileOfModule } from '../loader/specifiers.js'
import type { AnalysisHost, AnalysisInput, Overrun } from './AnalysisHost.js'
import { type CodeUse, codeUses, isStubbed } from './codeUses.js'
import { brokenUses, fileProblems, type NewProblem, onNodesOf, thrownProblem } from './problems.js'

const ENTRY = 'topology.ts'

/** A try at building: a topology, or the nodes to leave out of the next try. Problems come with both. */
export interface BuildAttempt {
  readonly topology: Topology | undefined
  readonly problems: readonly NewProblem[]
  /** Ids of nodes that cannot be built. */
  readonly broken: readonly string[]
}

/** Loads generated text with the user's files and calls its `build()`. Unchanged modules are not evaluated again. */
export class TopologyBuilder {
  readonly #host: AnalysisHost
  readonly #cache = new ModuleCache()
  readonly #linker: BlobLinker
  readonly #packages: ReadonlyMap<string, readonly string[]>
  readonly #evaluated = new Set<string>()

  constructor(host: AnalysisHost) {
    this.#host = host
    this.#linker = new BlobLinker(host, host.packages)
    this.#packages = new Map([...host.packages].map(([specifier, namespace]) => [specifier, Object.keys(namespace)]))
  }

  async build(input: AnalysisInput, document: TopologyDocument, generated: GeneratedTopology): Promise<BuildAttempt> {
    const own = new Map(Object.entries(input.files))
    const all = new Map([
      ...own,
      ...generated.files.map(({ path, text }) => [path.replace(/^src\//, ''), text] as const),
    ])
    const loaded = await loadModules(all, {
      packages: this.#packages,
      foreign: 'problem',
      entries: [ENTRY],
      cache: this.#cache,
    })
    const uses = codeUses(document)
    const lost = brokenUses(uses, own, loaded)
    // A file stays the code of a node that an earlier try left out.
    const allUses = codeUses(input.document)
    const problems = [
      ...loaded.problems.filter(({ file }) => own.has(file)).flatMap((problem) => fileProblems(problem, allUses)),
      ...lost.flatMap(({ use, problem }) =>
        problem === undefined ? [] : use.nodeIds.map((nodeId) => ({ ...problem, nodeId })),
      ),
    ]
    // A stub stands in for a processor or a function: without its code the node can still be drawn.
    const broken = lost.filter(({ use }) => !isStubbed(use)).flatMap(({ use }) => use.nodeIds)
    if (broken.length > 0) return { topology: undefined, problems, broken }
    const run = await this.#run(loaded.modules, document, uses, input.overruns ?? [])
    return { ...run, problems: [...problems, ...run.problems] }
  }

  async #run(
    modules: readonly LoadedModule[],
    document: TopologyDocument,
    uses: readonly CodeUse[],
    overruns: readonly Overrun[],
  ): Promise<BuildAttempt> {
    const urls = this.#linker.link(modules)
    for (const { path } of modules) {
      if (path === ENTRY) continue
      const overrun = overruns.find(({ phase }) => phase.step === 'evaluate' && phase.file === path)
      const thrown = overrun?.message ?? (await this.#evaluate(path, urls.get(path) as string))
      if (thrown !== undefined) return failedFile(path, thrown, uses)
    }
    try {
      const { build } = await this.#linker.import(urls.get(ENTRY) as string)
      this.#host.onPhase?.({ step: 'build' })
      return { topology: (build as () => Topology)(), problems: [], broken: [] }
    } catch (error) {
      const problem = thrownProblem('build', error, document)
      return { topology: undefined, problems: [problem], broken: problem.nodeId === undefined ? [] : [problem.nodeId] }
    }
  }

  /** Runs a module's top level, once for each text of it. Gives what it throws. */
  async #evaluate(path: string, url: string): Promise<string | undefined> {
    if (this.#evaluated.has(url)) return undefined
    this.#host.onPhase?.({ step: 'evaluate', file: path })
    try {
      await this.#linker.import(url)
      this.#evaluated.add(url)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}

function failedFile(file: string, message: string, uses: readonly CodeUse[]): BuildAttempt {
  const problems = onNodesOf([file], uses, { rule: 'evaluate', severity: 'error', file, message })
  const inFile = uses.filter((use) => !isStubbed(use) && fileOfModule(use.code.module) === file)
  return { topology: undefined, problems, broken: inFile.flatMap(({ nodeIds }) => nodeIds) }
}
