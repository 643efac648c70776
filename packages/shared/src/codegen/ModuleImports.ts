import type { CodeRef } from '../document/TopologyDocument.js'
import { camelCase, stringLiteral, upperFirst } from './literals.js'
import { rewriteTypeNames } from './typeNames.js'

/** Values of the engine that generated text may use by their own names; users' names give way to them. */
export const CORE_VALUES = [
  'Branched',
  'BufferConfig',
  'Consumed',
  'EmitStrategy',
  'Grouped',
  'JoinWindows',
  'Joined',
  'Materialized',
  'Named',
  'Produced',
  'Repartitioned',
  'SessionWindows',
  'SlidingWindows',
  'Stores',
  'StreamJoined',
  'StreamsBuilder',
  'Suppressed',
  'TableJoined',
  'TimeWindows',
  'Topology',
  'bigint',
  'boolean',
  'byteArray',
  'byteBuffer',
  'bytes',
  'days',
  'double',
  'float',
  'fromHex',
  'hours',
  'integer',
  'json',
  'long',
  'minutes',
  'seconds',
  'sessionWindowed',
  'short',
  'string',
  'uuid',
  'voidSerde',
  'windowed',
] as const

export type CoreValue = (typeof CORE_VALUES)[number]

/** Words of the language, which are no names. */
export const RESERVED_WORDS: readonly string[] = (
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
  'finally for function if implements import in instanceof interface let new null package private protected public ' +
  'return static super switch this throw true try typeof undefined var void while with yield'
).split(' ')

/** The imports of one generated module, gathered while its body is written, and its local names, each used once. */
export class ModuleImports {
  readonly #taken: Set<string>
  readonly #byOwner = new Map<string, string>()
  readonly #byModule = new Map<string, Map<string, string>>()
  readonly #types = new Map<string, string>()

  /**
   * @param reserved names that the module's own text uses
   * @param src what leads from the module to `src/`: `./` for one that is in it
   */
  constructor(
    reserved: readonly string[],
    private readonly src: './' | '../src/' = './',
  ) {
    this.#taken = new Set([...RESERVED_WORDS, ...CORE_VALUES, ...reserved])
  }

  /** A value of the engine. */
  core(name: CoreValue): CoreValue {
    this.#add('@lanescope/core', name, name)
    return name
  }

  /** A value of any package or generated module, under its own name, which must be reserved. */
  value(module: string, name: string): string {
    this.#add(module, name, name)
    return name
  }

  /** An export of the user's; its local name differs from its own when that is taken. */
  code(ref: CodeRef): string {
    const module = `${this.src}${ref.module.slice(2)}.js`
    const local = this.claim(
      ref.export,
      `${module} ${ref.export}`,
      `${ref.export}From${upperFirst(camelCase(ref.module, 'module'))}`,
    )
    this.#add(module, ref.export, local)
    return local
  }

  /** A type expression over the names of `src/model.ts`, on one line, its names imported. */
  type(expression: string): string {
    return rewriteTypeNames(expression.replace(/\s+/g, ' ').trim(), (name) => {
      const local = this.claim(name, `model ${name}`, `${name}Model`)
      this.#types.set(name, local)
      return local
    })
  }

  /** A local name for `owner`: the wanted one, or else the second choice, with a number where that is taken too. */
  claim(wanted: string, owner: string, otherwise: string = wanted): string {
    const owned = this.#byOwner.get(owner)
    if (owned !== undefined) return owned
    let name = wanted
    for (let n = 1; this.#taken.has(name); n++)
      name = n === 1 && otherwise !== wanted ? otherwise : `${otherwise}${n + 1}`
    this.#taken.add(name)
    this.#byOwner.set(owner, name)
    return name
  }

  /** The import lines: packages first, then modules, each sorted; types last. */
  lines(): string[] {
    const modules = [...this.#byModule.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    const lines = modules.map((module) =>
      importLine('import', module, this.#byModule.get(module) as Map<string, string>),
    )
    if (this.#types.size > 0) lines.push(importLine('import type', `${this.src}model.js`, this.#types))
    return lines
  }

  #add(module: string, name: string, local: string): void {
    const names = this.#byModule.get(module)
    if (names) names.set(name, local)
    else this.#byModule.set(module, new Map([[name, local]]))
  }
}

function rank(module: string): number {
  if (module.startsWith('node:')) return 0
  return module.startsWith('.') ? 2 : 1
}

function importLine(keyword: string, module: string, names: ReadonlyMap<string, string>): string {
  const sorted = [...names].sort(([a], [b]) => (a < b ? -1 : 1))
  const list = sorted.map(([name, local]) => (name === local ? name : `${name} as ${local}`)).join(', ')
  return `${keyword} { ${list} } from ${stringLiteral(module)}`
}
