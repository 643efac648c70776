import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@lanescope/core'
import {
  type ExampleSummary,
  type Project,
  type ProjectSummary,
  parseDocument,
  type RequestOf,
  writeDocument,
} from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import { editorFiles, type PackageTypes } from './editorFiles.js'
import { copyExample, listExamples } from './examples.js'
import { copyProject, inTrash, moveToTrash } from './movedFolders.js'
import { newProject } from './newProject.js'
import type { ProjectChange } from './ProjectChanges.js'
import { checkModulePath, checkProjectId, isProjectId } from './paths.js'
import { Revisions } from './Revisions.js'
import { readConfig, readDocument } from './readDocument.js'
import { type FolderContent, isMissing, readFolder } from './readFolder.js'
import { Turns } from './Turns.js'
import { watchFolder } from './watchFolder.js'
import { writeAtomically } from './writeAtomically.js'
import { type GeneratedModules, generateModules, writeGenerated, writeModules } from './writeGenerated.js'

type SaveRequest = Omit<RequestOf<'save-project'>, 'id' | 'type'>

/** What a save writes of a document: itself, where it is a new one, and what is generated from it. */
interface SaveTexts {
  readonly topology: string | undefined
  readonly modules: GeneratedModules | undefined
}

export interface ProjectStoreOptions {
  /** Where projects live; made when it is first needed. */
  readonly folder: string
  readonly examplesFolder: string
  /** For editors of people's own; see `editorFiles`. */
  readonly packageTypes: PackageTypes
  readonly clock: Clock
  /** Told of each change of a project that was opened since the start. */
  readonly onChange: (change: ProjectChange) => void
  readonly onTrouble: (message: string) => void
}

/** The turn of making projects: one at a time, or two would take the same name. No project has this id. */
const NEW_PROJECTS = '*'

/** The projects: one folder each, that people also edit with tools of their own. */
export class ProjectStore {
  readonly #options: ProjectStoreOptions
  readonly #revisions = new Revisions()
  readonly #turns = new Turns()
  readonly #watches = new Map<string, () => void>()

  constructor(options: ProjectStoreOptions) {
    this.#options = options
  }

  /** The absolute folder of a project. @throws AgentError PATH_INVALID */
  folderOf(projectId: string): string {
    checkProjectId(projectId)
    return join(this.#options.folder, projectId)
  }

  /** @throws AgentError PATH_INVALID, NOT_FOUND */
  async existingFolderOf(projectId: string): Promise<string> {
    await this.#read(projectId)
    return this.folderOf(projectId)
  }

  /**
   * Brings the generated files up to date with what is on disk, for a run of exactly that.
   *
   * @returns the project's folder
   * @throws AgentError PATH_INVALID, NOT_FOUND, DOCUMENT_INVALID
   */
  prepareRun(projectId: string): Promise<string> {
    return this.#turns.take(projectId, async () => {
      const { topology } = await this.#read(projectId)
      readDocument(topology, `${projectId}/topology.json`)
      await this.#generate(projectId)
      return this.folderOf(projectId)
    })
  }

  async list(): Promise<readonly ProjectSummary[]> {
    const summaries: ProjectSummary[] = []
    for (const id of await this.#ids()) {
      const summary = await this.#summary(id)
      if (summary) summaries.push(summary)
    }
    return summaries.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? -1 : 1))
  }

  /** A list shows a project that cannot be read too: opening it tells why. One of them must not hide all others. */
  async #summary(id: string): Promise<ProjectSummary | undefined> {
    try {
      const content = await readFolder(this.folderOf(id))
      return content && summarize(id, content)
    } catch {
      return { id, name: id, nodes: 0, changedAt: 0 }
    }
  }

  listExamples(): Promise<readonly ExampleSummary[]> {
    return listExamples(this.#options.examplesFolder)
  }

  /** @throws AgentError NOT_FOUND, DOCUMENT_INVALID (nothing on disk is touched) */
  open(projectId: string): Promise<Project> {
    return this.#turns.take(projectId, async () => {
      const content = await this.#read(projectId)
      const project = this.#toProject(projectId, content)
      this.#watch(projectId)
      return project
    })
  }

  /** Makes an empty project in a folder of that name, or of the name and a number where it is taken. @throws AgentError PATH_INVALID */
  create(name: string): Promise<Project> {
    return this.#turns.take(NEW_PROJECTS, async () => {
      checkProjectId(name)
      const id = await this.#freeId(name)
      const { topology, config, files } = newProject(name, id)
      readDocument(topology, 'topology.json')
      const folder = this.folderOf(id)
      await writeAtomically(folder, join(folder, 'topology.json'), topology)
      await writeAtomically(folder, join(folder, 'app.config.json'), config)
      for (const [path, text] of Object.entries(files)) await writeAtomically(folder, join(folder, 'src', path), text)
      await this.#writeEditorFiles(id)
      await this.#generate(id)
      return this.open(id)
    })
  }

  /** Opens the project made from an example, making it first when there is none, or when a fresh one is wanted. */
  openExample(exampleId: string, fresh: boolean): Promise<Project> {
    return this.#turns.take(NEW_PROJECTS, async () => {
      const example = (await this.listExamples()).find(({ id }) => id === exampleId)
      if (!example) throw notFound(`There is no example "${exampleId}"`, { exampleId })
      const taken = await readFolder(this.folderOf(exampleId))
      if (taken && !fresh) return this.open(exampleId)
      const id = await this.#freeId(exampleId)
      await mkdir(this.#options.folder, { recursive: true })
      await copyExample(join(this.#options.examplesFolder, exampleId), this.folderOf(id))
      await this.#writeEditorFiles(id)
      await this.#generate(id)
      return this.open(id)
    })
  }

  /**
   * Gives a project's folder another name. Its topology is called so too, if it was called as its folder.
   *
   * @throws AgentError NOT_FOUND, PATH_INVALID, NAME_TAKEN
   */
  rename(projectId: string, name: string): Promise<string> {
    return this.#turns.take(NEW_PROJECTS, () =>
      this.#turns.take(projectId, async () => {
        checkProjectId(name)
        const { topology } = await this.#read(projectId)
        if (name === projectId) return name
        if ((await this.#freeId(name, projectId)) !== name) throw nameTaken(name)
        this.#letGo(projectId)
        const folder = this.folderOf(name)
        await rename(this.folderOf(projectId), folder)
        await retitle(folder, topology, projectId, name)
        return name
      }),
    )
  }

  /** Copies a project under the next free name, with an `application.id` of its own. @throws AgentError NOT_FOUND */
  duplicate(projectId: string): Promise<string> {
    return this.#turns.take(NEW_PROJECTS, () =>
      this.#turns.take(projectId, async () => {
        const { topology, config } = await this.#read(projectId)
        const id = await this.#freeId(projectId)
        const folder = this.folderOf(id)
        await copyProject(this.folderOf(projectId), folder)
        await retitle(folder, topology, projectId, id)
        const own = { ...readConfig(config, `${id}/app.config.json`), 'application.id': id }
        await writeAtomically(folder, join(folder, 'app.config.json'), `${JSON.stringify(own, null, 2)}\n`)
        return id
      }),
    )
  }

  /** Moves a project to the trash, with its state and topics. @returns what `restore` takes. @throws AgentError NOT_FOUND */
  trash(projectId: string): Promise<string> {
    return this.#turns.take(projectId, async () => {
      await this.#read(projectId)
      this.#letGo(projectId)
      return moveToTrash(this.#options.folder, projectId, this.#options.clock.now())
    })
  }

  /** Takes a project out of the trash. @returns its id: another one, where its own has been taken. @throws AgentError NOT_FOUND */
  restore(trashId: string): Promise<string> {
    return this.#turns.take(NEW_PROJECTS, async () => {
      const { folder, projectId } = inTrash(this.#options.folder, trashId)
      if (!(await readFolder(folder))) throw notFound(`Nothing in the trash is called "${trashId}"`, { trashId })
      const id = await this.#freeId(projectId)
      await rename(folder, this.folderOf(id))
      return id
    })
  }

  /**
   * Writes what is given, with the generated files: all of it, or nothing where the document cannot be written.
   *
   * @returns the new revision
   * @throws AgentError CONFLICT when the project has changed since `baseRevision`, DOCUMENT_INVALID, PROJECT_CODE
   */
  async save(request: SaveRequest): Promise<number> {
    const { projectId } = request
    for (const path of Object.keys(request.files ?? {})) checkModulePath(path)
    for (const path of request.deletedFiles ?? []) checkModulePath(path)
    return this.#turns.take(projectId, async () => {
      const before = this.#revisions.see(projectId, await this.#read(projectId))
      if (before.revision !== request.baseRevision) throw conflict(projectId, request.baseRevision, before.revision)
      const texts = await this.#textsOf(request)
      try {
        await this.#write(request, texts.topology)
        if (texts.modules !== undefined) await writeModules(this.folderOf(projectId), texts.modules)
      } catch (error) {
        // What a full disk let through is the page's own all the same, and no edit of anybody else.
        await this.#seeOwn(projectId)
        throw error
      }
      return this.#seeOwn(projectId)
    })
  }

  close(): void {
    for (const stop of this.#watches.values()) stop()
    this.#watches.clear()
  }

  /** All that can be wrong with a document shows here, before anything is written. One that lies broken on disk stays as it is. */
  async #textsOf({ projectId, document }: SaveRequest): Promise<SaveTexts> {
    if (document !== undefined) {
      const topology = writeDocument(document)
      return { topology, modules: await generateModules(readDocument(topology, 'The document to save')) }
    }
    const onDisk = parseDocument((await this.#read(projectId)).topology)
    return { topology: undefined, modules: onDisk.ok ? await generateModules(onDisk.document) : undefined }
  }

  /** Takes what is on disk now for what the page has written. */
  async #seeOwn(projectId: string): Promise<number> {
    const { revision, changed } = this.#revisions.see(projectId, await this.#read(projectId))
    if (changed) this.#options.onChange({ projectId, revision, by: 'page' })
    return revision
  }

  async #write({ projectId, files, deletedFiles, config }: SaveRequest, topology: string | undefined) {
    const folder = this.folderOf(projectId)
    for (const [path, text] of Object.entries(files ?? {}))
      await writeAtomically(folder, join(folder, 'src', path), text)
    for (const path of deletedFiles ?? []) await rm(join(folder, 'src', path), { force: true })
    if (config !== undefined) {
      await writeAtomically(folder, join(folder, 'app.config.json'), `${JSON.stringify(config, null, 2)}\n`)
    }
    if (topology !== undefined) await writeAtomically(folder, join(folder, 'topology.json'), topology)
  }

  /** What is there already is the project's own. */
  async #writeEditorFiles(projectId: string): Promise<void> {
    const folder = this.folderOf(projectId)
    const there = new Set(await readdir(folder))
    for (const [path, text] of Object.entries(editorFiles(folder, projectId, this.#options.packageTypes)))
      if (!there.has(path)) await writeAtomically(folder, join(folder, path), text)
  }

  async #generate(projectId: string): Promise<void> {
    const { topology } = await this.#read(projectId)
    await writeGenerated(this.folderOf(projectId), topology)
  }

  #watch(projectId: string): void {
    if (this.#watches.has(projectId)) return
    const folder = this.folderOf(projectId)
    const onChange = () => {
      this.#turns
        .take(projectId, () => this.#lookAgain(projectId))
        .catch((error: unknown) => {
          this.#options.onTrouble(`${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
        })
    }
    this.#watches.set(projectId, watchFolder(folder, this.#options.clock, onChange, this.#options.onTrouble))
  }

  /** A folder that goes away is watched no more. */
  #letGo(projectId: string): void {
    this.#watches.get(projectId)?.()
    this.#watches.delete(projectId)
    this.#revisions.forget(projectId)
  }

  async #lookAgain(projectId: string): Promise<void> {
    const content = await readFolder(this.folderOf(projectId))
    if (content === undefined) return
    const { revision, changed } = this.#revisions.see(projectId, content)
    if (changed) this.#options.onChange({ projectId, revision, by: 'disk' })
  }

  async #read(projectId: string): Promise<FolderContent> {
    const content = await readFolder(this.folderOf(projectId))
    if (content) return content
    throw notFound(`There is no project "${projectId}": ${this.folderOf(projectId)} holds no topology.json`, {
      projectId,
    })
  }

  #toProject(id: string, content: FolderContent): Project {
    const document = readDocument(content.topology, `${id}/topology.json`)
    const config = readConfig(content.config, `${id}/app.config.json`)
    const { revision } = this.#revisions.see(id, content)
    return { id, revision, document, files: content.files, config }
  }

  async #ids(): Promise<readonly string[]> {
    try {
      const entries = await readdir(this.#options.folder, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory() && isProjectId(entry.name)).map((entry) => entry.name)
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  /** `wanted`, or with the first number behind it that no folder has. Upper and lower case are one on some disks. */
  async #freeId(wanted: string, except?: string): Promise<string> {
    const ids = (await this.#ids()).filter((id) => id !== except)
    const taken = new Set(ids.map((id) => id.toLowerCase()))
    for (let number = 1; ; number++) {
      const id = number === 1 ? wanted : `${wanted}-${number}`
      if (!taken.has(id.toLowerCase())) return id
    }
  }
}

/** The topology of a folder with another name is called as the folder, if it was before. A broken one stays as it is. */
async function retitle(folder: string, topology: string, before: string, now: string): Promise<void> {
  if (facts(topology).name !== before) return
  const document = { ...readDocument(topology, 'topology.json'), name: now }
  await writeAtomically(folder, join(folder, 'topology.json'), writeDocument(document))
}

function nameTaken(name: string): AgentError {
  return new AgentError(`There is a project "${name}" already; take another name`, {
    code: 'NAME_TAKEN',
    kind: 'user',
    retriable: false,
    context: { name },
  })
}

function summarize(id: string, content: FolderContent): ProjectSummary {
  const { name, nodes } = facts(content.topology)
  return { id, name: name ?? id, nodes, changedAt: content.changedAt }
}

/** A list shows a broken project too: opening it tells what is wrong with it. */
function facts(topology: string): { name: string | undefined; nodes: number } {
  try {
    const { name, nodes } = readDocument(topology, 'topology.json')
    return { name, nodes: nodes.length }
  } catch (error) {
    if (error instanceof AgentError) return { name: undefined, nodes: 0 }
    throw error
  }
}

function notFound(message: string, context: { readonly [key: string]: unknown }): AgentError {
  return new AgentError(message, { code: 'NOT_FOUND', kind: 'user', retriable: false, context })
}

function conflict(projectId: string, base: number, newest: number): AgentError {
  return new AgentError(
    `The project "${projectId}" has changed on disk since it was opened (revision ${base}, now ${newest}); nothing was written. Open it again and repeat the edit`,
    { code: 'CONFLICT', kind: 'operational', retriable: false, context: { projectId, base, newest } },
  )
}
