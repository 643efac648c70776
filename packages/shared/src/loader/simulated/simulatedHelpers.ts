import { StreamError } from '@lanescope/core'
import { awaitHelpers, type SimulatedHost } from '@lanescope/core/simulation'
import * as tslib from 'tslib'
import { REFUSED } from './hostNames.js'

/**
 * What compiled modules import as `tslib`: its helpers, with those for `await` ours, and stand-ins for what a
 * simulation has to answer for. Link it as the package `tslib`.
 */
export function simulatedHelpers(host: SimulatedHost): object {
  return { ...tslib, ...awaitHelpers(host), ...heldNames(host), ...refusedNames() }
}

function heldNames(host: SimulatedHost): { readonly [name: string]: unknown } {
  class SimulatedDate extends Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(host.now())
      else super(...(args as [number]))
    }

    static override now(): number {
      return host.now()
    }
  }
  const chance = Object.create(Math, { random: { value: () => host.random() } }) as Math
  return { Date: SimulatedDate, Math: chance, performance: { now: () => host.monotonic() } }
}

/** Each throws at its first use, by name: a simulation cannot repeat what happens outside it. */
function refusedNames(): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    REFUSED.map((name) => {
      const refuse = (): never => {
        throw new StreamError(
          `"${name}" is not available in a simulation, which could not repeat it. Use ctx.sleep for time and ctx.call for I/O.`,
          { code: 'PROCESSING_FAILED', kind: 'user', retriable: false },
        )
      }
      // A plain function, so that it can stand before `new`, too.
      return [name, new Proxy(function refused() {}, { apply: refuse, construct: refuse, get: refuse, has: refuse })]
    }),
  )
}
