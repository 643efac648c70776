import {
  type CallbackContext,
  Consumed,
  type KeyValueStore,
  long,
  Produced,
  type Record,
  Stores,
  string,
  Topology,
} from '@lanescope/core'

const counts = Stores.keyValue('counts', string, long)

/** Counts each key in a store, and tells half a second of event time later what was counted by then. */
export function counting(from: string | RegExp, to: string): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string), from)
    .addProcessor(
      'count',
      {
        stores: [counts],
        timers: ['event-time'],
        get: () => ({
          process: ({ key, timestamp }: Record<string, string>, ctx: CallbackContext<string, string, string>) => {
            const store: KeyValueStore<string, number> = ctx.store(counts)
            const count = (store.get(key) ?? 0) + 1
            store.put(key, count)
            void ctx.forward({ key, value: `count ${count}` })
            ctx.timers.register({ key, at: timestamp + 500, domain: 'event-time', name: 'tell' })
          },
          onTimer: ({ key }: { key: string }, ctx: CallbackContext<string, string, string>) =>
            void ctx.forward({ key, value: `told ${ctx.store(counts).get(key)}` }),
        }),
      },
      'in',
    )
    .addSink('out', to, Produced.with(string, string), 'count')
}
