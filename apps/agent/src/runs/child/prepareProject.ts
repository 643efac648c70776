import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  incompleteness,
  type LoadedModule,
  type LoadProblem,
  linkModule,
  loadModules,
  preparedPath,
  type TopologyDocument,
} from '@lanescope/shared'
import { AgentError } from '../../AgentError.js'
import { readConfig, readDocument } from '../../projects/readDocument.js'
import { readFolder, readGenerated } from '../../projects/readFolder.js'
import { runFolderOf } from '../localFolders.js'

/** The modules of a run that Lanescope writes, by what they are for. */
export const ENTRIES = { topology: 'topology.ts', traffic: 'traffic.ts' } as const

/** A package of ours as user code sees it: the agent's own copy. */
export interface ProvidedPackage {
  readonly url: string
  readonly exports: readonly string[]
}

export interface PreparedProject {
  readonly document: TopologyDocument
  /** `app.config.json`, without what holds for this run alone. */
  readonly config: { readonly [key: string]: unknown }
  /** The folder that the modules were written to, as a URL that ends in a slash. */
  readonly runFolder: string
  /** URL of an entry's module; undefined when the project has none. */
  urlOf(entry: string): string | undefined
}

/**
 * Writes what a run imports: the generated text that is on disk and the users' modules, as JavaScript, below the
 * project's folder so that packages which the user installed there are found.
 *
 * @throws AgentError DOCUMENT_INVALID, or PROJECT_CODE with each problem's file and line
 */
export async function prepareProject(
  folder: string,
  runId: string,
  packages: ReadonlyMap<string, ProvidedPackage>,
): Promise<PreparedProject> {
  const content = await readFolder(folder)
  if (content === undefined) throw codeError(`There is no topology.json in ${folder}`, [])
  const document = readDocument(content.topology, 'topology.json')
  const config = readConfig(content.config, 'app.config.json')
  const missing = incompleteness(document)
  if (missing.length > 0) throw codeError(missing.map(({ message }) => message).join(' '), [], { missing })
  const files = new Map([...Object.entries(content.files), ...Object.entries(await readGenerated(folder))])
  const entries = Object.values(ENTRIES).filter((path) => files.has(path))
  const loaded = await loadModules(files, {
    packages: new Map([...packages].map(([name, { exports }]) => [name, exports])),
    foreign: 'leave',
    entries,
  })
  const broken = entries.find((entry) => loaded.broken.has(entry))
  if (broken !== undefined) throw codeError(inWords(loaded.problems), loaded.problems)
  const target = runFolderOf(folder, runId)
  await writeModules(target, loaded.modules, packages)
  return {
    document,
    config,
    runFolder: `${pathToFileURL(target).href}/`,
    urlOf: (entry) => (entries.some((path) => path === entry) ? urlIn(target, entry) : undefined),
  }
}

async function writeModules(
  target: string,
  modules: readonly LoadedModule[],
  packages: ReadonlyMap<string, ProvidedPackage>,
): Promise<void> {
  for (const module of modules) {
    const path = join(target, preparedPath(module.path))
    const code = linkModule(module, (imported) =>
      imported.kind === 'module'
        ? urlIn(target, imported.path)
        : (packages.get(imported.specifier)?.url ?? imported.specifier),
    )
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
}

function urlIn(target: string, path: string): string {
  return pathToFileURL(join(target, preparedPath(path))).href
}

function inWords(problems: readonly LoadProblem[]): string {
  const [first] = problems
  if (first === undefined) return 'The code of the project cannot be loaded'
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return `src/${first.file}, line ${first.line}: ${first.message}${more}`
}

function codeError(message: string, problems: readonly LoadProblem[], context: object = {}): AgentError {
  return new AgentError(message, {
    code: 'PROJECT_CODE',
    kind: 'user',
    retriable: false,
    context: problems.length > 0 ? { problems, ...context } : { ...context },
  })
}
