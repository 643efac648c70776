import type { Workspace } from '../Workspace.js'

/** Writes a file under `src/`. */
export function editFile(workspace: Workspace, path: string, text: string): Workspace {
  if (workspace.files[path] === text) return workspace
  return { ...workspace, files: { ...workspace.files, [path]: text } }
}

export function removeFile(workspace: Workspace, path: string): Workspace {
  if (workspace.files[path] === undefined) return workspace
  const { [path]: _, ...files } = workspace.files
  return { ...workspace, files }
}

/** Sets a key of `app.config.json`; undefined takes it away. */
export function editConfig(workspace: Workspace, key: string, value: unknown): Workspace {
  if (workspace.config[key] === value) return workspace
  if (value !== undefined) return { ...workspace, config: { ...workspace.config, [key]: value } }
  const { [key]: _, ...config } = workspace.config
  return { ...workspace, config }
}
