import type { JoinNode, TransformNode } from '@lanescope/shared'
import { RESERVED_WORDS } from './codeRefProblem.js'
import { type FlowTypes, nonNull } from './flowTypes.js'
import { modelNames } from './starterCode.js'

type Op = TransformNode['properties']['op']

/** A function as its first text is written. */
export interface StarterFunction {
  readonly name: string
  /** The comment above it. */
  readonly says: string
  /** With their types, as they stand between the brackets. */
  readonly parameters: string
  /** Its type, where the body alone does not say it. */
  readonly returns?: string
  readonly body: string
  /** Type expressions in it, for what they import. */
  readonly types: readonly string[]
}

/** The function of a transform: what passes, passes as it is. */
export function transformFunction(name: string, op: Op, { key, value }: FlowTypes): StarterFunction {
  const byKey = `key: ${key}, value: ${value}`
  const byValue = `value: ${value}`
  const test = `_key: ${key}, ${byValue}`
  const pair = `[${key}, ${value}]`
  const bodies: { readonly [op in Op]: readonly [says: string, parameters: string, body: string, returns?: string] } = {
    filter: ['Whether a record passes.', test, 'return value != null'],
    'filter-not': ['Whether a record is left out.', test, 'return value == null'],
    'map-values': ['The value that goes on.', byValue, 'return value'],
    map: ['The key and the value that go on.', byKey, 'return [key, value]', pair],
    'flat-map-values': ['The values that go on, in this order; none drops the record.', byValue, 'return [value]'],
    'flat-map': [
      'The records that go on, each a key and a value, in this order; none drops the record.',
      byKey,
      'return [[key, value]]',
      `${pair}[]`,
    ],
    'select-key': [
      'The new key. Equal keys meet on one lane again where they are grouped or joined.',
      byKey.replace('value:', '_value:'),
      'return key',
    ],
    peek: ['Looks at what passes.', byKey, 'console.info(key, value)'],
  }
  const [says, parameters, body, returns] = bodies[op]
  return { name, says, parameters, body, types: [key, value], ...(returns !== undefined && { returns }) }
}

/** The first text of a transform's file. */
export function transformCode(name: string, op: Op, types: FlowTypes): string {
  return starterFile([transformFunction(name, op, types)])
}

/** What one side of a join may be. */
function side(type: string, open: boolean): string {
  return open && nonNull(type) !== 'unknown' ? `${nonNull(type)} | null` : nonNull(type)
}

/** The function of a join: both sides, side by side. */
export function joinFunction(
  name: string,
  how: JoinNode['properties']['how'],
  left: FlowTypes,
  right: FlowTypes,
): StarterFunction {
  return {
    name,
    says: how === 'inner' ? 'What a pair becomes.' : 'What a pair becomes; null where there is no partner.',
    parameters: `left: ${side(left.value, how === 'outer')}, right: ${side(right.value, how !== 'inner')}`,
    body: 'return { left, right }',
    types: [left.value, right.value],
  }
}

/** The first text of a join's file. */
export function joinCode(name: string, how: JoinNode['properties']['how'], left: FlowTypes, right: FlowTypes): string {
  return starterFile([joinFunction(name, how, left, right)])
}

/** A file of these functions, with what they import. */
export function starterFile(functions: readonly StarterFunction[]): string {
  const model = modelNames(functions.flatMap(({ types }) => types))
  const texts = functions.map(functionText)
  return [...(model.length > 0 ? [importLine(model)] : []), ...texts].join('\n')
}

/** A file with functions more, below what is there; what it does not import yet of the model comes in front. */
export function withFunctions(text: string, functions: readonly StarterFunction[]): string {
  if (functions.length === 0) return text
  const has = (name: string) => new RegExp(`^import [^;]*\\b${name}\\b`, 'm').test(text)
  const model = modelNames(functions.flatMap(({ types }) => types)).filter((name) => !has(name))
  // Among imports it is one of them; else a line apart.
  const apart = text.startsWith('import') ? '' : '\n'
  const head = model.length === 0 ? '' : `${importLine(model)}${apart}`
  return [`${head}${text.trimEnd()}\n`, ...functions.map(functionText)].join('\n')
}

function importLine(names: readonly string[]): string {
  return `import type { ${names.join(', ')} } from './model.js'\n`
}

function functionText({ name, says, parameters, returns, body }: StarterFunction): string {
  const type = returns === undefined ? '' : `: ${returns}`
  return [`/** ${says} */`, `export function ${name}(${parameters})${type} {`, `  ${body}`, '}', ''].join('\n')
}

/** A function's name from a node's: `by-shop` is `byShop`. */
export function functionName(nodeName: string): string {
  const words = nodeName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')
  return /^[a-z]/.test(joined) && !RESERVED_WORDS.has(joined)
    ? joined
    : `run${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
}
