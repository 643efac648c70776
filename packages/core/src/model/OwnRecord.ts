import type { Headers } from './Headers.js'
import type { Record } from './Record.js'

/**
 * A record that the engine has made, or one of its own operators. It is complete and nobody changes it, so it goes from
 * node to node without a copy.
 */
export class OwnRecord<K, V> implements Record<K, V> {
  constructor(
    readonly key: K,
    readonly value: V,
    readonly timestamp: number,
    readonly headers: Headers,
  ) {}
}
