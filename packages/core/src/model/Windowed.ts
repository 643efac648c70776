/** A time window in ms. `start` is inclusive; `end` is exclusive for time windows, inclusive for sessions. */
export interface Window {
  readonly start: number
  readonly end: number
}

/** The key of a windowed aggregation: the grouped key and the window it was counted in. */
export interface Windowed<K> {
  readonly key: K
  readonly window: Window
}
