import { checkName } from '../topology/checkName.js'

/** Names the node of one operator. */
export class Named {
  /** Private, so that nothing else with a name, a function above all, passes for one. */
  readonly #name: string

  private constructor(name: string) {
    this.#name = name
  }

  /** @throws StreamError TOPOLOGY_INVALID for a name that Kafka refuses */
  static as(name: string): Named {
    checkName('node', name)
    return new Named(name)
  }

  get name(): string {
    return this.#name
  }
}
