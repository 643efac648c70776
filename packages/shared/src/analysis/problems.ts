import { StreamError } from '@lanescope/core'
import type { MissingPart } from '../document/incompleteness.js'
import { ownStoreOf } from '../document/nodeForms.js'
import { isPartName } from '../document/partNames.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import type { LoadProblem, LoadResult } from '../loader/LoadedModule.js'
import { fileOfModule } from '../loader/specifiers.js'
import type { AnalysisProblem } from './AnalysisResult.js'
import { type CodeUse, isStubbed } from './codeUses.js'

/** A problem without its id: that follows from its place and code. */
export type NewProblem = Omit<AnalysisProblem, 'id'> & { readonly rule: string }

/** A problem is the same one while its rule, node and file are. */
export function withId({ rule, ...problem }: NewProblem): AnalysisProblem {
  const id = [rule, problem.nodeId, problem.field, problem.file].filter((part) => part !== undefined).join(':')
  return { id, ...problem }
}

/** An error, since nothing runs without the part. */
export function missingPartProblem(part: MissingPart): NewProblem {
  return { rule: 'unfinished', severity: 'error', nodeId: part.nodeId, field: part.field, message: part.message }
}

/** What is wrong with a file, once for each node whose code it is; once without a node when it is nobody's. */
export function fileProblems(problem: LoadProblem, uses: readonly CodeUse[]): NewProblem[] {
  const { file, line, column, message, code } = problem
  const files = problem.files ?? [file]
  const runsHere = uses.some((use) => !isStubbed(use) && files.includes(fileOfModule(use.code.module)))
  // A run finds other packages in the project's folder; a processor of a run may use them.
  const severity = code === 'foreign-import' && !runsHere ? 'warn' : 'error'
  return onNodesOf(files, uses, { rule: code, severity, file, line, column, message })
}

/** The problem once for each node with code in one of the files; once without a node when there is none. */
export function onNodesOf(files: readonly string[], uses: readonly CodeUse[], problem: NewProblem): NewProblem[] {
  const ids = new Set(
    uses.filter(({ code }) => files.includes(fileOfModule(code.module))).flatMap(({ nodeIds }) => nodeIds),
  )
  return ids.size === 0 ? [problem] : [...ids].map((nodeId) => ({ ...problem, nodeId }))
}

/** A use whose code is not there: the file is missing, does not load, or has no such export. */
export interface BrokenUse {
  readonly use: CodeUse
  /** Absent when the file's own problem says it already. */
  readonly problem?: NewProblem
}

/** Checks every use of the user's code against what was loaded. `all` holds what could be loaded, reached or not. */
export function brokenUses(
  uses: readonly CodeUse[],
  files: ReadonlyMap<string, string>,
  { problems, broken, exports }: Pick<LoadResult, 'problems' | 'broken' | 'exports'>,
): BrokenUse[] {
  return uses.flatMap((use): BrokenUse[] => {
    const file = fileOfModule(use.code.module)
    const rule = `code-${use.role}`
    const say = (message: string): BrokenUse => ({ use, problem: { rule, severity: 'error', file, message } })
    if (!files.has(file))
      return [say(`${capital(use.place)} is in src/${file}, which does not exist. Create it, or name another.`)]
    const reason = broken.get(file)
    if (reason !== undefined) {
      const isSaid = problems.some((problem) => (problem.files ?? [problem.file]).includes(file))
      return [isSaid ? { use } : say(reason)]
    }
    if (exports.get(file)?.has(use.code.export) === false) {
      return [say(`src/${file} exports no ${use.code.export}, which is ${use.place}.`)]
    }
    return []
  })
}

/** What user code or the engine threw, in one line, on its node when the error knows it. */
export function thrownProblem(
  rule: string,
  error: unknown,
  document: Pick<TopologyDocument, 'nodes' | 'stores'>,
): NewProblem {
  const message = error instanceof Error ? error.message : String(error)
  const nodeId = error instanceof StreamError ? nodeOfError(error, document) : undefined
  return { rule, severity: 'error', message, ...(nodeId === undefined ? {} : { nodeId }) }
}

function nodeOfError(
  { context }: StreamError,
  document: Pick<TopologyDocument, 'nodes' | 'stores'>,
): string | undefined {
  const named = document.nodes.find((node) => isPartName(node, context.node))
  if (named !== undefined || context.store === undefined) return named?.id
  const store = document.stores.find(({ name }) => name === context.store)
  return document.nodes.find(
    (node) =>
      (node.kind === 'processor' && store !== undefined && node.properties.stores.includes(store.id)) ||
      ownStoreOf(node) === context.store,
  )?.id
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
