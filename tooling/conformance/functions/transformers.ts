import { needed } from '../strict.js'
import { longOf, textOf } from '../values.js'
import { pick, valueMapper } from './mappers.js'
import type { Context, StoreOf } from './process.js'

/** Gets the key first, then the value, as Kafka's `ValueTransformerWithKey`. */
interface Transformer {
  transform(key: unknown, value: unknown, ctx: Context): unknown
}

type Make = (argument: string | undefined, text: string) => () => Transformer

/** The value transformer of a word. */
export function transformerOf(text: unknown, store: StoreOf): () => Transformer {
  return pick<() => Transformer>(transformers(store), text, 'value transformer')
}

function transformers(store: StoreOf): { readonly [name: string]: Make } {
  return {
    keyColonValue: () => () => ({
      transform: (key, value) => (value === null ? null : `${textOf(key)}:${textOf(value)}`),
    }),
    mapValue: (argument, text) => {
      const map = valueMapper(needed(argument, text))
      return () => ({ transform: (key, value) => map(key, value) })
    },
    countCalls: () => () => {
      let calls = 0
      return { transform: (_key, value) => `${textOf(value)}#${++calls}` }
    },
    countInStore: (argument, text) => () => ({
      transform(key, value, ctx) {
        const counts: any = ctx.store(store(needed(argument, text)))
        const count = longOf(BigInt(counts.get(key) ?? 0) + 1n)
        counts.put(key, count)
        return `${textOf(value)}#${count}`
      },
    }),
  }
}
