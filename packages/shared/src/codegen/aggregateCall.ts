import type { CountingNode } from '../document/nodeForms.js'
import { stringLiteral } from './literals.js'
import type { TopologyWriter } from './TopologyWriter.js'

/** A grouped stream, cut into windows where the node has some, counted into its store: a table. */
export function countCall(node: CountingNode, input: string, named: string, writer: TopologyWriter): string {
  const { key, value, storeName } = node.properties
  const grouped =
    key === undefined && value === undefined
      ? ''
      : `${writer.imports.core('Grouped')}.with(${writer.optionalSerde(key)}, ${writer.optionalSerde(value)})`
  const retentionMs = node.kind === 'count' ? undefined : node.properties.retentionMs
  const retention = retentionMs === undefined ? '' : `.withRetention(${writer.duration(retentionMs)})`
  const store = `${writer.imports.core('Materialized')}.as(${stringLiteral(storeName)})${retention}`
  const windows = windowsOf(node, writer)
  const cut = windows === undefined ? '' : `.windowedBy(${windows})`
  return `${input}.groupByKey(${grouped})${cut}.count(${named}, ${store})`
}

function windowsOf(node: CountingNode, writer: TopologyWriter): string | undefined {
  const { imports } = writer
  /** `ofXAndGrace(a, b)`, or `ofXWithNoGrace(a)` where there is none. */
  const made = (of: string, lengthMs: number, graceMs: number) =>
    graceMs === 0
      ? `${of}WithNoGrace(${writer.duration(lengthMs)})`
      : `${of}AndGrace(${writer.duration(lengthMs)}, ${writer.duration(graceMs)})`
  switch (node.kind) {
    case 'count':
      return undefined
    case 'windowed-count': {
      const { sizeMs, graceMs, advanceMs } = node.properties
      const advance = advanceMs === undefined ? '' : `.advanceBy(${writer.duration(advanceMs)})`
      return `${imports.core('TimeWindows')}.${made('ofSize', sizeMs, graceMs)}${advance}`
    }
    case 'session-count': {
      const { gapMs, graceMs } = node.properties
      return `${imports.core('SessionWindows')}.${made('ofInactivityGap', gapMs, graceMs)}`
    }
    case 'sliding-count': {
      const { differenceMs, graceMs } = node.properties
      return `${imports.core('SlidingWindows')}.${made('ofTimeDifference', differenceMs, graceMs)}`
    }
  }
}
