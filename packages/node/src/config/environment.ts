const PREFIX = 'LANESCOPE_'

/** The environment variable of a key: `commit.interval.ms` is `LANESCOPE_COMMIT_INTERVAL_MS`. */
export function variableOf(key: string): string {
  return PREFIX + key.toUpperCase().replace(/[.-]/g, '_')
}

export interface FromEnvironment {
  readonly values: ReadonlyMap<string, string>
  /** Variables with our prefix that stand for no key. */
  readonly unknown: readonly string[]
}

/**
 * What an environment sets of these keys. An empty variable counts as not set. Others with the prefix may be anybody's
 * (an orchestrator makes some of a service's name), so they are told of and not refused.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly string[],
): FromEnvironment {
  const byVariable = new Map(keys.map((key) => [variableOf(key), key]))
  const values = new Map<string, string>()
  const unknown: string[] = []
  for (const [variable, value] of Object.entries(env)) {
    if (!variable.startsWith(PREFIX) || value === undefined || value === '') continue
    const key = byVariable.get(variable)
    if (key === undefined) unknown.push(variable)
    else values.set(key, value)
  }
  return { values, unknown: unknown.sort() }
}
