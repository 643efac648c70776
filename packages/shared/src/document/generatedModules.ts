/**
 * Modules under `src/` that the generator writes. Users import them; a code reference may not name one,
 * and a file of the user of that name would be overwritten.
 */
export const GENERATED_MODULES: readonly string[] = [
  './topology',
  './stores',
  './traffic',
  './main',
  './traffic-main',
  './send-main',
]

/** Whether a path under `src/`, such as `topology.ts`, is written by the generator. */
export function isGeneratedPath(path: string): boolean {
  return GENERATED_MODULES.includes(`./${path.replace(/\.ts$/, '')}`)
}
