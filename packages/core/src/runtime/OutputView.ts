import type { Header } from '../model/Headers.js'
import type { OutputRecord, Outputs } from './RecordLog.js'

/**
 * An output where it lies: parts of larger arrays, so that a log can copy its bytes to where they go without an object
 * for each. It is one object that goes from output to output: nothing of it holds behind the call that it is given to.
 */
export interface OutputView {
  topic: string
  partition: number
  timestamp: number
  headers: readonly Header[]
  /** Null: there is no key. It is from `keyFrom` on, and ends before `keyTo`. */
  key: Uint8Array | null
  keyFrom: number
  keyTo: number
  /** Null: a tombstone. */
  value: Uint8Array | null
  valueFrom: number
  valueTo: number
}

/** Outputs that can be gone through where they lie. */
export interface ViewedOutputs extends Outputs {
  visit(visitor: (output: OutputView) => void): void
}

/** Shows all outputs of an epoch, in their order. */
export function visitOutputs(outputs: Outputs, visitor: (output: OutputView) => void): void {
  if ('visit' in outputs) (outputs as ViewedOutputs).visit(visitor)
  else visitRecords(outputs, visitor)
}

export function visitRecords(records: Iterable<OutputRecord>, visitor: (output: OutputView) => void): void {
  const view = newOutputView()
  for (const { topic, partition, timestamp, headers, key, value } of records) {
    view.topic = topic
    view.partition = partition
    view.timestamp = timestamp
    view.headers = headers
    view.key = key
    view.keyTo = key?.length ?? 0
    view.value = value
    view.valueTo = value?.length ?? 0
    visitor(view)
  }
}

export function newOutputView(): OutputView {
  return {
    topic: '',
    partition: 0,
    timestamp: 0,
    headers: [],
    key: null,
    keyFrom: 0,
    keyTo: 0,
    value: null,
    valueFrom: 0,
    valueTo: 0,
  }
}
