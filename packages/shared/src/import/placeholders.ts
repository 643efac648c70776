import { camelCase, upperFirst } from '../codegen/literals.js'
import type { CodeRef } from '../document/TopologyDocument.js'
import type { TransformOp } from './foldDescription.js'

/** The file that holds what a description does not tell. */
export const PLACEHOLDER_FILE = 'imported.ts'

/** Says of a node that its code stands in for another. */
export const PLACEHOLDER_NOTE =
  'A placeholder: a TopologyDescription names this node and does not tell what it does. What comes in goes on as it is.'

const BODIES: { readonly [op in TransformOp]: readonly [parameters: string, returns: string, body: string] } = {
  filter: ['_key: unknown, _value: unknown', 'boolean', 'return true'],
  'map-values': ['value: unknown', 'unknown', 'return value'],
  map: ['key: unknown, value: unknown', '[unknown, unknown]', 'return [key, value]'],
  'flat-map-values': ['value: unknown', 'unknown[]', 'return [value]'],
  'flat-map': ['key: unknown, value: unknown', '[unknown, unknown][]', 'return [[key, value]]'],
  'select-key': ['key: unknown, _value: unknown', 'unknown', 'return key'],
  peek: ['_key: unknown, _value: unknown', 'void', ''],
}

/** Writes one file of functions and processors that hand on what they get. */
export class Placeholders {
  readonly #blocks: string[] = []
  readonly #names = new Set<string>(['CallbackContext', 'Processor', 'Record'])
  #hasProcessors = false

  transform(node: string, called: string, op: TransformOp): CodeRef {
    const [parameters, returns, body] = BODIES[op]
    const name = this.#claim(camelCase(node, 'step'))
    const inner = body === '' ? '{}' : `{\n  ${body}\n}`
    return this.#add(called, name, `export function ${name}(${parameters}): ${returns} ${inner}`)
  }

  /** Both sides, as they are. */
  join(node: string, called: string): CodeRef {
    const name = this.#claim(camelCase(node, 'join'))
    return this.#add(
      called,
      name,
      `export function ${name}(left: unknown, right: unknown): unknown {\n  return { left, right }\n}`,
    )
  }

  processor(node: string, called: string): CodeRef {
    const name = this.#claim(upperFirst(camelCase(node, 'processor')))
    this.#hasProcessors = true
    const types = 'unknown, unknown, unknown'
    return this.#add(
      called,
      name,
      `export class ${name} implements Processor<${types}, unknown> {
  process(record: Record<unknown, unknown>, ctx: CallbackContext<${types}>) {
    return ctx.forward(record)
  }
}`,
    )
  }

  /** Undefined where nothing needed one. */
  get text(): string | undefined {
    if (this.#blocks.length === 0) return undefined
    const imports = this.#hasProcessors
      ? "import type { CallbackContext, Processor, Record } from '@lanescope/core'\n\n"
      : ''
    return `// Imported from a TopologyDescription, which names nodes and does not tell what they do. Each hands on what it gets:
// write here what the application does.
${imports}${this.#blocks.join('\n\n')}\n`
  }

  #add(called: string, name: string, text: string): CodeRef {
    this.#blocks.push(`/** Stands in for ${called}. */\n${text}`)
    return { module: './imported', export: name }
  }

  #claim(wanted: string): string {
    let name = RESERVED.has(wanted) ? `${wanted}Step` : wanted
    for (let number = 2; this.#names.has(name); number++) name = `${wanted}${number}`
    this.#names.add(name)
    return name
  }
}

/** Words that no function can be called by. */
const RESERVED: ReadonlySet<string> = new Set(
  `await break case catch class const continue debugger default delete do else enum export extends false finally for
  function if implements import in instanceof interface let new null package private protected public return static
  super switch this throw true try typeof var void while with yield eval arguments`.split(/\s+/),
)
