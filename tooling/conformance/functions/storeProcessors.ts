import { isTimestamped, isWithHeaders, versionCode } from '../storedValues.js'
import { call, needed, UnknownWord } from '../strict.js'
import { fromEngine, headersToJson, longOf, textOf } from '../values.js'
import type { Context, Made, StoreOf } from './process.js'

type Make = (argument: string | undefined, text: string) => Made

/** Processors that read and write stores, opened by what `store` gives for a name. */
export function storeProcessors(store: StoreOf): { readonly [name: string]: Make } {
  const open = (ctx: Context, name: string): any => ctx.store(store(name))
  return { ...keyValue(open), ...windowed(open), ...versioned(open) }
}

type Open = (ctx: Context, name: string) => any

function keyValue(open: Open): { readonly [name: string]: Make } {
  return {
    putStore: on(1, ([name]) => () => ({
      process(record, ctx) {
        const store = open(ctx, name)
        const old = store.get(record.key)
        put(store, record.key, record.value)
        return ctx.forward({ ...record, value: `${textOf(old)}->${textOf(record.value)}` })
      },
    })),
    store: on(1, ([name]) => () => ({
      process(record, ctx) {
        put(open(ctx, name), record.key, record.value)
      },
    })),
    countStore: on(1, ([name]) => () => ({
      process(record, ctx) {
        const store = open(ctx, name)
        const count = longOf(BigInt(store.get(record.key) ?? 0) + 1n)
        store.put(record.key, count)
        return ctx.forward({ ...record, value: count })
      },
    })),
    readStore: on(1, ([name]) => () => ({
      process(record, ctx) {
        const stored = open(ctx, name).get(record.key)
        return ctx.forward({ ...record, value: `${textOf(record.value)}/${storedText(stored)}` })
      },
    })),
    putTimestamped: on(1, ([name]) => () => ({
      process(record, ctx) {
        const stored = record.value === null ? null : { value: record.value, timestamp: record.timestamp }
        put(open(ctx, name), record.key, stored)
        return ctx.forward(record)
      },
    })),
    putHeaders: on(1, ([name]) => () => ({
      process(record, ctx) {
        const store = open(ctx, name)
        const old = store.get(record.key)
        const { value, timestamp, headers } = record
        put(store, record.key, value === null ? null : { value, timestamp, headers })
        return ctx.forward({ ...record, value: `${asJson(old)}->${textOf(value)}` })
      },
    })),
    drainEvery: on(
      2,
      ([name, interval]) =>
        () =>
          draining(open, name as string, Number(interval)),
    ),
  }
}

/** Puts, and every so often of stream time forwards all rows and deletes them. */
function draining(open: Open, name: string, intervalMs: number): ReturnType<Made> {
  return {
    init(context) {
      context.schedule(intervalMs, 'stream-time', async (at, ctx) => {
        const store = open(ctx, name)
        for (const [key, value] of await store.all().toArray()) {
          await ctx.forward({ key, value, timestamp: at })
          store.delete(key)
        }
      })
    },
    process(record, ctx) {
      put(open(ctx, name), record.key, record.value)
    },
  }
}

function windowed(open: Open): { readonly [name: string]: Make } {
  return {
    dedup: on(2, ([name, span]) => () => ({
      async process(record, ctx) {
        const store = open(ctx, name)
        const { timestamp } = record
        const known = await store.fetchRange(record.value, timestamp - Number(span), timestamp + Number(span)).toArray()
        if (known.length === 0) await ctx.forward(record)
        store.put(record.value, record.key ?? undefined, timestamp)
      },
    })),
    putWindow: on(1, ([name]) => () => ({
      process(record, ctx) {
        open(ctx, name).put(record.key, record.value ?? undefined, record.timestamp)
        return ctx.forward(record)
      },
    })),
    fetchWindow: on(3, ([name, before, after]) => () => ({
      async process(record, ctx) {
        const { timestamp } = record
        const range = open(ctx, name).fetchRange(record.key, timestamp - Number(before), timestamp + Number(after))
        const found = (await range.toArray()) as [number, unknown][]
        await ctx.forward({ ...record, value: found.map(([start, value]) => `${start}=${textOf(value)}`).join(' ') })
      },
    })),
    putWindowHeaders: on(1, ([name]) => () => ({
      process(record, ctx) {
        const store = open(ctx, name)
        const { value, timestamp, headers } = record
        const old = store.fetch(record.key, timestamp)
        store.put(record.key, value === null ? undefined : { value, timestamp, headers }, timestamp)
        return ctx.forward({ ...record, value: `${asJson(old)}->${textOf(value)}` })
      },
    })),
  }
}

function versioned(open: Open): { readonly [name: string]: Make } {
  return {
    putVersioned: on(1, ([name]) => () => ({
      process(record, ctx) {
        const code = versionCode(open(ctx, name).put(record.key, record.value, record.timestamp))
        return ctx.forward({ ...record, value: `${textOf(record.value)} validTo=${code}` })
      },
    })),
    getVersioned: on(1, ([name]) => () => ({
      process(record, ctx) {
        const store = open(ctx, name)
        const latest = store.get(record.key)
        const asOf = call(store, 'getAsOf', record.key, record.timestamp)
        return ctx.forward({ ...record, value: `latest=${storedText(latest)} asOf=${storedText(asOf)}` })
      },
    })),
  }
}

/** A make that splits its argument at colons into so many parts. */
function on(count: number, make: (parts: readonly string[] & { readonly 0: string }) => Made): Make {
  return (argument, text) => make(splitParts(argument, text, count))
}

export function splitParts(
  argument: string | undefined,
  text: string,
  count: number,
): readonly string[] & { readonly 0: string } {
  const parts = needed(argument, text).split(':')
  if (parts.length !== count) throw new UnknownWord(`The function "${text}" needs ${count} arguments.`)
  return parts as unknown as readonly string[] & { readonly 0: string }
}

/** Kafka's put of null deletes. */
function put(store: any, key: unknown, value: unknown): void {
  if (value === null) store.delete(key)
  else store.put(key, value)
}

function storedText(stored: unknown): string {
  if (!isTimestamped(stored)) return textOf(stored)
  return `${textOf(stored.value)}@${stored.timestamp}`
}

function asJson(stored: unknown): string {
  if (stored === undefined || stored === null) return 'null'
  if (!isWithHeaders(stored)) return JSON.stringify(fromEngine(stored))
  return JSON.stringify([fromEngine(stored.value), stored.timestamp, headersToJson(stored.headers)])
}
