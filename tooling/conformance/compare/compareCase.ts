import type { CaseFile, Expectation } from '../CaseFile.js'
import type { CaseOutcome, StepOutcome } from '../run/Outcome.js'
import type { Json } from '../strict.js'
import { timeOf } from '../values.js'
import { alignDeadLetters } from './alignDeadLetters.js'
import { compareError } from './compareError.js'
import { sameJson } from './sameJson.js'

/** One difference between what a case expects and what happened. */
export interface Difference {
  /** The step, from 0, or the part of the case. */
  readonly where: string
  readonly expected: unknown
  readonly actual: unknown
}

/** What differs, in the order of the case. Texts of `log` are informative and are not compared. */
export function compareCase(file: CaseFile, outcome: CaseOutcome): Difference[] {
  const whole = [
    ...compareError('buildError', file.buildError, outcome.buildError),
    ...compareError('describeError', file.describeError, outcome.describeError),
    ...compareError('startError', file.startError, outcome.startError),
  ]
  if (whole.length > 0 || file.buildError !== undefined) return whole
  return [
    ...steps(file, outcome),
    ...stores(file, outcome),
    ...(file.describe === undefined ? [] : compare('describe', file.describe, outcome.describe)),
    ...(file.branches === undefined ? [] : compare('branches', { ...file.branches }, outcome.branches)),
  ]
}

function steps(file: CaseFile, outcome: CaseOutcome): Difference[] {
  const expected = file.expect ?? []
  const differences = expected.flatMap((expectation, index) => {
    const actual = outcome.steps[index]
    const where = `step ${index} ${JSON.stringify(file.steps?.[index])}`
    if (actual === undefined) return [{ where, expected: expectation, actual: 'the step was not reached' }]
    return step(where, expectation, actual)
  })
  if (outcome.steps.length > expected.length && file.startError === undefined && file.expect !== undefined) {
    differences.push({ where: 'steps', expected: `${expected.length} steps`, actual: `${outcome.steps.length} steps` })
  }
  return differences
}

const defaults: { readonly [field: string]: Json } = { out: [], dropped: 0, seen: [], printed: [] }

function step(where: string, expected: Expectation, actual: StepOutcome): Difference[] {
  const fields = ['out', 'dropped', 'seen', 'printed', 'result', 'hex', 'value', 'murmur2', 'partition'] as const
  return [
    ...compareError(where, expected.error, actual.error),
    ...fields.flatMap((field) => {
      const wanted = expected[field] ?? defaults[field] ?? null
      const got = actual[field] ?? defaults[field] ?? null
      return compare(`${where} ${field}`, wanted, field === 'out' ? alignDeadLetters(wanted, got) : got)
    }),
  ]
}

function stores(file: CaseFile, outcome: CaseOutcome): Difference[] {
  return Object.entries(file.stores ?? {}).flatMap(([name, rows]) =>
    compare(`store ${name}`, rows.map(cut), outcome.stores?.[name] ?? 'there is no such store'),
  )
}

/** A window that would end behind the last time of ours ends there (W1), unless both ends are near Java's last time. */
function cut(row: Json): Json {
  if (!Array.isArray(row) || row.length !== 4 || typeof row[2] !== 'string') return row
  const [key, start, end, value] = row as [Json, Json, string, Json]
  const isLater = /^\d+$/.test(end) && timeOf(end) > Number.MAX_SAFE_INTEGER
  return isLater ? [key, start, Number.MAX_SAFE_INTEGER, value] : row
}

function compare(where: string, expected: unknown, actual: unknown): Difference[] {
  return sameJson(expected, actual) ? [] : [{ where, expected, actual }]
}
