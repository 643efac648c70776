import type { z } from 'zod'
import { checkStructure } from './checkStructure.js'
import { locateJsonError } from './locateJsonError.js'
import { migrate } from './migrate.js'
import { type DocumentProblem, pathText } from './problems.js'
import { type TopologyDocument, topologyDocument } from './TopologyDocument.js'

export type ParsedDocument =
  | { readonly ok: true; readonly document: TopologyDocument }
  | { readonly ok: false; readonly problems: readonly DocumentProblem[] }

/**
 * Reads the text of a `topology.json`. Never throws: what is wrong comes back, all of it at once, each with its place.
 * A half-finished drawing is fine (see `incompleteness`); a document that means nothing is not.
 */
export function parseDocument(text: string): ParsedDocument {
  const syntax = locateJsonError(text)
  if (syntax !== undefined) {
    return refused([
      { path: `line ${syntax.line}, column ${syntax.column}`, message: `This is not JSON: ${syntax.message}.` },
    ])
  }
  return checkDocument(JSON.parse(text.replace(/^\ufeff/, '')))
}

/** The same for JSON that is parsed already, such as a message's field. */
export function checkDocument(json: unknown): ParsedDocument {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) {
    return refused([{ path: '', message: 'A topology document is a JSON object.' }])
  }
  const migrated = migrate(json as { [field: string]: unknown })
  if (!migrated.ok) return refused([{ path: 'formatVersion', message: migrated.message }])
  const parsed = topologyDocument.safeParse(migrated.document)
  if (!parsed.success) return refused(parsed.error.issues.flatMap((issue) => issueProblems(issue, migrated.document)))
  const problems = checkStructure(parsed.data)
  return problems.length > 0 ? refused(problems) : { ok: true, document: parsed.data }
}

function refused(problems: readonly DocumentProblem[]): ParsedDocument {
  return { ok: false, problems }
}

/** A schema's complaint in words that name the field, the value and what is allowed. */
export function issueProblems(issue: z.core.$ZodIssue, json: unknown): DocumentProblem[] {
  const path = pathText(issue.path)
  const value = valueAt(json, issue.path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: pathText([...issue.path, key]),
        message: `"${key}" is not a field that exists here.`,
      }))
    case 'invalid_union':
      return unionProblems(issue, path, json)
    case 'invalid_value':
      if (value === undefined) return [missing(issue.path)]
      return [
        {
          path,
          message: `${shown(value)} is none of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}.`,
        },
      ]
    case 'invalid_type':
      if (value === undefined) return [missing(issue.path)]
      return [{ path, message: `${shown(value)} is not ${article(issue.expected)}.` }]
    default:
      return [
        { path, message: value === undefined ? missing(issue.path).message : `${shown(value)}: ${issue.message}.` },
      ]
  }
}

function unionProblems(issue: z.core.$ZodIssueInvalidUnion, path: string, json: unknown): DocumentProblem[] {
  const value = valueAt(json, issue.path)
  if (value === undefined) return [missing(issue.path)]
  const options = 'options' in issue && Array.isArray(issue.options) ? (issue.options as unknown[]) : []
  const field = String(issue.path[issue.path.length - 1])
  if (options.length === 0) return [{ path, message: `${shown(value)} is not allowed here.` }]
  const what = field === 'kind' ? kindOfThing(issue.path) : `value of ${field}`
  return [{ path, message: `${shown(value)} is no known ${what}; known are ${options.map(String).join(', ')}.` }]
}

function kindOfThing(path: readonly PropertyKey[]): string {
  return path[0] === 'nodes' && path.length === 3 ? 'kind of node' : 'kind'
}

function missing(path: readonly PropertyKey[]): DocumentProblem {
  return { path: pathText(path), message: `The field "${String(path[path.length - 1])}" is missing.` }
}

function article(type: string): string {
  const word = type === 'int' ? 'whole number' : type === 'record' ? 'object' : type
  return /^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

function valueAt(json: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined),
    json,
  )
}
