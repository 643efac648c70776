import * as core from '@lanescope/core'
import { MissingApi } from '../strict.js'

/** A public name of the engine that may not be there yet. */
export function entry(name: string): any {
  const found = (core as { readonly [name: string]: unknown })[name]
  if (found === undefined) throw new MissingApi(`@lanescope/core does not export ${name}.`)
  return found
}
