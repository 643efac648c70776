import { isGeneratedPath } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'

const PROJECT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/

/** Whether this is the name of one folder, directly under the projects folder. */
export function isProjectId(id: string): boolean {
  return PROJECT_ID.test(id) && !id.endsWith('.')
}

/** @throws AgentError PATH_INVALID */
export function checkProjectId(id: string): void {
  if (isProjectId(id)) return
  throw new AgentError(
    `"${id}" is no project id: it is the name of a folder, of letters, digits, ".", "_" and "-", beginning with a letter or digit`,
    { code: 'PATH_INVALID', kind: 'user', retriable: false, context: { projectId: id } },
  )
}

/** Whether people may have this file: a TypeScript file under `src/`, by its path there, that is not generated. */
export function isModulePath(path: string): boolean {
  return (
    path.length <= 200 &&
    path.endsWith('.ts') &&
    path.split('/').every((part) => SEGMENT.test(part)) &&
    !isGeneratedPath(path)
  )
}

/** @throws AgentError PATH_INVALID */
export function checkModulePath(path: string): void {
  if (isModulePath(path)) return
  const why = isGeneratedPath(path)
    ? 'it is generated from topology.json with each save'
    : 'a file of a project is a path under src/ that ends in .ts, of names with letters, digits, ".", "_" and "-"'
  throw new AgentError(`"${path}" cannot be saved: ${why}`, {
    code: 'PATH_INVALID',
    kind: 'user',
    retriable: false,
    context: { path },
  })
}

/** A folder name for a project of this name: as it is, as far as a folder may have it. */
export function toProjectId(name: string): string {
  const id = name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 80)
  return isProjectId(id) ? id : 'project'
}
