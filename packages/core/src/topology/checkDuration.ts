import { topologyError } from './topologyError.js'

/**
 * Refuses a duration that is no integer number of ms of at least `least`.
 *
 * @throws StreamError TOPOLOGY_INVALID
 */
export function checkDuration(what: string, ms: number, least: 0 | 1): void {
  if (Number.isSafeInteger(ms) && ms >= least) return
  const bound = least === 0 ? 'not negative' : 'larger than zero'
  throw topologyError(`${what} must be an integer number of milliseconds, ${bound}; got ${ms}.`)
}
