import * as core from '@lanescope/core'
import * as testing from '@lanescope/core/testing'
import * as node from '@lanescope/node'
import type { ProvidedPackage } from './prepareProject.js'

/** Our packages as user code gets them: the very modules that the engine of this process runs on. */
export function providedPackages(): ReadonlyMap<string, ProvidedPackage> {
  return new Map([
    ['@lanescope/core', { url: import.meta.resolve('@lanescope/core'), exports: Object.keys(core) }],
    ['@lanescope/core/testing', { url: import.meta.resolve('@lanescope/core/testing'), exports: Object.keys(testing) }],
    ['@lanescope/node', { url: import.meta.resolve('@lanescope/node'), exports: Object.keys(node) }],
  ])
}
