/** A case says something that this runner does not know: it fails, it is never skipped. */
export class UnknownWord extends Error {
  override readonly name = 'UnknownWord'
}

/** The engine does not offer what a case needs. */
export class MissingApi extends Error {
  override readonly name = 'MissingApi'
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Refuses an object that has a field that nobody would look at. */
export function onlyFields(object: object, allowed: readonly string[], what: string): void {
  for (const field of Object.keys(object)) {
    if (!allowed.includes(field)) throw new UnknownWord(`Unknown field "${field}" in ${what}.`)
  }
}

/** What a table of words says for one. */
export function word<T>(table: { readonly [word: string]: T }, name: string, what: string): T {
  if (!Object.hasOwn(table, name)) throw new UnknownWord(`Unknown ${what} "${name}".`)
  return table[name] as T
}

/** Calls a method of the engine that may not be there yet. */
export function call(target: any, method: string, ...args: unknown[]): any {
  if (typeof target?.[method] === 'function') return target[method](...args)
  const type = typeof target === 'function' ? target.name : (target?.constructor?.name ?? String(target))
  throw new MissingApi(`${type}.${method}() does not exist.`)
}

/** Calls a method with the arguments that are given: options that a case leaves out are not passed. */
export function callWith(target: any, method: string, ...args: unknown[]): any {
  return call(target, method, ...args.filter((arg) => arg !== undefined))
}

/** Splits `WORD:ARGUMENT` at the first colon. */
export function splitWord(text: string): { readonly name: string; readonly argument: string | undefined } {
  const at = text.indexOf(':')
  return at < 0 ? { name: text, argument: undefined } : { name: text.slice(0, at), argument: text.slice(at + 1) }
}

/** The argument of a function word that needs one. */
export function needed(argument: string | undefined, text: string): string {
  if (argument === undefined) throw new UnknownWord(`The function "${text}" needs an argument after a colon.`)
  return argument
}

/** The integer argument of a function word. */
export function integer(argument: string | undefined, text: string): number {
  const number = Number(needed(argument, text))
  if (!Number.isSafeInteger(number)) throw new UnknownWord(`The function "${text}" needs an integer.`)
  return number
}
