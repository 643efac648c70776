import type { TransformNode } from '../document/TopologyDocument.js'
import type { TopologyWriter } from './TopologyWriter.js'

type Op = TransformNode['properties']['op']

const METHODS: { readonly [op in Op]: string } = {
  filter: 'filter',
  'map-values': 'mapValues',
  'select-key': 'selectKey',
  'flat-map-values': 'flatMapValues',
  peek: 'peek',
}

/** What stands in for the user's function in an analysis, which runs no records. */
const STUBS: { readonly [op in Op]: string } = {
  filter: '() => true',
  'map-values': '(value) => value',
  'select-key': '(key) => key',
  'flat-map-values': '(value) => [value]',
  peek: '() => {}',
}

/** A call with one function of the user's. */
export function transformCall(node: TransformNode, input: string, named: string, writer: TopologyWriter): string {
  const { op, code } = node.properties
  const made = writer.purpose === 'analysis' ? STUBS[op] : writer.code(code)
  return `${input}.${METHODS[op]}(${made}, ${named})`
}
