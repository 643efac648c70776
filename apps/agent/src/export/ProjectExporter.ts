import { exportFiles, type Project, type VendorPackage } from '@lanescope/shared'
import { strToU8, type Zippable, zip } from 'fflate'
import { AgentError } from '../AgentError.js'

/** The earliest time that a zip can say. Always the same, so that the same project gives the same bytes. */
const ZIP_TIME = new Date(1980, 0, 1)

export interface ProjectExporterOptions {
  readonly openProject: (projectId: string) => Promise<Project>
  readonly packPackages: () => Promise<readonly VendorPackage[]>
}

/** Makes the zip of a project that runs without us. */
export class ProjectExporter {
  readonly #options: ProjectExporterOptions
  #packages: Promise<readonly VendorPackage[]> | undefined

  constructor(options: ProjectExporterOptions) {
    this.#options = options
  }

  /** @throws AgentError NOT_FOUND, DOCUMENT_INVALID, PROJECT_CODE when the drawing is not finished, EXPORT_FAILED */
  async export(projectId: string): Promise<Uint8Array> {
    const project = await this.#options.openProject(projectId)
    const exported = await exportFiles(project, await this.#vendor())
    if (!exported.ok) throw unfinished(exported.missing)
    const files: Zippable = {}
    for (const file of exported.files) {
      const content = 'text' in file ? strToU8(file.text) : file.bytes
      files[`${projectId}/${file.path}`] = [content, { mtime: ZIP_TIME, level: file.path.endsWith('.tgz') ? 0 : 6 }]
    }
    return new Promise((resolve, reject) => {
      zip(files, { consume: true }, (error, bytes) => (error ? reject(error) : resolve(bytes)))
    })
  }

  /** Packed once for each start of the agent; a failure is not kept. */
  async #vendor(): Promise<readonly VendorPackage[]> {
    this.#packages ??= this.#options.packPackages()
    try {
      return await this.#packages
    } catch (error) {
      this.#packages = undefined
      throw error
    }
  }
}

function unfinished(missing: readonly string[]): AgentError {
  return new AgentError(`The topology cannot be exported before it is finished. ${missing.join(' ')}`, {
    code: 'PROJECT_CODE',
    kind: 'user',
    retriable: false,
    context: { missing },
  })
}
