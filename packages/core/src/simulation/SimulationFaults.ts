/** What goes wrong in a simulated run, by the seed. Probabilities in [0, 1]; times in virtual ms. Default: nothing. */
export interface SimulationFaults {
  /** A commit is refused before anything of it is durable. */
  readonly commitFails?: number
  /** A commit is durable, but its answer is lost. */
  readonly answerLost?: number
  /** A commit takes up to so long. */
  readonly slowCommitMs?: number
  /** A fetch takes up to so long. */
  readonly slowFetchMs?: number
  /** Planned calls come up to so much late. */
  readonly jitterMs?: number
  /** Share of the lanes that are seldom picked. */
  readonly slowLanes?: number
  /**
   * The process dies at these steps, counted over the whole run; storage is cut at any byte that no sync has made
   * durable, and an engine starts anew over what is left.
   */
  readonly crashes?: readonly number[]
  /** The wall clock jumps, at a step, by so many ms. */
  readonly clockJumps?: readonly { readonly step: number; readonly byMs: number }[]
}
