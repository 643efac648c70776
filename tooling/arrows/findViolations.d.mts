export interface Rules {
  readonly forbidden: readonly object[]
  readonly options: object
}
export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
}
export function findViolations(
  rules: Rules,
  baseDir?: string,
): Promise<{ readonly violations: readonly Violation[]; readonly files: number }>
