import type { EngineConfig, FindingVerdict } from '../topology/EngineConfig.js'
import type { Severity } from './Finding.js'

/** Rules whose findings are as severe as the config says. */
export type RuleId = {
  [K in keyof EngineConfig]: K extends `topology.validation.${infer Rule}` ? Rule : never
}[keyof EngineConfig]

/** The severity that the config gives a rule's findings; undefined when the rule is off. */
export function severityOf(config: EngineConfig, rule: RuleId): Severity | undefined {
  const verdict: FindingVerdict = config[`topology.validation.${rule}`]
  return verdict === 'off' ? undefined : verdict
}

const ascending: readonly Severity[] = ['hint', 'warn', 'error']

/** The less severe of two. */
export function atMost(severity: Severity, limit: Severity): Severity {
  return ascending.indexOf(severity) < ascending.indexOf(limit) ? severity : limit
}
