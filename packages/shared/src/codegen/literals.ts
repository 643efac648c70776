const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
] as const

export type DurationUnit = (typeof UNITS)[number][0]

/** A duration in its largest whole unit; undefined unit: plain ms. 0 and what is no whole number of seconds are plain ms. */
export function durationParts(ms: number): { readonly unit: DurationUnit | undefined; readonly amount: number } {
  const unit = ms > 0 ? UNITS.find(([, size]) => ms % size === 0) : undefined
  return unit === undefined ? { unit: undefined, amount: ms } : { unit: unit[0], amount: ms / unit[1] }
}

/** A TypeScript string literal in single quotes. */
export function stringLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")
  return `'${inner.replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029')}'`
}

/** `sessions-open` → `sessionsOpen`; a name without letters or digits → `fallback`. */
export function camelCase(name: string, fallback: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word, at) => (at === 0 ? lowerFirst(word) : upperFirst(word))).join('')
  if (joined === '') return fallback
  return /^[0-9]/.test(joined) ? `${fallback}${joined}` : joined
}

export function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function lowerFirst(word: string): string {
  // An acronym is lowered as a whole: `URL` → `url`.
  return /^[A-Z0-9]+$/.test(word) ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1)
}

/** A JSON value as a TypeScript expression; `{n}` in a string becomes the variable `n`. */
export function templateExpression(value: unknown): string {
  if (typeof value === 'string') return numberedText(value)
  if (Array.isArray(value)) return `[${value.map(templateExpression).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, field]) => `${fieldName(name)}: ${templateExpression(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

/** A text in which `{n}` becomes the variable `n`: a plain literal where there is none. */
export function numberedText(text: string): string {
  if (!text.includes('{n}')) return stringLiteral(text)
  const escaped = JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/[`$]/g, '\\$&')
  return `\`${escaped.replaceAll('{n}', '\x24{n}')}\``
}

function fieldName(name: string): string {
  // As an own field, __proto__ needs brackets: bare, it would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}
