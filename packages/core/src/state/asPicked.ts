import type { StoreEnvironment } from './StoreBuilder.js'

/** What a windowed store is told of how it lies. */
interface Laid {
  readonly byTime?: boolean
  /** A store that was picked by its builder, and not made by the name that it was given. */
  readonly picked?: boolean
}

/** Kafka Streams leaves a store that was picked as it is, also below an aggregation that emits on close (A.8). */
export function asPicked<S extends Laid>(settings: S, emulates: StoreEnvironment['emulates']): S {
  const stays = settings.picked === true && emulates?.('on-window-close-loss') === true
  return stays ? { ...settings, byTime: false } : settings
}
