import type { Cancellable, Clock } from '@lanescope/core'
import { isGeneratedPath } from '@lanescope/shared'
import type { Workspace } from '../../../model/Workspace.js'
import type { AppStores } from '../../../store/AppStores.js'
import { codeProblems } from './codeProblems.js'
import { GeneratedModules, textsOf } from './GeneratedModules.js'
import { generatedProblems } from './generatedProblems.js'
import { LanguageClient, type LanguagePort } from './LanguageClient.js'

/** A pause in typing, after which the files are checked. */
const PAUSE_MS = 250

/**
 * Keeps the language service in step with the open project. It costs nothing until the code is first looked at, run or
 * exported. What is generated is checked like what people wrote: the export is compiled from both.
 */
export class LanguageKeeper {
  readonly #stores: Pick<AppStores, 'project' | 'findings'>
  readonly #clock: Pick<Clock, 'after'>
  readonly #createWorker: () => LanguagePort
  #client: LanguageClient | undefined
  #planned: Cancellable | undefined
  readonly #generated = new GeneratedModules()
  /** Counts checks, so that one that was overtaken tells nothing. */
  #checks = 0

  constructor(
    stores: Pick<AppStores, 'project' | 'findings'>,
    clock: Pick<Clock, 'after'>,
    createWorker: () => LanguagePort,
  ) {
    this.#stores = stores
    this.#clock = clock
    this.#createWorker = createWorker
  }

  /** The service, started at the first call. */
  client(): LanguageClient {
    if (this.#client === undefined) {
      this.#client = new LanguageClient(this.#createWorker())
      this.#sync(this.#stores.project.getState().workspace)
      this.#stores.project.subscribe(({ workspace }, before) => {
        if (workspace !== before.workspace) this.#sync(workspace)
      })
    }
    return this.#client
  }

  #sync(workspace: Workspace): void {
    this.#send(workspace)
    this.#planned?.cancel()
    this.#planned = this.#clock.after(PAUSE_MS, () => {
      this.#check(workspace).catch(warn)
    })
  }

  #send({ document, files }: Workspace): void {
    const generated = textsOf(this.#generated.of(document))
    this.#client?.ask({ type: 'sync', files: { ...files, ...generated } }).catch(warn)
  }

  async #check(workspace: Workspace): Promise<void> {
    this.#checks += 1
    const check = this.#checks
    const { document, files } = workspace
    const topology = await this.#generated.laidOut(document)
    if (check !== this.#checks || this.#stores.project.getState().workspace !== workspace) return
    this.#send(workspace)
    const paths = [...new Set([...Object.keys(files), ...Object.keys(textsOf(topology))])]
    const found = await this.#client?.ask({ type: 'check', paths })
    if (found === undefined || check !== this.#checks) return
    const generated = found.filter(({ path }) => isGeneratedPath(path))
    const own = codeProblems(
      document,
      found.filter(({ path }) => !isGeneratedPath(path)),
    )
    this.#stores.findings.getState().takeCode(found, [...own, ...generatedProblems(document, topology, generated, own)])
  }
}

/** A compiler that fails on a text says nothing about it; the next change asks again. */
function warn(error: unknown): void {
  console.warn('The language service failed.', error)
}
