/** What the compiler says about a place in the user's code. Offsets are UTF-16 units, `to` excluded. */
export interface CodeDiagnostic {
  /** Path under `src/`. */
  readonly path: string
  readonly from: number
  readonly to: number
  /** From 1. */
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warn'
  readonly message: string
  /** TypeScript's number; below 2000 it is about syntax. */
  readonly code: number
}
