import type { Finding, ValidationInput, ValidationRule } from './Finding.js'
import { futureTimestamp } from './rules/futureTimestamp.js'
import { missingSerde } from './rules/missingSerde.js'
import { timerKeyLaneAffinity } from './rules/timerKeyLaneAffinity.js'
import { unreachableNode } from './rules/unreachableNode.js'

/** All rules, in the order in which their findings are listed. */
export const validationRules: readonly ValidationRule[] = [
  missingSerde,
  timerKeyLaneAffinity,
  futureTimestamp,
  unreachableNode,
]

/**
 * Says what is wrong with a topology, or may be, before it runs: everything at once, with fixes where one is sure.
 *
 * Pure: the same input gives the same findings, in the same order, with the same ids.
 */
export function validate(input: ValidationInput): Finding[] {
  return validationRules.flatMap((rule) => rule.check(input))
}
