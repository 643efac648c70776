/** What the first text of a processor is made of. */
export interface StarterFacts {
  /** The class's name. */
  readonly name: string
  /** TypeScript types of what comes in, over `./model.js`. */
  readonly keyType: string
  readonly valueType: string
  readonly withTimers: boolean
}

const BUILT_IN = new Set([
  'string',
  'number',
  'bigint',
  'boolean',
  'unknown',
  'null',
  'undefined',
  'never',
  'Uint8Array',
])

/** Names in a type expression that the users' model has to give. */
function modelNames(types: readonly string[]): string[] {
  const names = types.flatMap((type) => type.match(/\b[A-Z][\w$]*/g) ?? [])
  return [...new Set(names)].filter((name) => !BUILT_IN.has(name)).sort()
}

/** A processor that passes its records on; with timers, one that also waits a minute after each key's last record. */
export function starterCode(facts: StarterFacts): string {
  const { name, keyType, valueType, withTimers } = facts
  const model = modelNames([keyType, valueType])
  const types = `${keyType}, ${valueType}, ${keyType}, ${valueType}`
  const context = `CallbackContext<${keyType}, ${keyType}, ${valueType}>`
  // A timer's key is never null, and a record's may be where its type says so.
  const isNullable = /\b(null|undefined|unknown|any)\b/.test(keyType)
  const timerKey = isNullable ? `NonNullable<${keyType}>` : keyType
  const guard = isNullable ? 'if (record.key != null) ' : ''
  const imports = withTimers ? 'CallbackContext, Processor, Record, Timer' : 'CallbackContext, Processor, Record'
  return [
    `import type { ${imports} } from '@lanescope/core'`,
    ...(model.length > 0 ? [`import type { ${model.join(', ')} } from './model.js'`] : []),
    '',
    `export class ${name} implements Processor<${types}> {`,
    `  process(record: Record<${keyType}, ${valueType}>, ctx: ${context}) {`,
    ...(withTimers
      ? [
          `    ${guard}ctx.timers.register({ key: record.key, at: record.timestamp + 60_000, domain: 'event-time', name: 'quiet' })`,
        ]
      : []),
    '    return ctx.forward(record)',
    '  }',
    ...(withTimers
      ? [
          '',
          `  onTimer(timer: Timer<${timerKey}>, _ctx: ${context}) {`,
          '    // The key was quiet for a minute.',
          '  }',
        ]
      : []),
    '}',
    '',
  ].join('\n')
}

/** A class name from a node's name: `by-type` is `ByType`. */
export function className(nodeName: string): string {
  const words = nodeName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Node${joined}`
}
