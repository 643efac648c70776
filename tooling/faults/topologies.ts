import {
  type CallbackContext,
  Consumed,
  double,
  json,
  type KeyValueStore,
  Produced,
  type Record,
  Stores,
  StreamsBuilder,
  string,
  type Timer,
  Topology,
} from '@lanescope/core'

export const kinds = ['counting', 'sessions'] as const
export type Kind = (typeof kinds)[number]

/** A key's session ends when this much event time passes without a record of it, in ms. */
export const GAP_MS = 1000

interface Session {
  readonly start: number
  readonly last: number
  readonly count: number
}

/** Every record's key with how often it has come by then. */
function counting(input: string, output: string): Topology {
  const builder = new StreamsBuilder()
  builder
    .stream(input, Consumed.with(string, string, { nulls: 'drop' }))
    .groupByKey()
    .count()
    .toStream()
    .mapValues((count) => String(count))
    .to(output, Produced.with(string, string))
  return builder.build()
}

const open = Stores.keyValue('open', string, json<Session>())
const closed = Stores.keyValue('closed', string, double)

type Context = CallbackContext<string, string, string>

/** Sessions that a timer closes, and a count of them over all, so that one which is closed twice shows. */
class Sessions {
  process({ key, timestamp }: Record<string, string>, ctx: Context): void {
    const store: KeyValueStore<string, Session> = ctx.store(open)
    let session = store.get(key)
    if (session !== undefined && timestamp - session.last > GAP_MS) {
      close(key, session, ctx)
      session = undefined
    }
    store.put(key, { start: session?.start ?? timestamp, last: timestamp, count: (session?.count ?? 0) + 1 })
    ctx.timers.register({ key, at: timestamp + GAP_MS + 1, domain: 'event-time', name: 'close' })
  }

  onTimer({ key, at }: Timer<string>, ctx: Context): void {
    const session = ctx.store(open).get(key)
    if (session === undefined || at - session.last <= GAP_MS) return
    ctx.store(open).delete(key)
    close(key, session, ctx)
  }
}

function close(key: string, { start, last, count }: Session, ctx: Context): void {
  const store = ctx.store(closed)
  const number = (store.get(key) ?? 0) + 1
  store.put(key, number)
  void ctx.forward({ key, value: `${number} ${start}-${last} ${count}` })
}

function sessions(input: string, output: string): Topology {
  return new Topology()
    .addSource('in', Consumed.with(string, string, { nulls: 'drop' }), input)
    .addProcessor('session', { stores: [open, closed], timers: ['event-time'], get: () => new Sessions() }, 'in')
    .addSink('out', output, Produced.with(string, string), 'session')
}

export function build(kind: Kind, input: string, output: string): Topology {
  return kind === 'counting' ? counting(input, output) : sessions(input, output)
}

export interface Input {
  readonly key: string
  readonly timestamp: number
}

/** Keys of the last records, which move every partition's clock so far that each session before them is over. */
export const END_KEY = 'end'

/** Keys of records that are years ahead. */
export const FAR_KEY = 'far'

/** What has to come out for each key, in this order and nothing else, whatever breaks in between. */
export function expected(kind: Kind, inputs: readonly Input[]): Map<string, string[]> {
  const byKey = new Map<string, Input[]>()
  for (const input of inputs) byKey.set(input.key, [...(byKey.get(input.key) ?? []), input])
  const all = new Map<string, string[]>()
  for (const [key, records] of byKey) {
    // Nothing comes after the last records that would end their own sessions.
    if (kind === 'sessions' && (key.startsWith(END_KEY) || key.startsWith(FAR_KEY))) continue
    all.set(key, kind === 'counting' ? countsOf(records) : sessionsOf(records))
  }
  return all
}

/**
 * What has to be in the dead letters: the records that would make every pending timer due. Where there are no timers they
 * endanger nothing, and are counted like all others.
 */
export function expectedLetters(kind: Kind, inputs: readonly Input[]): Map<string, string[]> {
  if (kind === 'counting') return new Map()
  return new Map(inputs.filter(({ key }) => key.startsWith(FAR_KEY)).map(({ key }) => [key, [key]]))
}

function countsOf(records: readonly Input[]): string[] {
  return records.map((_, index) => String(index + 1))
}

function sessionsOf(records: readonly Input[]): string[] {
  const found: string[] = []
  let current: Session | undefined
  const end = () => current && found.push(`${found.length + 1} ${current.start}-${current.last} ${current.count}`)
  for (const { timestamp } of records) {
    if (current !== undefined && timestamp - current.last <= GAP_MS) {
      current = { ...current, last: timestamp, count: current.count + 1 }
    } else {
      end()
      current = { start: timestamp, last: timestamp, count: 1 }
    }
  }
  end()
  return found
}
