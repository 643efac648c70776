import type { Serde } from '../../serde/Serde.js'
import type { DslPlan } from '../DslPlan.js'
import { repartitionNames, writeRepartition } from '../repartition.js'

/** The stream that enters a join. */
export interface JoinInput {
  readonly node: string
  readonly rekeyed: boolean
  /** The boundary in front of an earlier join of this very stream. */
  crossed: Crossed | undefined
}

/** A boundary that several joins may share. */
export interface Crossed {
  readonly source: string
  /** Whether one of them wants null keys, too. */
  keepsNulls: boolean
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
  if (input.crossed !== undefined && (name === undefined || name === input.node)) {
    input.crossed.keepsNulls ||= keepsNulls
    return input.crossed.source
  }
  const declared = { ...(key !== undefined && { key }), ...(value !== undefined && { value }) }
  const crossed = { source: names.source, keepsNulls }
  plan.add(
    // Written at the end, when all that share it have spoken.
    (writer) => {
      const keeping = crossed.keepsNulls ? { keepsNulls: true as const } : {}
      writeRepartition(input.node, names, { by: 'Joined', declared, ...keeping })(writer)
    },
    { mergeable: true },
  )
  input.crossed = crossed
  return names.source
}
