import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AgentError } from '../AgentError.js'
import { isProjectId } from './paths.js'

/** In the projects folder; no project has this name, for it begins with a dot. */
const TRASH = '.trash'

/** What stays behind when a project is copied: what runs, installs and builds have left. */
const OF_RUNS: ReadonlySet<string> = new Set(['.lanescope', 'node_modules', 'dist'])

/** Copies what people made of a project. The target must not be there. */
export async function copyProject(folder: string, target: string): Promise<void> {
  await cp(folder, target, {
    recursive: true,
    errorOnExist: true,
    force: false,
    filter: (path) => path === folder || !OF_RUNS.has(basename(path)),
  })
}

/** Moves a project's folder to the trash, with all that is in it. @returns the name that it has there */
export async function moveToTrash(projectsFolder: string, projectId: string, now: number): Promise<string> {
  const trash = join(projectsFolder, TRASH)
  await mkdir(trash, { recursive: true })
  const taken = new Set(await readdir(trash))
  let at = now
  while (taken.has(`${projectId}.${at}`)) at++
  const trashId = `${projectId}.${at}`
  await rename(join(projectsFolder, projectId), join(trash, trashId))
  return trashId
}

/** Where something in the trash lies, and what project it was. @throws AgentError PATH_INVALID */
export function inTrash(
  projectsFolder: string,
  trashId: string,
): { readonly folder: string; readonly projectId: string } {
  const [, projectId = ''] = /^(.+)\.\d+$/.exec(trashId) ?? []
  if (isProjectId(projectId)) return { folder: join(projectsFolder, TRASH, trashId), projectId }
  throw new AgentError(`Nothing in the trash is called "${trashId}"`, {
    code: 'PATH_INVALID',
    kind: 'user',
    retriable: false,
    context: { trashId },
  })
}
