import type { MergeSource } from './MergeSource.js'
import { RunDamaged } from './Run.js'
import type { RunWriter } from './RunWriter.js'

/** So many entries are merged between two looks at the clock. */
const ENTRIES_AT_ONCE = 256

/** What is written: of each store, by its id, the sources of its entries, the newest first. */
export type StoreSources = Iterable<readonly [store: number, sources: readonly MergeSource[]]>

export interface WriteOptions {
  /** Whether something older may still have what is deleted here. */
  readonly keepDeletions: boolean
  /** Called often: gives others their turn when it is time for it, and throws when nobody wants the run any more. */
  readonly pause: () => Promise<void>
}

/** Merges entries into a run. Of a key the newest counts. */
export async function writeRun(writer: RunWriter, stores: StoreSources, options: WriteOptions): Promise<void> {
  for (const [store, sources] of stores) {
    try {
      await writeStore(writer, store, sources, options)
    } catch (error) {
      if (error instanceof RunDamaged) error.store = store
      throw error
    }
  }
}

async function writeStore(
  writer: RunWriter,
  store: number,
  all: readonly MergeSource[],
  { keepDeletions, pause }: WriteOptions,
): Promise<void> {
  const sources: MergeSource[] = []
  for (const source of all) if (source.next() || (await source.fill())) sources.push(source)
  for (let count = 1; sources.length > 0; count++) {
    const least = leastOf(sources)
    if (keepDeletions || !least.isDeleted) writer.add(store, least)
    for (let i = sources.length - 1; i >= 0; i--) {
      const source = sources[i] as MergeSource
      if (source === least || source.compare(least) !== 0) continue
      if (!source.next() && !(await source.fill())) sources.splice(i, 1)
    }
    if (!least.next() && !(await least.fill())) sources.splice(sources.indexOf(least), 1)
    if (writer.isFull) await writer.write()
    if (count % ENTRIES_AT_ONCE === 0) await pause()
  }
}

/** The source that stands on the least key; of several the first. */
function leastOf(sources: readonly MergeSource[]): MergeSource {
  let least = sources[0] as MergeSource
  for (let i = 1; i < sources.length; i++) {
    const source = sources[i] as MergeSource
    if (source.compare(least) < 0) least = source
  }
  return least
}
