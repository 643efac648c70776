/** What a visitor did: the value of a record on the topic `events`. Its key is the visitor's id. */
export interface Event {
  readonly action: 'view' | 'click' | 'buy'
  readonly page: string
}

/** A time in which a visitor was active: the value of a record on the topic `sessions`. Times in ms. */
export interface Session {
  readonly key: string
  /** The time of its first event. */
  readonly start: number
  /** The time of its last event. */
  readonly end: number
  readonly events: number
}
