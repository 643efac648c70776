import type { TransformNode } from '../document/TopologyDocument.js'
import type { TopologyWriter } from './TopologyWriter.js'

type Op = TransformNode['properties']['op']

const METHODS: { readonly [op in Op]: string } = {
  filter: 'filter',
  'filter-not': 'filterNot',
  'map-values': 'mapValues',
  map: 'map',
  'flat-map-values': 'flatMapValues',
  'flat-map': 'flatMap',
  'select-key': 'selectKey',
  peek: 'peek',
}

/** What stands in for the user's function in an analysis, which runs no records. */
const STUBS: { readonly [op in Op]: string } = {
  filter: '() => true',
  'filter-not': '() => false',
  'map-values': '(value) => value',
  map: '(key, value) => [key, value]',
  'flat-map-values': '(value) => [value]',
  'flat-map': '(key, value) => [[key, value]]',
  'select-key': '(key) => key',
  peek: '() => {}',
}

/** A call with one function of the user's. */
export function transformCall(node: TransformNode, input: string, named: string, writer: TopologyWriter): string {
  const { op, code } = node.properties
  const made = writer.purpose === 'analysis' ? STUBS[op] : writer.code(code)
  return `${input}.${METHODS[op]}(${made}, ${named})`
}
