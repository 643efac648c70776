import { type JsonObject, UnknownWord } from '../strict.js'

/** Writes down that something has seen a key and a value. */
export type Note = (tag: string, key: unknown, value: unknown) => void

/** What an id stands for, which says what can be done to it. */
export type Kind = 'stream' | 'table' | 'globalTable' | 'grouped' | 'cogrouped' | 'groupedTable' | 'nothing'

/** What the topology of one case is built into, and what its functions show. */
export class Building {
  /** Streams, tables and groupings by id. */
  private readonly results = new Map<string, { readonly kind: Kind; readonly result: unknown }>()
  /** Builders of stores by name. */
  private readonly builders = new Map<string, unknown>()
  /** What branches each split with an id has, by the names in its map. */
  readonly branches: { [id: string]: string[] } = {}
  /** Lines that `print` has written since the last step. */
  readonly printed: string[] = []

  /**
   * @param target the StreamsBuilder or the Topology of the case
   * @param note gets what `peek` and `foreach` see
   */
  constructor(
    readonly target: any,
    readonly note: Note = () => undefined,
  ) {}

  keep(id: unknown, kind: Kind, result: unknown): void {
    if (id === undefined) return
    if (this.results.has(String(id))) throw new UnknownWord(`The id "${String(id)}" is given twice.`)
    this.results.set(String(id), { kind, result })
  }

  /** What an operation of that id gave. */
  result(id: unknown): any {
    return this.found(id).result
  }

  kind(id: unknown): Kind {
    return this.found(id).kind
  }

  private found(id: unknown) {
    const found = this.results.get(String(id))
    if (found === undefined) throw new UnknownWord(`Nothing has the id "${String(id)}".`)
    return found
  }

  keepBuilder(name: string, builder: unknown): void {
    this.builders.set(name, builder)
  }

  /** What a processor opens a store by: its builder, or the name alone of a store that an operator has made. */
  readonly store = (name: string): unknown => this.builders.get(name) ?? { name }

  /** Two store descriptions with the same `as` are one builder object. */
  readonly shared = new Map<string, unknown>()
}

/** One operation: reads its fields and refuses those that it does not know. */
export class Operation {
  constructor(
    private readonly fields: JsonObject,
    readonly building: Building,
  ) {}

  get name(): string {
    return String(this.fields.op)
  }

  get source(): any {
    return this.building.result(this.fields.of)
  }

  field(name: string): any {
    return this.fields[name]
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined
  }

  /** Refuses other fields than these; `op` and `id` always may be. */
  only(...allowed: string[]): this {
    for (const field of Object.keys(this.fields)) {
      if (field === 'op' || field === 'id' || allowed.includes(field)) continue
      throw new UnknownWord(`Unknown field "${field}" of the operation "${this.name}".`)
    }
    return this
  }
}
