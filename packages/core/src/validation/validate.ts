import type { Finding, ValidationInput, ValidationRule } from './Finding.js'
import { conflictingSerdes } from './rules/conflictingSerdes.js'
import { coPartitioning } from './rules/coPartitioning.js'
import { danglingSink } from './rules/danglingSink.js'
import { defaultGrace } from './rules/defaultGrace.js'
import { duplicateSource } from './rules/duplicateSource.js'
import { explicitNaming } from './rules/explicitNaming.js'
import { futureTimestamp } from './rules/futureTimestamp.js'
import { missingSerde } from './rules/missingSerde.js'
import { orderAfterAsyncRekey } from './rules/orderAfterAsyncRekey.js'
import { retentionTooSmall } from './rules/retentionTooSmall.js'
import { sourceKeyBytes } from './rules/sourceKeyBytes.js'
import { stateFormatChange } from './rules/stateFormatChange.js'
import { suppressWithoutGrace } from './rules/suppressWithoutGrace.js'
import { timerKeyLaneAffinity } from './rules/timerKeyLaneAffinity.js'
import { topicLoop } from './rules/topicLoop.js'
import { unreachableNode } from './rules/unreachableNode.js'

/** All rules, in the order in which their findings are listed. */
export const validationRules: readonly ValidationRule[] = [
  missingSerde,
  conflictingSerdes,
  timerKeyLaneAffinity,
  sourceKeyBytes,
  duplicateSource,
  coPartitioning,
  futureTimestamp,
  retentionTooSmall,
  suppressWithoutGrace,
  defaultGrace,
  unreachableNode,
  danglingSink,
  topicLoop,
  orderAfterAsyncRekey,
  explicitNaming,
  stateFormatChange,
]

/**
 * Says what is wrong with a topology, or may be, before it runs: everything at once, with fixes where one is sure.
 *
 * Pure: the same input gives the same findings, in the same order, with the same ids.
 */
export function validate(input: ValidationInput): Finding[] {
  return validationRules.flatMap((rule) => rule.check(input))
}
