import type { InitializeHook, ResolveHook } from 'node:module'

/** The URLs of our packages. Each thread of hooks is made for one process, and told them once. */
const urls = new Map<string, string>()

export const initialize: InitializeHook<ReadonlyMap<string, string>> = (given) => {
  for (const [name, url] of given) urls.set(name, url)
}

/** Gives packages that the user installed the run's own copy of ours, wherever they lie. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const url = urls.get(specifier)
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true }
}
