import type { LoadedModule, LoadProblem } from './LoadedModule.js'

export interface ModuleOrder {
  /** What the entries reach, each after what it imports. */
  readonly order: readonly LoadedModule[]
  readonly cycles: readonly LoadProblem[]
}

/** Orders modules so that each comes after what it imports; a cycle, anywhere, has no such order and is a problem. */
export function orderModules(modules: ReadonlyMap<string, LoadedModule>, entries?: readonly string[]): ModuleOrder {
  const order: LoadedModule[] = []
  const cycles: LoadProblem[] = []
  const done = new Set<string>()
  const stack: string[] = []

  const visit = (module: LoadedModule): void => {
    stack.push(module.path)
    for (const { target, line, column } of module.imports) {
      if (target.kind !== 'module' || done.has(target.path)) continue
      const start = stack.indexOf(target.path)
      const next = modules.get(target.path)
      if (start >= 0) cycles.push({ ...cycleProblem(stack.slice(start)), file: module.path, line, column })
      else if (next !== undefined) visit(next)
    }
    stack.pop()
    done.add(module.path)
    order.push(module)
  }
  const visitAll = (paths: Iterable<string>): void => {
    for (const path of paths) {
      const module = modules.get(path)
      if (module !== undefined && !done.has(path)) visit(module)
    }
  }
  visitAll(entries ?? modules.keys())
  const reached = order.length
  // A cycle is worth saying even where nothing that runs now gets to it.
  visitAll(modules.keys())
  return { order: order.slice(0, reached), cycles }
}

function cycleProblem(files: readonly string[]) {
  const message =
    files.length === 1
      ? `${files[0]} imports itself.`
      : `Import cycle: ${[...files, files[0]].join(' → ')}. Move what they share into a file of its own.`
  return { code: 'cycle' as const, message, files }
}
