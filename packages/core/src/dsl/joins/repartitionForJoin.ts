import type { Serde } from '../../serde/Serde.js'
import type { DslPlan } from '../DslPlan.js'
import { addRepartition, repartitionNames } from '../repartition.js'

/** The stream that enters a join. */
export interface JoinInput {
  readonly node: string
  readonly rekeyed: boolean
  /** The boundary in front of an earlier join of this very stream, by its source node. */
  crossed: string | undefined
}

/** What the join declares for it. */
export interface Declared {
  readonly key: Serde<any> | undefined
  readonly value: Serde<any> | undefined
}

/**
 * Crosses to the lanes of the keys first, if they were changed upstream (C.2). Joins of one stream share a boundary
 * when they do not name theirs; three numbers are used up all the same.
 *
 * @param name what the join calls it; undefined: it is called after the stream's node
 * @param keepsNulls whether null keys cross too: a left or outer join sends such records on
 * @returns the node that the join reads
 */
export function repartitionForJoin(
  plan: DslPlan,
  input: JoinInput,
  name: string | undefined,
  { key, value }: Declared,
  keepsNulls: boolean,
): string {
  if (!input.rekeyed) return input.node
  const names = repartitionNames(plan, name ?? input.node)
  if (input.crossed !== undefined && (name === undefined || name === input.node)) return input.crossed
  const declared = { ...(key !== undefined && { key }), ...(value !== undefined && { value }) }
  addRepartition(plan, input.node, names, { by: 'Joined', declared, ...(keepsNulls && { keepsNulls }) })
  input.crossed = names.source
  return names.source
}
