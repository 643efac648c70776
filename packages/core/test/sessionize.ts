import type { CallbackContext, Deserializer, Processor, Record, Timer } from '../src/index.js'
import { Consumed, json, Produced, Stores, string, Topology } from '../src/index.js'

export interface Session {
  readonly key: string
  readonly start: number
  readonly end: number
  readonly events: number
}

export const GAP_MS = 1000

/** Reads keys that a foreign producer wrote as JSON, quotes included: the situation the affinity rules are about. */
export const unquote: Deserializer<string> = {
  id: 'unquote',
  deserialize: (_topic, _headers, bytes) => new TextDecoder().decode(bytes).replace(/^"|"$/g, ''),
}

export const openSessions = Stores.keyValue('open', string, json<Session>())

class Sessionize implements Processor<string, number, string, Session> {
  process(record: Record<string, number>, ctx: CallbackContext<string, string, Session>): void {
    const store = ctx.store(openSessions)
    const open = store.get(record.key)
    const session = open
      ? { ...open, end: Math.max(open.end, record.timestamp), events: open.events + 1 }
      : { key: record.key, start: record.timestamp, end: record.timestamp, events: 1 }
    store.put(record.key, session)
    ctx.timers.register({ key: record.key, at: session.end + GAP_MS, domain: 'event-time', name: 'close' })
  }

  onTimer(timer: Timer<string>, ctx: CallbackContext<string, string, Session>): void {
    const store = ctx.store(openSessions)
    const session = store.delete(timer.key)
    if (session) void ctx.forward({ key: timer.key, value: session })
  }
}

/** The topology of the affinity story: sessions closed by event-time timers. */
export function sessionize(source: 'deserializer' | 'declared'): Topology {
  const topology = new Topology()
  if (source === 'declared') topology.addSource('events', Consumed.with(json<string>(), json<number>()), 'events')
  else topology.addSource('events', unquote, json<number>(), 'events')
  return topology
    .addProcessor(
      'sessionize',
      { get: () => new Sessionize(), stores: [openSessions], timers: ['event-time'] },
      'events',
    )
    .addSink('sessions', 'sessions', Produced.with(string, json<Session>()), 'sessionize')
}
