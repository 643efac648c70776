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

/** The name in the drawing of each node that runs. */
export type Owners = ReadonlyMap<string, string>

/** By the name of what runs. */
export function ownersOf(names: ReadonlyMap<string, readonly string[]>): Owners {
  return new Map([...names].flatMap(([name, all]) => all.map((one) => [one, name] as const)))
}

/** Where a sample was seen: an edge of the drawing, or the dispatch to a lane. */
export function placeOf(sample: SeenSample, owners: Owners): string {
  const from = owners.get(sample.from) ?? sample.from
  return sample.to === null ? `${from} → lane` : `${from} → ${owners.get(sample.to) ?? sample.to}`
}

/** Without what passes between two of the nodes that one of the drawing runs as. */
export function outside(samples: readonly SeenSample[], owners: Owners): readonly SeenSample[] {
  return samples.filter(({ from, to }) => {
    const owner = owners.get(from)
    return to === null || owner === undefined || owner !== owners.get(to)
  })
}

/** Places that samples name, in order of the alphabet. */
export function placesOf(samples: readonly SeenSample[], owners: Owners): readonly Place[] {
  const places = [...new Set(samples.map((sample) => placeOf(sample, owners)))].sort()
  return [{ value: '', label: 'everywhere' }, ...places.map((value) => ({ value, label: value }))]
}

/** Newest first. */
export function filterSamples(
  samples: readonly SeenSample[],
  filter: SampleFilter,
  owners: Owners,
): readonly SeenSample[] {
  return samples
    .filter((sample) => filter.place === '' || placeOf(sample, owners) === filter.place)
    .filter((sample) => filter.key === '' || sample.key === filter.key)
    .toReversed()
}
