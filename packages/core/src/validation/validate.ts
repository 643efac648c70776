import type { Finding, ValidationInput, ValidationRule } from './Finding.js'
import { conflictingSerdes } from './rules/conflictingSerdes.js'
import { danglingSink } from './rules/danglingSink.js'
import { explicitNaming } from './rules/explicitNaming.js'
import { futureTimestamp } from './rules/futureTimestamp.js'
import { missingSerde } from './rules/missingSerde.js'
import { orderAfterAsyncRekey } from './rules/orderAfterAsyncRekey.js'
import { sourceKeyBytes } from './rules/sourceKeyBytes.js'
import { timerKeyLaneAffinity } from './rules/timerKeyLaneAffinity.js'
import { unreachableNode } from './rules/unreachableNode.js'

/** All rules, in the order in which their findings are listed. */
export const validationRules: readonly ValidationRule[] = [
  missingSerde,
  conflictingSerdes,
  timerKeyLaneAffinity,
  sourceKeyBytes,
  futureTimestamp,
  unreachableNode,
  danglingSink,
  orderAfterAsyncRekey,
  explicitNaming,
]

/**
 * Says what is wrong with a topology, or may be, before it runs: everything at once, with fixes where one is sure.
 *
 * Pure: the same input gives the same findings, in the same order, with the same ids.
 */
export function validate(input: ValidationInput): Finding[] {
  return validationRules.flatMap((rule) => rule.check(input))
}
