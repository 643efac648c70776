export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}
export const NOTHING: Tally
export function tallyOf(passed: boolean): Tally
export function add(one: Tally, other: Tally): Tally
export function tallyVitest(report: object, exitCode: number): Tally
export function tallyPlaywright(report: object, exitCode: number): Tally
export function lastLine(tally: Tally): string
