import { storeError } from '../storeError.js'

const legalName = /^[A-Za-z0-9._-]{1,249}$/

/** @throws StreamError STORE_INVALID for what is no integer of at least 0 */
export function checkStoreDuration(store: string, what: string, ms: number): void {
  if (ms < 0) throw storeError(store, `${what} cannot be negative: the store ${store} was given ${ms} ms.`)
  if (!Number.isSafeInteger(ms)) {
    throw storeError(store, `${what} of the store ${store} is ${ms}. Give an integer number of ms.`)
  }
}

/** @throws StreamError STORE_INVALID for a name that no topic may have */
export function checkStoreName(name: string): void {
  if (typeof name === 'string' && legalName.test(name) && name !== '.' && name !== '..') return
  throw storeError(
    String(name),
    `"${name}" cannot name a store: its changelog topic is named after it. ` +
      'Use 1 to 249 of the characters A-Z a-z 0-9 . _ - and neither "." nor "..".',
  )
}
