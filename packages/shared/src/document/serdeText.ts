import type { CodeRef, SerdeRef } from './TopologyDocument.js'

/** What a chip shows: `string`, `json`, or the name of the user's own serde. */
export function serdeLabel(ref: SerdeRef): string {
  switch (ref.kind) {
    case 'built-in':
      return ref.name
    case 'json':
      return 'json'
    case 'custom':
      return ref.code.export
  }
}

/**
 * The serde as TypeScript: `string`, `json<Event>()`, `myKeySerde`.
 *
 * @param nameOf the local name of a user's export, where it differs from the export's own
 */
export function serdeExpression(ref: SerdeRef, nameOf: (code: CodeRef) => string = (code) => code.export): string {
  switch (ref.kind) {
    case 'built-in':
      return builtInExpression(ref.name)
    case 'json':
      return `json<${ref.type}>()`
    case 'custom':
      return nameOf(ref.code)
  }
}

/** `void` is a word of the language, so its serde has another name in TypeScript. */
export function builtInExpression(name: string): string {
  return name === 'void' ? 'voidSerde' : name
}
