import type { Deserializer } from '@lanescope/core'

/**
 * Reads a key that was written as JSON: the four bytes `"k0"` become the two characters k0.
 *
 * A deserializer can read a key, and cannot write one. Nothing here says that a key's quotes belong to its bytes;
 * who has to write the key, as a timer has, must guess.
 */
export const unquoteKey: Deserializer<string> = {
  id: 'unquoteKey',
  deserialize(_topic, _headers, bytes) {
    return new TextDecoder().decode(bytes).replace(/^"(.*)"$/s, '$1')
  },
}
