import type { SeenSample } from '../../live/RunView.js'

/** What of the samples is listed; empty means everything. */
export interface SampleFilter {
  /** A node, or an edge as `from → to`. */
  readonly place: string
  /** One key, exactly; the whole path of it is shown. */
  readonly key: string
}

export interface Place {
  readonly value: string
  readonly label: string
}

/** Where a sample was seen: an edge, or the dispatch to a lane. */
export function placeOf(sample: SeenSample): string {
  return sample.to === null ? `${sample.from} → lane` : `${sample.from} → ${sample.to}`
}

/** Places that samples name, in order of the alphabet. */
export function placesOf(samples: readonly SeenSample[]): readonly Place[] {
  const places = [...new Set(samples.map(placeOf))].sort()
  return [{ value: '', label: 'everywhere' }, ...places.map((value) => ({ value, label: value }))]
}

/** Newest first. */
export function filterSamples(samples: readonly SeenSample[], filter: SampleFilter): readonly SeenSample[] {
  return samples
    .filter((sample) => filter.place === '' || placeOf(sample) === filter.place)
    .filter((sample) => filter.key === '' || sample.key === filter.key)
    .toReversed()
}
