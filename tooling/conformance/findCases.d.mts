export interface FoundCase {
  /** The path in the folder, with slashes. */
  readonly name: string
  readonly path: string
  /** Where its results are that a repair has changed. */
  readonly repaired?: string
}

export function findCases(top: string, repaired?: string): Promise<FoundCase[]>
