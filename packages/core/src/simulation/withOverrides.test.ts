import { describe, expect, it } from 'vitest'
import { withOverrides } from './withOverrides.js'

class Account {
  #sum = 3

  get sum(): number {
    return this.#sum
  }

  add(by: number): number {
    this.#sum += by
    return this.#sum
  }

  name(): string {
    return 'its own'
  }
}

describe('withOverrides', () => {
  it('replaces what it is given and leaves the rest, private fields and getters too', () => {
    const account = new Account()
    const overridden = withOverrides(account, { name: () => 'replaced' })
    expect([overridden.name(), overridden.add(4), overridden.sum, account.sum]).toEqual(['replaced', 7, 7, 7])
    expect(account.name()).toBe('its own')
  })
})
