import { type Json, type JsonObject, onlyFields, UnknownWord } from './strict.js'

export type SerdeWord = string | JsonObject

export interface TopicSerdes {
  readonly key?: SerdeWord
  readonly value?: SerdeWord
}

export interface ExpectedError {
  readonly class: string
  readonly message: string | null
  readonly outer?: string
}

export interface Expectation {
  readonly out?: Json[][]
  readonly dropped?: number
  readonly error?: ExpectedError
  readonly log?: string[]
  readonly seen?: Json[][]
  readonly printed?: string[]
  readonly result?: Json
  readonly hex?: string | null
  readonly value?: Json
  readonly murmur2?: number
  readonly partition?: number
}

/** One case as its file holds it. The format: README.md. */
export interface CaseFile {
  readonly name: string
  readonly about: string
  readonly spec: readonly string[]
  readonly kind?: 'topology' | 'store' | 'serde' | 'partition'
  readonly api?: 'dsl' | 'papi'
  readonly config?: JsonObject
  readonly topics?: { readonly [topic: string]: TopicSerdes }
  readonly watch?: readonly string[]
  readonly continueAfterError?: boolean
  readonly topology?: readonly JsonObject[]
  readonly steps?: readonly JsonObject[]
  readonly expect?: readonly Expectation[]
  readonly stores?: { readonly [store: string]: Json[] }
  readonly describe?: string
  readonly branches?: { readonly [id: string]: readonly string[] }
  readonly buildError?: ExpectedError
  readonly describeError?: ExpectedError
  readonly startError?: ExpectedError
  readonly store?: JsonObject
  readonly serde?: SerdeWord
}

const caseFields = [
  ...['name', 'about', 'spec', 'kind', 'api', 'config', 'topics', 'watch', 'continueAfterError', 'topology', 'steps'],
  ...['expect', 'stores', 'describe', 'branches', 'buildError', 'describeError', 'startError', 'store', 'serde'],
]

const expectationFields = [
  ...['out', 'dropped', 'error', 'log', 'seen', 'printed', 'result', 'hex', 'value', 'murmur2', 'partition'],
]

/** Reads a case and refuses what its format does not know. */
export function parseCase(text: string): CaseFile {
  const parsed = JSON.parse(text) as JsonObject
  onlyFields(parsed, caseFields, 'the case')
  const file = parsed as unknown as CaseFile
  if (!['topology', 'store', 'serde', 'partition'].includes(file.kind ?? 'topology')) {
    throw new UnknownWord(`Unknown kind "${file.kind}".`)
  }
  if (!['dsl', 'papi'].includes(file.api ?? 'dsl')) throw new UnknownWord(`Unknown api "${file.api}".`)
  for (const [topic, sides] of Object.entries(file.topics ?? {})) {
    onlyFields(sides, ['key', 'value'], `the serdes of topic "${topic}"`)
  }
  for (const expected of file.expect ?? []) onlyFields(expected, expectationFields, 'an expectation')
  for (const error of [
    file.buildError,
    file.describeError,
    file.startError,
    ...(file.expect ?? []).map((e) => e.error),
  ])
    if (error !== undefined) onlyFields(error, ['class', 'message', 'outer'], 'an error')
  return file
}
