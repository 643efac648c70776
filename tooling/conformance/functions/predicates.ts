import { integer, needed } from '../strict.js'
import { textOf } from '../values.js'
import { pick } from './mappers.js'

type Predicate = (key: unknown, value: unknown) => boolean

const predicates: { readonly [name: string]: (argument: string | undefined, text: string) => Predicate } = {
  all: () => () => true,
  none: () => () => false,
  valueStartsWith: (argument, text) => (_key, value) =>
    value !== null && textOf(value).startsWith(needed(argument, text)),
  valueEquals: (argument, text) => (_key, value) => value !== null && textOf(value) === needed(argument, text),
  valueNotNull: () => (_key, value) => value !== null,
  valueLongerThan: (argument, text) => (_key, value) =>
    value !== null && textOf(value).length > integer(argument, text),
  valueEven: () => (_key, value) => value !== null && BigInt(value as number) % 2n === 0n,
  valueAtLeast: (argument, text) => (_key, value) =>
    value !== null && BigInt(value as number) >= BigInt(needed(argument, text)),
  keyEquals: (argument, text) => (key) => key !== null && textOf(key) === needed(argument, text),
  keyStartsWith: (argument, text) => (key) => key !== null && textOf(key).startsWith(needed(argument, text)),
  keyNotNull: () => (key) => key !== null,
}

export const predicate = (text: unknown): Predicate => pick(predicates, text, 'predicate')
