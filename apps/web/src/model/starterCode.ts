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

/** What the first text imports from the engine. */
const IMPORTED = ['CallbackContext', 'Processor', 'Record', 'Timer']
/** Names of the language that code of a processor is likely to need; a class of that name would hide them. */
const OF_THE_LANGUAGE = [
  ...['AbortSignal', 'Array', 'BigInt', 'Boolean', 'Date', 'Error', 'Function', 'Iterator', 'JSON', 'Map', 'Math'],
  ...['Number', 'Object', 'Omit', 'Partial', 'Pick', 'Promise', 'Proxy', 'RangeError', 'Readonly', 'Reflect', 'RegExp'],
  ...['Required', 'Response', 'Set', 'String', 'Symbol', 'TypeError', 'URL', 'WeakMap', 'WeakSet'],
]

/** Names in a type expression that the users' model has to give. */
export function modelNames(types: readonly string[]): string[] {
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

/**
 * A class name from a node's name: `by-type` is `ByType`. One that its file or the language needs for something else
 * gets a word more: `processor` is `ProcessorNode`.
 *
 * @param types type expressions that the class's file will hold
 */
export function className(nodeName: string, types: readonly string[] = []): string {
  const words = nodeName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const name = /^[A-Za-z]/.test(joined) ? joined : `Node${joined}`
  const isTaken = [...IMPORTED, ...OF_THE_LANGUAGE, ...modelNames(types)].includes(name)
  return isTaken ? `${name}Node` : name
}
