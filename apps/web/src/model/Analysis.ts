import type { Finding, SerdeCandidate, SerdeStatus } from '@lanescope/core'

/** A serde chip: what it says, how sure it is, and who said so. */
export interface SerdeChip {
  readonly label: string
  readonly status: SerdeStatus
  readonly windowed?: boolean
  /** The node that declares it, by id. */
  readonly node?: string
  readonly candidates?: readonly SerdeCandidate[]
}
export type AnalysedFinding = Finding
