import type { Cancellable, Clock } from '@lanescope/core'
import { generateTopology } from '@lanescope/shared'
import type { Workspace } from '../../../model/Workspace.js'
import type { AppStores } from '../../../store/AppStores.js'
import { codeProblems } from './codeProblems.js'
import { LanguageClient, type LanguagePort } from './LanguageClient.js'

/** A pause in typing, after which the files are checked. */
const PAUSE_MS = 250

/** Keeps the language service in step with the open project. It costs nothing until the code is first looked at. */
export class LanguageKeeper {
  readonly #stores: Pick<AppStores, 'project' | 'findings'>
  readonly #clock: Pick<Clock, 'after'>
  readonly #createWorker: () => LanguagePort
  #client: LanguageClient | undefined
  #planned: Cancellable | undefined
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
    this.#client?.ask({ type: 'sync', files: { ...workspace.files, ...generatedFiles(workspace) } }).catch(warn)
    this.#planned?.cancel()
    this.#planned = this.#clock.after(PAUSE_MS, () => {
      this.#check(workspace).catch(warn)
    })
  }

  async #check(workspace: Workspace): Promise<void> {
    this.#checks += 1
    const check = this.#checks
    const found = await this.#client?.ask({ type: 'check', paths: Object.keys(workspace.files) })
    if (found === undefined || check !== this.#checks) return
    this.#stores.findings.getState().takeCode(found, codeProblems(workspace.document, found))
  }
}

/** A compiler that fails on a text says nothing about it; the next change asks again. */
function warn(error: unknown): void {
  console.warn('The language service failed.', error)
}

/** What users' code may import beside their own files: `./stores`. */
function generatedFiles(workspace: Workspace): { readonly [path: string]: string } {
  const { files } = generateTopology(workspace.document)
  return Object.fromEntries(files.map(({ path, text }) => [path.replace(/^src\//, ''), text]))
}
