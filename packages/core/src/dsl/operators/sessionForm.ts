import { Headers } from '../../model/Headers.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'

/** How a session store keeps an aggregate. */
export interface SessionForm<A> {
  valueOf(stored: any): A
  stored(value: A): unknown
}

/** The value alone, or with headers, which are empty (A.9). */
export function sessionForm<A>({ format }: Pick<StoreBuilder<any, any>, 'format'>): SessionForm<A> {
  if (format !== 'headers') return { valueOf: (stored) => stored, stored: (value) => value }
  return { valueOf: (stored) => stored.value, stored: (value) => ({ value, headers: Headers.empty }) }
}
