/** Where a text stops being JSON. Lines and columns count from 1. */
export interface JsonError {
  readonly line: number
  readonly column: number
  readonly message: string
}

const TOKEN =
  /[\t\n\r ]+|[{}[\],:]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

interface Token {
  readonly text: string
  readonly at: number
}

class Failure {
  constructor(
    readonly at: number,
    readonly message: string,
  ) {}
}

/**
 * Finds the first place at which a text is not JSON, or undefined when all of it is.
 * JSON.parse words and places its errors differently in each host; this is the same everywhere.
 */
export function locateJsonError(text: string): JsonError | undefined {
  if (text.length > MAX_LENGTH) {
    return { line: 1, column: 1, message: `it has ${text.length} characters, and at most ${MAX_LENGTH} are read` }
  }
  const tokens = tokenize(text)
  const failure = tokens instanceof Failure ? tokens : checkDocument(tokens, text.length)
  if (failure === undefined) return undefined
  const before = text.slice(0, failure.at).split('\n')
  return { line: before.length, column: (before[before.length - 1] as string).length + 1, message: failure.message }
}

function tokenize(text: string): Token[] | Failure {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) {
      const parsedSoFar = checkDocument(tokens, at)
      // A mistake in the grammar before this place is the one to name.
      if (parsedSoFar !== undefined && parsedSoFar.at < at) return parsedSoFar
      return new Failure(at, unreadable(text, at))
    }
    if (match[0].trim() !== '') tokens.push({ text: match[0], at })
    at += match[0].length
  }
  return tokens
}

function unreadable(text: string, at: number): string {
  if (text[at] === '"') return 'this text is not ended, or holds a control character or an unknown escape'
  if (text[at] === "'") return 'texts are written in double quotes'
  if (text.startsWith('//', at) || text.startsWith('/*', at)) return 'JSON has no comments'
  return `${JSON.stringify([...text.slice(at, at + 2)][0])} is not expected here`
}

/** Longer than any document; a text within it of some more would overflow the stack of the host's regular expressions. */
const MAX_LENGTH = 8_000_000

/** Deeper than any document that a person or a tool of ours writes; readers that recurse stay within their stacks. */
const MAX_DEPTH = 200

/** Follows the grammar over the tokens; nesting lives on a list, so that depth cannot overflow the stack. */
function checkDocument(tokens: readonly Token[], end: number): Failure | undefined {
  const open: ('{' | '[')[] = []
  let expecting: 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'separator' = 'value'
  for (const token of tokens) {
    const fail = (wanted: string) => new Failure(token.at, `${shown(token.text)} stands where ${wanted} is expected`)
    const kind = kindOf(token.text)
    const inside = open[open.length - 1]
    switch (expecting) {
      case 'value':
      case 'value-or-end':
        if (kind === ']' && expecting === 'value-or-end') {
          open.pop()
          expecting = 'separator'
        } else if (kind === '{' || kind === '[') {
          if (open.length === MAX_DEPTH) return new Failure(token.at, `it is nested deeper than ${MAX_DEPTH} levels`)
          open.push(kind)
          expecting = kind === '{' ? 'key-or-end' : 'value-or-end'
        } else if (kind === 'text' || kind === 'scalar') expecting = 'separator'
        else return fail('a value')
        break
      case 'key':
      case 'key-or-end':
        if (kind === '}' && expecting === 'key-or-end') {
          open.pop()
          expecting = 'separator'
        } else if (kind === 'text') expecting = 'colon'
        else return fail('a field name in double quotes')
        break
      case 'colon':
        if (kind !== ':') return fail('":"')
        expecting = 'value'
        break
      case 'separator':
        if (inside === undefined) return fail('the end')
        if (kind === ',') expecting = inside === '{' ? 'key' : 'value'
        else if (kind === (inside === '{' ? '}' : ']')) open.pop()
        else return fail(inside === '{' ? '"," or "}"' : '"," or "]"')
    }
  }
  if (expecting === 'separator' && open.length === 0) return undefined
  return new Failure(end, tokens.length === 0 ? 'the file is empty' : 'the file ends too early')
}

function kindOf(token: string): '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'scalar' {
  if (token.startsWith('"')) return 'text'
  if (token === '{' || token === '}' || token === '[' || token === ']' || token === ',' || token === ':') return token
  return 'scalar'
}

function shown(token: string): string {
  if (token.startsWith('"')) return token.length > 40 ? `${token.slice(0, 37)}…"` : token
  return `"${token}"`
}
