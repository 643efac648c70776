/** Something wrong with a document, and where. */
export interface DocumentProblem {
  /** Where in the document: `nodes[2].properties.topics`, `line 4, column 7`, or '' for the whole of it. */
  readonly path: string
  readonly message: string
}

/** `['nodes', 2, 'kind']` → `nodes[2].kind`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
}

/** Says of a node what it still needs: the property to fill in, or 'edges', and in a sentence. */
export type Missing = (field: string, message: string) => void
