import { existsSync, type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import type { Cancellable, Clock } from '@lanescope/core'

/** An editor saves in several steps: a temporary file, a rename, times. They count as one change. */
const SETTLE_MS = 60

/**
 * Calls `onChange` some time after something in a project's folder, or under its `src`, has changed.
 * What changes in `.lanescope` is not seen: a run writes its log there, thousands of times a second.
 *
 * @returns a function that ends it
 */
export function watchFolder(
  folder: string,
  clock: Clock,
  onChange: () => void,
  onTrouble: (why: string) => void,
): () => void {
  const watchers = new Map<string, FSWatcher>()
  let planned: Cancellable | undefined

  const drop = (path: string) => {
    watchers.get(path)?.close()
    watchers.delete(path)
  }
  const start = (path: string, recursive: boolean) => {
    if (watchers.has(path) || !existsSync(path)) return
    try {
      const watcher = watch(path, { recursive, persistent: false }, changed)
      watcher.on('error', () => drop(path))
      watchers.set(path, watcher)
    } catch (error) {
      onTrouble(`Changes in ${path} are not noticed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const startAll = () => {
    start(folder, false)
    start(join(folder, 'src'), true)
  }
  function changed() {
    planned?.cancel()
    planned = clock.after(SETTLE_MS, () => {
      if (!existsSync(join(folder, 'src'))) drop(join(folder, 'src'))
      startAll()
      onChange()
    })
  }

  startAll()
  return () => {
    planned?.cancel()
    for (const path of [...watchers.keys()]) drop(path)
  }
}
