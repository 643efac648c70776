import type { CallbackContext, ProcessorContext, Record } from '@lanescope/core'
import { textOf } from '../values.js'

export type Context = CallbackContext<any, any, any>
export type Step = (record: Record<any, any>, ctx: Context) => void | Promise<void>

/** Makes the instances of a processor. */
export type Made = () => {
  init?(context: ProcessorContext): void
  process: Step
}

/** By what a processor opens a store: its builder, or its name alone where the DSL keeps the builder. */
export type StoreOf = (name: string) => any

/** `text(v) meta=TOPIC/PARTITION/OFFSET ts=… stream=… wall=… task=…`: the driver has one task. */
export function contextText(record: Record<unknown, unknown>, ctx: Context): string {
  const times = `ts=${record.timestamp} stream=${ctx.eventTime} wall=${ctx.now}`
  return `${textOf(record.value)} ${metaText(ctx)} ${times} task=0_0`
}

export function metaText(ctx: Context): string {
  const { topic = null, partition = -1, offset = -1 } = ctx.recordMetadata ?? {}
  return `meta=${topic}/${partition}/${offset}`
}
