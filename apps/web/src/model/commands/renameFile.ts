import type { TopologyDocument } from '@lanescope/shared'
import type { Workspace } from '../Workspace.js'

/** Gives a file another name, and all that names it: nodes, stores and imports in the other files. */
export function renameFile(workspace: Workspace, from: string, to: string): Workspace {
  const text = workspace.files[from]
  if (text === undefined || workspace.files[to] !== undefined || from === to) return workspace
  const { [from]: _, ...rest } = workspace.files
  const others = Object.entries(rest).map(([path, other]) => [path, renameImports(other, path, from, to)] as const)
  return {
    ...workspace,
    files: { ...Object.fromEntries(others), [to]: text },
    document: renameModule(workspace.document, `./${stem(from)}`, `./${stem(to)}`),
  }
}

/** Every code reference that names the module, wherever it stands. */
function renameModule(document: TopologyDocument, from: string, to: string): TopologyDocument {
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, key === 'module' && field === from ? to : rename(field)]),
    )
  }
  return {
    ...document,
    nodes: rename(document.nodes) as TopologyDocument['nodes'],
    edges: rename(document.edges) as TopologyDocument['edges'],
    stores: rename(document.stores) as TopologyDocument['stores'],
    generators: rename(document.generators) as TopologyDocument['generators'],
  }
}

function renameImports(text: string, path: string, from: string, to: string): string {
  const specifier = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.[^'"\n]*)\2/g
  return text.replace(specifier, (whole, before: string, quote: string, written: string) => {
    const suffix = /\.[jt]s$/.exec(written)?.[0] ?? ''
    const target = join(path, suffix === '' ? written : written.slice(0, -suffix.length))
    return target === stem(from) ? `${before}${quote}${relativeTo(path, stem(to))}${suffix}${quote}` : whole
  })
}

function join(path: string, specifier: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function relativeTo(path: string, target: string): string {
  const folders = path.split('/').slice(0, -1)
  const parts = target.split('/')
  while (folders.length > 0 && parts.length > 1 && folders[0] === parts[0]) {
    folders.shift()
    parts.shift()
  }
  return (folders.length === 0 ? './' : '../'.repeat(folders.length)) + parts.join('/')
}

function stem(path: string): string {
  return path.replace(/\.[jt]s$/, '')
}
