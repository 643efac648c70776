import type { DocumentStore, TopologyDocument } from '../document/TopologyDocument.js'
import { GENERATED_HEADER } from './GeneratedFile.js'
import { camelCase } from './literals.js'
import { CORE_VALUES, ModuleImports, RESERVED_WORDS } from './ModuleImports.js'
import { TopologyWriter } from './TopologyWriter.js'

/** The constants of `src/stores.ts`, by store id: what users' processors import to reach their stores. */
export class StoreNames {
  readonly #byId = new Map<string, string>()

  constructor(stores: readonly DocumentStore[]) {
    const taken = new Set<string>([...CORE_VALUES, ...RESERVED_WORDS])
    for (const store of stores) {
      const wanted = camelCase(store.name, 'store')
      let name = wanted
      for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
      taken.add(name)
      this.#byId.set(store.id, name)
    }
  }

  /** The constant of a store. @throws TypeError for an id that the document does not have */
  nameOf(id: string): string {
    const name = this.#byId.get(id)
    if (name === undefined) throw new TypeError(`There is no store "${id}".`)
    return name
  }

  /** The constant, imported. */
  use(id: string, imports: ModuleImports): string {
    return imports.value('./stores.js', this.nameOf(id))
  }

  /** All constants, so that no other name of a module takes one. */
  all(): string[] {
    return [...this.#byId.values()]
  }
}

/** `src/stores.ts`, or undefined when the document has no stores. */
export function storesModule(document: TopologyDocument, purpose: 'run' | 'analysis'): string | undefined {
  if (document.stores.length === 0) return undefined
  const names = new StoreNames(document.stores)
  const imports = new ModuleImports(names.all())
  const writer = new TopologyWriter(imports, purpose)
  const lines = document.stores.map((store) => `export const ${names.nameOf(store.id)} = ${writer.store(store)}`)
  return `${[GENERATED_HEADER, ...imports.lines(), '', ...lines].join('\n')}\n`
}
