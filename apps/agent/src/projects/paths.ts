import { isGeneratedPath, projectNameProblem } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'

const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/

/** Whether this is the name of one folder, directly under the projects folder. */
export function isProjectId(id: string): boolean {
  return projectNameProblem(id) === undefined
}

/** @throws AgentError PATH_INVALID */
export function checkProjectId(id: string): void {
  const problem = projectNameProblem(id)
  if (problem === undefined) return
  throw new AgentError(`A project cannot be called "${id}". ${problem}`, {
    code: 'PATH_INVALID',
    kind: 'user',
    retriable: false,
    context: { projectId: id },
  })
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
