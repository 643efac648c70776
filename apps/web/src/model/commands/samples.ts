import type { TopologyDocument } from '@lanescope/shared'

/** Sets the sample keys of a source, as raw bytes in lower-case hex; none takes them away. */
export function setSampleKeys(document: TopologyDocument, source: string, keys: readonly string[]): TopologyDocument {
  const { [source]: _, ...others } = document.samples
  return { ...document, samples: keys.length === 0 ? others : { ...others, [source]: { keys: [...keys] } } }
}
