import type { AggregateNode, CogroupNode, JoinNode, ReduceNode } from '@lanescope/shared'
import { type FlowTypes, nonNull } from './flowTypes.js'
import type { StarterFunction } from './functionCode.js'

// First texts of the functions that split, group and look up: they run as they are.

/** Whether a record goes into a branch. */
export function branchFunction(name: string, branch: string, { key, value }: FlowTypes): StarterFunction {
  return {
    name,
    says: `Whether a record goes into the branch ${branch}.`,
    parameters: `_key: ${key}, value: ${value}`,
    body: 'return value != null',
    types: [key, value],
  }
}

const REDUCES = 'What the values of a key come to: so far, and with one more. The first stands for itself.'

/** The newest value stays. In windows values may be null, where the topic's may. */
export function reduceFunction(node: ReduceNode, { value }: FlowTypes): StarterFunction {
  const { code, windows } = node.properties
  const next = windows === undefined ? nonNull(value) : value
  const isNullable = next !== nonNull(next)
  if (nonNull(value) === 'unknown') {
    // Behind code of the user's: what comes in goes out, whatever its type.
    return {
      name: `${code.export}<V>`,
      says: REDUCES,
      parameters: '_aggregate: V, value: V',
      body: 'return value',
      types: [],
    }
  }
  return {
    name: code.export,
    says: REDUCES,
    parameters: `${isNullable ? 'aggregate' : '_aggregate'}: ${nonNull(value)}, value: ${next}`,
    body: isNullable ? 'return value ?? aggregate' : 'return value',
    types: [value],
  }
}

/** What an aggregation begins with, of the type that it makes. */
export function initializerFunction(
  { properties: { initializer, windows } }: AggregateNode | CogroupNode,
  made: string,
): StarterFunction {
  return {
    name: initializer.export,
    says: `What the first record of a key${windows === undefined ? '' : ' and window'} is added to.`,
    parameters: '',
    returns: made,
    body: `return ${emptyOf(made)}`,
    types: [made],
  }
}

/** Counts, where what it makes can count; else keeps what was there. */
export function aggregatorFunction(
  name: string,
  { properties: { windows }, kind }: AggregateNode | CogroupNode,
  { key, value }: FlowTypes,
  made: string,
): StarterFunction {
  const added = windows === undefined || kind === 'cogroup' ? nonNull(value) : value
  return {
    name,
    says: 'The aggregate with one record more.',
    parameters: `_key: ${nonNull(key)}, _value: ${added}, aggregate: ${made}`,
    returns: made,
    body: `return aggregate${ADDED[made] === undefined ? '' : ` + ${ADDED[made]}`}`,
    types: [key, value, made],
  }
}

/** Of sessions: both aggregates as one. */
export function mergerFunction(name: string, key: string, made: string): StarterFunction {
  const adds = made === 'number' || made === 'bigint'
  return {
    name,
    says: 'What two sessions that become one come to.',
    parameters: `_key: ${nonNull(key)}, ${adds ? 'one' : '_one'}: ${made}, other: ${made}`,
    returns: made,
    body: adds ? 'return one + other' : 'return other',
    types: [key, made],
  }
}

/** Which key of the right table to look up. */
export function selectorFunction(
  name: string,
  of: JoinNode['properties']['of'],
  left: FlowTypes,
  right: FlowTypes,
): StarterFunction {
  const wanted = nonNull(right.key)
  const returns = wanted === 'unknown' ? wanted : `${wanted} | null`
  if (of === 'foreign-key') {
    return {
      name,
      says: 'The key of the other table that a row points to; null where it points to none.',
      parameters: `_value: ${nonNull(left.value)}`,
      returns,
      body: 'return null',
      types: [left.value, right.key],
    }
  }
  const isSame = nonNull(left.key) === wanted
  return {
    name,
    says: 'The key of the global table that a record looks up; null for none.',
    parameters: `${isSame ? 'key' : '_key'}: ${left.key}, _value: ${nonNull(left.value)}`,
    returns,
    body: isSame ? 'return key' : 'return null',
    types: [left.key, left.value, right.key],
  }
}

const EMPTY: { readonly [type: string]: string } = {
  number: '0',
  bigint: '0n',
  string: "''",
  boolean: 'false',
  unknown: 'null',
  Uint8Array: 'new Uint8Array()',
}

const ADDED: { readonly [type: string]: string } = { number: '1', bigint: '1n' }

function emptyOf(type: string): string {
  return EMPTY[type] ?? (type.endsWith('[]') ? '[]' : `{} as ${type}`)
}
