import { Named } from './Named.js'

/** Names a join of two tables by a foreign key: its nodes, the boundaries that it crosses, and its stores. */
export class TableJoined {
  /** Private, so that nothing else with a name passes for one. */
  readonly #name: string

  private constructor(name: string) {
    this.#name = name
  }

  /** @throws StreamError TOPOLOGY_INVALID for a name that Kafka refuses */
  static as(name: string): TableJoined {
    return new TableJoined(Named.as(name).name)
  }

  get name(): string {
    return this.#name
  }
}
