import { randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What a page must show before it may speak with the agent: without it, any program or user of this machine
 * that reaches the port could run code here. It travels in the fragment of the printed address, so no server
 * log and no `Referer` ever holds it.
 */
export class AccessToken {
  readonly text: string
  readonly #bytes: Buffer

  constructor(text: string = randomBytes(24).toString('base64url')) {
    this.text = text
    this.#bytes = Buffer.from(text)
  }

  /** Takes the same time whatever is wrong with it. */
  accepts(shown: string | null): boolean {
    if (shown === null) return false
    const bytes = Buffer.from(shown)
    return bytes.length === this.#bytes.length && timingSafeEqual(bytes, this.#bytes)
  }
}
