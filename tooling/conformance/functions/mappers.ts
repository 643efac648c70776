import { integer, needed, splitWord, UnknownWord } from '../strict.js'
import { isWindowed, longOf, textOf } from '../values.js'

type Mapper = (key: unknown, value: unknown) => unknown

const big = (value: unknown) => BigInt(value as number | bigint | string)
const textual = (change: (text: string) => unknown): Mapper => {
  return (_key, value) => (value === null ? null : change(textOf(value)))
}

const valueMappers: { readonly [name: string]: (argument: string | undefined, text: string) => Mapper } = {
  identity: () => (_key, value) => value,
  upper: () => textual((text) => text.toUpperCase()),
  lower: () => textual((text) => text.toLowerCase()),
  reverse: () => textual((text) => [...text].reverse().join('')),
  toString: () => textual((text) => text),
  prefix: (argument, text) => textual((value) => needed(argument, text) + value),
  suffix: (argument, text) => textual((value) => value + needed(argument, text)),
  length: () => textual((text) => text.length),
  parseLong: () => textual((text) => parseLong(text)),
  inc: () => (_key, value) => (value === null ? null : longOf(big(value) + 1n)),
  const: (argument, text) => () => needed(argument, text),
  null: () => () => null,
  nullIf: (argument, text) => (_key, value) => (textOf(value) === needed(argument, text) ? null : value),
  orElse: (argument, text) => (_key, value) => value ?? needed(argument, text),
  show: () => (_key, value) => textOf(value),
  keyColonValue: () => (key, value) => `${textOf(key)}:${textOf(value)}`,
  failOn: (argument, text) => (_key, value) => {
    if (value !== null && textOf(value) === needed(argument, text))
      throw new IllegalStateException(`refused ${argument}`)
    return value
  },
}

const keySelectors: { readonly [name: string]: (argument: string | undefined, text: string) => Mapper } = {
  key: () => (key) => key,
  value: () => (_key, value) => value,
  null: () => () => null,
  const: (argument, text) => () => needed(argument, text),
  firstChar: () => (_key, value) => firstChar(value),
  firstCharOfKey: () => (key) => firstChar(key),
  valueNullIf: (argument, text) => (_key, value) =>
    value === null || textOf(value) === needed(argument, text) ? null : value,
  length: () => textual((text) => text.length),
  show: () => (key) => textOf(key),
  windowKey: () => (key) => (isWindowed(key) ? key.key : refuse(`"${textOf(key)}" has no window`)),
  keyPlus: (argument, text) => (key) => (key === null ? null : textOf(key) + needed(argument, text)),
}

const pairMappers: { readonly [name: string]: (argument: string | undefined, text: string) => PairMapper } = {
  identity: () => (key, value) => [key, value],
  swap: () => (key, value) => [value, key],
  valueAsKey: () => (_key, value) => [value, value],
  firstCharKey: () => (_key, value) => [firstChar(value), value],
  nullKeyIf: (argument, text) => (_key, value) => [
    value === null || textOf(value) === needed(argument, text) ? null : value,
    value,
  ],
  constKey: (argument, text) => (_key, value) => [needed(argument, text), value],
  keyLength: () => (key, value) => [key, value === null ? null : textOf(value).length],
  firstCharLength: () => (_key, value) => [firstChar(value), value === null ? null : textOf(value).length],
  show: () => (key, value) => [textOf(key), value === null ? null : textOf(value)],
}

type PairMapper = (key: unknown, value: unknown) => [unknown, unknown]

const flatMappers: { readonly [name: string]: (key: unknown, value: unknown) => [unknown, unknown][] } = {
  wordsAsKeys: (_key, value) => words(value).map((each) => [each, each]),
  wordsKeepKey: (key, value) => words(value).map((each) => [key, each]),
  twice: (key, value) => [
    [key, value],
    [key, value],
  ],
  both: (key, value) => [
    [key, value],
    [value, key],
  ],
  none: () => [],
}

const flatValueMappers: { readonly [name: string]: (key: unknown, value: unknown) => unknown[] } = {
  words: (_key, value) => words(value),
  twice: (_key, value) => [value, value],
  none: () => [],
  keyThenValue: (key, value) => [key, value],
}

/** As the JVM's, of which only the name and the text matter here. */
export class IllegalStateException extends Error {
  override readonly name = 'IllegalStateException'
}

export const valueMapper = (text: unknown): Mapper => pick(valueMappers, text, 'value mapper')
export const keySelector = (text: unknown): Mapper => pick(keySelectors, text, 'key selector')
export const pairMapper = (text: unknown): PairMapper => pick(pairMappers, text, 'pair mapper')
export const flatMapper = (text: unknown) => pickPlain(flatMappers, text, 'flat mapper')
export const flatValueMapper = (text: unknown) => pickPlain(flatValueMappers, text, 'flat value mapper')

/** Looks a function of a library up by `WORD` or `WORD:ARGUMENT`. */
export function pick<F>(
  library: { readonly [name: string]: (argument: string | undefined, text: string) => F },
  text: unknown,
  what: string,
): F {
  const { name, argument } = splitWord(String(text))
  if (typeof text !== 'string' || !Object.hasOwn(library, name)) refuse(`Unknown ${what} "${String(text)}"`)
  const make = library[name] as (argument: string | undefined, text: string) => F
  return make(argument, text)
}

export function pickPlain<F>(library: { readonly [name: string]: F }, text: unknown, what: string): F {
  if (typeof text !== 'string' || !Object.hasOwn(library, text)) refuse(`Unknown ${what} "${String(text)}"`)
  return library[text] as F
}

export { integer }

/** The first UTF-16 unit's character, as Java cuts texts; null for null. */
export function firstChar(value: unknown): string | null {
  return value === null ? null : textOf(value).slice(0, 1)
}

function words(value: unknown): string[] {
  return value === null
    ? []
    : textOf(value)
        .split(' ')
        .filter((each) => each !== '')
}

function parseLong(text: string): number | bigint {
  if (!/^[+-]?\d+$/.test(text)) throw new IllegalStateException(`For input string: "${text}"`)
  return longOf(BigInt(text))
}

function refuse(problem: string): never {
  throw new UnknownWord(`${problem}.`)
}
