import type { JoinNode } from '../document/TopologyDocument.js'
import type { MadeNode } from './dslForm.js'
import { stringLiteral } from './literals.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** How far apart two records may be that no property says otherwise of, in ms. */
export const DEFAULT_JOIN_MS = 300_000

const METHODS = { inner: 'join', left: 'leftJoin', outer: 'outerJoin' } as const

/** The join of two inputs, left and right. */
export function joinCall(node: JoinNode, [left, right]: readonly [MadeNode, MadeNode], writer: TopologyWriter): string {
  const { of, how, code, selector } = node.properties
  const { imports } = writer
  const method = METHODS[how]
  const isStubbed = writer.purpose === 'analysis'
  const joiner = isStubbed ? '(left, right) => [left, right]' : writer.code(code)
  const keyOf = isStubbed || selector === undefined ? '(one) => one' : writer.code(selector)
  const name = stringLiteral(node.name)
  switch (of) {
    case 'stream-stream':
      return `${left.stream}.${method}(${right.stream}, ${joiner}, ${joinWindows(node, writer)}, ${streamJoined(node, writer)})`
    case 'stream-table':
      return `${left.stream}.${method}(${right.table}, ${joiner}, ${joined(node, writer)})`
    case 'table-table':
      return `${left.table}.${method}(${right.table}, ${joiner}, ${imports.core('Named')}.as(${name}))`
    case 'foreign-key':
      return `${left.table}.${method}(${right.table}, ${keyOf}, ${joiner}, ${imports.core('TableJoined')}.as(${name}))`
    case 'stream-global':
      return `${left.stream}.${method}(${right.table}, ${keyOf}, ${joiner}, ${imports.core('Named')}.as(${name}))`
  }
}

function joinWindows({ properties }: JoinNode, writer: TopologyWriter): string {
  const { beforeMs = DEFAULT_JOIN_MS, afterMs = DEFAULT_JOIN_MS, graceMs = 0 } = properties
  const windows = writer.imports.core('JoinWindows')
  const most = Math.max(beforeMs, afterMs)
  const made =
    graceMs === 0
      ? `${windows}.ofTimeDifferenceWithNoGrace(${writer.duration(most)})`
      : `${windows}.ofTimeDifferenceAndGrace(${writer.duration(most)}, ${writer.duration(graceMs)})`
  // The larger side stands already: their sum may never be negative.
  if (beforeMs < most) return `${made}.before(${writer.duration(beforeMs)})`
  return afterMs < most ? `${made}.after(${writer.duration(afterMs)})` : made
}

function streamJoined(node: JoinNode, writer: TopologyWriter): string {
  const { key, leftValue, rightValue, storeName } = node.properties
  const made = writer.imports.core('StreamJoined')
  const name = `.withName(${stringLiteral(node.name)})`
  const own = [key, leftValue, rightValue]
  if (storeName !== undefined && own.every((serde) => serde === undefined))
    return `${made}.as(${stringLiteral(storeName)})${name}`
  const store = storeName === undefined ? '' : `.withStoreName(${stringLiteral(storeName)})`
  return `${made}.with(${own.map((serde) => writer.optionalSerde(serde)).join(', ')})${name}${store}`
}

function joined(node: JoinNode, writer: TopologyWriter): string {
  const { key, leftValue, rightValue } = node.properties
  const made = writer.imports.core('Joined')
  if (key === undefined && leftValue === undefined && rightValue === undefined)
    return `${made}.as(${stringLiteral(node.name)})`
  const serdes = [key, leftValue, rightValue].map((serde) => writer.optionalSerde(serde)).join(', ')
  return `${made}.with(${serdes}).withName(${stringLiteral(node.name)})`
}
