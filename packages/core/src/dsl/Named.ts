import { checkName } from '../topology/checkName.js'

/** Names the node of one operator. */
export class Named {
  private constructor(readonly name: string) {}

  /** @throws StreamError TOPOLOGY_INVALID for a name that Kafka refuses */
  static as(name: string): Named {
    checkName('node', name)
    return new Named(name)
  }
}
