import {
  type CodeRef,
  type DocumentNode,
  joinInputs,
  type ProcessorNode,
  type TopologyDocument,
} from '@lanescope/shared'
import { aggregateType, type FlowTypes, typesInto, typesOf } from './flowTypes.js'
import { joinFunction, type StarterFunction, starterFile, transformFunction } from './functionCode.js'
import {
  aggregatorFunction,
  branchFunction,
  initializerFunction,
  mergerFunction,
  reduceFunction,
  selectorFunction,
} from './groupedCode.js'
import { codeOf } from './nodeKinds.js'
import { sourcesOf } from './queries.js'
import { starterCode } from './starterCode.js'

/** The first text of a node's code, as the drawing is; undefined for what has none. */
export function starterOf(document: TopologyDocument, node: DocumentNode): string | undefined {
  if (node.kind === 'processor') return processorStarterOf(document, node)
  const functions = starterFunctions(document, node)
  return functions.length === 0 ? undefined : starterFile(functions)
}

/** The functions in the file of a node's code as they are first written; those that lie in other files are not among them. */
export function starterFunctions(document: TopologyDocument, node: DocumentNode): readonly StarterFunction[] {
  const { module } = codeOf(node) ?? {}
  return allFunctions(document, node).flatMap(([code, made]) => (code.module === module ? [made] : []))
}

type Made = readonly [code: CodeRef, made: StarterFunction]

function allFunctions(document: TopologyDocument, node: DocumentNode): readonly Made[] {
  const input = typesInto(document, node)
  switch (node.kind) {
    case 'transform':
      return [[node.properties.code, transformFunction(node.properties.code.export, node.properties.op, input)]]
    case 'branch':
      return node.properties.branches.map(({ name, code }) => [code, branchFunction(code.export, name, input)])
    case 'reduce':
      return [[node.properties.code, reduceFunction(node, input)]]
    case 'aggregate': {
      const { code, initializer } = node.properties
      const made = aggregateType(node)
      return [
        [initializer, initializerFunction(node, made)],
        [code, aggregatorFunction(code.export, node, input, made)],
        ...mergerOf(node, input, made),
      ]
    }
    case 'cogroup':
      return cogroupFunctions(document, node, input)
    case 'join':
      return joinFunctions(document, node)
    default:
      return []
  }
}

function cogroupFunctions(
  document: TopologyDocument,
  node: Extract<DocumentNode, { kind: 'cogroup' }>,
  input: FlowTypes,
): readonly Made[] {
  const made = aggregateType(node)
  const added = document.edges.flatMap(({ from, to, aggregator }): Made[] =>
    to !== node.id || aggregator === undefined
      ? []
      : [[aggregator, aggregatorFunction(aggregator.export, node, typesOf(document, from), made)]],
  )
  return [[node.properties.initializer, initializerFunction(node, made)], ...added, ...mergerOf(node, input, made)]
}

function mergerOf(
  { properties: { merger, windows } }: Extract<DocumentNode, { kind: 'aggregate' | 'cogroup' }>,
  { key }: FlowTypes,
  made: string,
): readonly Made[] {
  return merger === undefined || windows?.kind !== 'session' ? [] : [[merger, mergerFunction(merger.export, key, made)]]
}

function joinFunctions(document: TopologyDocument, node: Extract<DocumentNode, { kind: 'join' }>): readonly Made[] {
  const { code, how, of, selector } = node.properties
  const inputs = joinInputs(document, node.id)
  const [left, right] = [ofSide(document, inputs.left?.from), ofSide(document, inputs.right?.from)]
  const found: readonly Made[] =
    selector === undefined ? [] : [[selector, selectorFunction(selector.export, of, left, right)]]
  return [...found, [code, joinFunction(code.export, how, left, right)]]
}

function processorStarterOf(document: TopologyDocument, node: ProcessorNode): string | undefined {
  const [source] = sourcesOf(document, node.id)
  if (source === undefined) return undefined
  const { keyType, valueType } = source.properties
  const { code, timers } = node.properties
  return starterCode({ name: code.export, keyType, valueType, withTimers: timers.length > 0 })
}

function ofSide(document: TopologyDocument, id: string | undefined): FlowTypes {
  return id === undefined ? { key: 'unknown', value: 'unknown' } : typesOf(document, id)
}
