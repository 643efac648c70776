/** What TypeScript itself knows: these are never looked for in `src/model.ts`. */
const KNOWN = new Set(
  (
    'any asserts bigint boolean extends false in infer is keyof never new null number object readonly string symbol this true ' +
    'typeof undefined unique unknown void ' +
    'Array ArrayBuffer Awaited BigInt64Array BigUint64Array DataView Date Exclude Extract Float32Array Float64Array ' +
    'Int16Array Int32Array Int8Array Iterable Map NonNullable Omit Partial Pick Promise Readonly ReadonlyArray ReadonlyMap ' +
    'ReadonlySet Record Required Set Uint16Array Uint32Array Uint8Array Uint8ClampedArray'
  ).split(' '),
)

const TOKEN = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\d[\w.]*|[\p{ID_Start}_$][\p{ID_Continue}$]*|\S/gu

/**
 * Gives each name in a type expression that TypeScript does not know to `rename`, and puts its result in its place.
 * Field names and what follows a dot are left alone.
 */
export function rewriteTypeNames(expression: string, rename: (name: string) => string): string {
  const tokens = [...expression.matchAll(TOKEN)]
  let result = ''
  let end = 0
  tokens.forEach((token, at) => {
    result += expression.slice(end, token.index)
    result += isTypeName(tokens, at) ? rename(token[0]) : rewriteTemplate(token[0], rename)
    end = token.index + token[0].length
  })
  return result + expression.slice(end)
}

/** `` `on-${Name}` ``: only what is filled in has names. */
function rewriteTemplate(token: string, rename: (name: string) => string): string {
  if (!token.startsWith('`')) return token
  return token.replace(/\$\{([^}]*)\}/g, (_, inner: string) => `\${${rewriteTypeNames(inner, rename)}}`)
}

function isTypeName(tokens: readonly RegExpMatchArray[], at: number): boolean {
  const text = tokens[at]?.[0] ?? ''
  if (!/^[\p{ID_Start}_$]/u.test(text) || KNOWN.has(text)) return false
  if (tokens[at - 1]?.[0] === '.') return false
  return !isFieldName(tokens, at)
}

/** `{ name: … }`, `{ name?: … }`, `(name: …) =>`, but not the middle of `a ? name : b`. */
function isFieldName(tokens: readonly RegExpMatchArray[], at: number): boolean {
  const next = tokens[at + 1]?.[0]
  const opens = ['{', ';', ',', '(', 'readonly', '['].includes(tokens[at - 1]?.[0] ?? '')
  return opens && (next === ':' || (next === '?' && tokens[at + 2]?.[0] === ':'))
}
