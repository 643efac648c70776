import type { JoinNode, TransformNode } from '@lanescope/shared'
import { type FlowTypes, nonNull } from './flowTypes.js'
import { modelNames } from './starterCode.js'

type Op = TransformNode['properties']['op']

/** The first text of a file with one function: what passes, passes as it is. */
export function transformCode(name: string, op: Op, { key, value }: FlowTypes): string {
  const byKey = `key: ${key}, value: ${value}`
  const byValue = `value: ${value}`
  const bodies: { readonly [op in Op]: readonly [says: string, parameters: string, body: string] } = {
    filter: ['Whether a record passes.', `_key: ${key}, ${byValue}`, 'return value != null'],
    'map-values': ['The value that goes on.', byValue, 'return value'],
    'flat-map-values': ['The values that go on, in this order; none drops the record.', byValue, 'return [value]'],
    'select-key': [
      'The new key. Equal keys meet on one lane again where they are grouped or joined.',
      byKey.replace('value:', '_value:'),
      'return key',
    ],
    peek: ['Looks at what passes.', byKey, 'console.info(key, value)'],
  }
  const [says, parameters, body] = bodies[op]
  return fileOf([key, value], says, `${name}(${parameters})`, body)
}

/** The first text of a join's file: both sides, side by side. */
export function joinCode(name: string, how: JoinNode['properties']['how'], left: FlowTypes, right: FlowTypes): string {
  const side = (type: string, open: boolean) =>
    open && nonNull(type) !== 'unknown' ? `${nonNull(type)} | null` : nonNull(type)
  const parameters = `left: ${side(left.value, how === 'outer')}, right: ${side(right.value, how !== 'inner')}`
  const says = how === 'inner' ? 'What a pair becomes.' : 'What a pair becomes; null where there is no partner.'
  return fileOf([left.value, right.value], says, `${name}(${parameters})`, 'return { left, right }')
}

function fileOf(types: readonly string[], says: string, signature: string, body: string): string {
  const model = modelNames(types)
  return [
    ...(model.length > 0 ? [`import type { ${model.join(', ')} } from './model.js'`, ''] : []),
    `/** ${says} */`,
    `export function ${signature} {`,
    `  ${body}`,
    '}',
    '',
  ].join('\n')
}

const RESERVED = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static implements interface package private protected public'.split(
    ' ',
  ),
)

/** A function's name from a node's: `by-shop` is `byShop`. */
export function functionName(nodeName: string): string {
  const words = nodeName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const joined = words
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('')
  return /^[a-z]/.test(joined) && !RESERVED.has(joined)
    ? joined
    : `run${joined.charAt(0).toUpperCase()}${joined.slice(1)}`
}
