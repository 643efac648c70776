import { Headers, type Record } from '@lanescope/core'
import { integer, needed, splitWord } from '../strict.js'
import { textOf } from '../values.js'
import { IllegalStateException, pick, valueMapper } from './mappers.js'
import type { StoreOf } from './process.js'
import { type Context, contextText, type Made, type Step } from './process.js'
import { punctuators } from './punctuators.js'
import { splitParts, storeProcessors } from './storeProcessors.js'

const encoder = new TextEncoder()
type Make = (argument: string | undefined, text: string) => Made

const stateless: { readonly [name: string]: Make } = {
  echo: () => plain((record, ctx) => ctx.forward(record)),
  nothing: () => plain(() => undefined),
  twice: () =>
    plain((record, ctx) => {
      void ctx.forward(record)
      void ctx.forward(record)
    }),
  swap: () => plain((record, ctx) => ctx.forward({ ...record, key: record.value, value: record.key })),
  mapValue: (argument, text) => {
    const map = valueMapper(needed(argument, text))
    return plain((record, ctx) => ctx.forward({ ...record, value: map(record.key, record.value) }))
  },
  shiftTs: (argument, text) =>
    plain((record, ctx) => ctx.forward({ ...record, timestamp: record.timestamp + integer(argument, text) })),
  throwOn: (argument, text) =>
    plain((record, ctx) => {
      if (record.value !== null && textOf(record.value) === needed(argument, text)) {
        throw new IllegalStateException(`refused ${argument}`)
      }
      return ctx.forward(record)
    }),
  addHeader: (argument, text) => {
    const { name, argument: value } = splitWord(needed(argument, text))
    return plain((record, ctx) => ctx.forward({ ...record, headers: added(record, name, needed(value, text)) }))
  },
  routeByValue: () => plain((record, ctx) => ctx.forward(record, textOf(record.value))),
  context: () => plain((record, ctx) => ctx.forward({ ...record, value: contextText(record, ctx) })),
}

const valueProcessors: { readonly [name: string]: Make } = {
  ...(Object.fromEntries(
    ['echo', 'nothing', 'twice', 'context', 'mapValue', 'throwOn'].map((name) => [name, stateless[name]]),
  ) as { readonly [name: string]: Make }),
}

/** The processor of a word, as a function that makes an instance; `store` gives what it opens stores by. */
export function processorOf(text: unknown, store: StoreOf): () => object {
  const library = { ...stateless, ...punctuators, ...storeProcessors(store) }
  return pick<Made>(library, text, 'processor')
}

/** The value processor of a word. */
export function valueProcessorOf(text: unknown, store: StoreOf): () => object {
  const { putStore } = storeProcessors(store)
  return pick<Made>({ ...valueProcessors, ...(putStore && { putStore }) }, text, 'value processor')
}

export { splitParts }

/** A processor of one function, a new one for each instance. */
function plain(process: Step): Made {
  return () => ({ process })
}

function added(record: Record<unknown, unknown>, name: string, value: string): Headers {
  return (record.headers ?? Headers.empty).with(name, encoder.encode(value))
}

export type { Context }
