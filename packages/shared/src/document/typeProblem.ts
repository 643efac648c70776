import { NotAType, TypeParser } from './TypeParser.js'

/** Why a text is not one type of TypeScript, in a sentence; undefined when it is. Whether its names exist is not asked. */
export function typeProblem(text: string): string | undefined {
  if (text.trim() === '') return 'A TypeScript type is needed.'
  try {
    new TypeParser(text).whole()
    return undefined
  } catch (error) {
    if (!(error instanceof NotAType)) throw error
    return `Not a TypeScript type: ${reason(error)}.`
  }
}

function reason({ found, after }: NotAType): string {
  if (found === undefined) return 'it ends too soon'
  if (after === undefined) return `none begins with "${found.text}"`
  return `"${found.text}" cannot come after "${after.text}"`
}
