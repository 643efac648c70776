import type { CallbackContext, Processor, Record, Timer } from '@lanescope/core'
import type { Event, Session } from './model.js'
import { sessionsOpen } from './stores.js'

/** A session ends when its visitor has been silent for this long, in ms of event time. */
export const GAP_MS = 500

type Context = CallbackContext<string, string, Session>

/** Gathers a visitor's events into sessions, and sends each session on once it is over. */
export class Sessionize implements Processor<string, Event, string, Session> {
  // 1. All events of a key, and its timers, run one after another on the key's lane. So what is read from the
  //    store here is still true when it is written back, without a lock.
  process(record: Record<string, Event>, ctx: Context): void {
    const store = ctx.store(sessionsOpen)
    const open = store.get(record.key)

    // 2. The next session may begin before the clock has closed the last one.
    if (open && record.timestamp - open.end > GAP_MS) this.#close(open, ctx)

    const session = open && record.timestamp - open.end <= GAP_MS ? extend(open, record) : begin(record)
    store.put(record.key, session)

    // 3. A timer with a name is one per key: registering it again moves it. It is due when no event can come
    //    any more that would belong to the session.
    ctx.timers.register({ key: record.key, at: session.end + GAP_MS, domain: 'event-time', name: 'close' })
  }

  // 4. Runs when the event clock has reached the timer's time, on the lane that the timer's key bytes choose.
  //    Those bytes are written by the timer key serde. When it writes a key otherwise than the topic's producer did,
  //    this is another lane than `process` runs on, and both change the same session at once.
  onTimer(timer: Timer<string>, ctx: Context): void {
    const open = ctx.store(sessionsOpen).get(timer.key)
    if (open) this.#close(open, ctx)
  }

  #close(session: Session, ctx: Context): void {
    ctx.store(sessionsOpen).delete(session.key)
    void ctx.forward({ key: session.key, value: session, timestamp: session.end })
  }
}

function begin({ key, timestamp }: Record<string, Event>): Session {
  return { key, start: timestamp, end: timestamp, events: 1 }
}

/** An event may come a little out of order: it can move the start back as well as the end on. */
function extend(session: Session, { timestamp }: Record<string, Event>): Session {
  return {
    ...session,
    start: Math.min(session.start, timestamp),
    end: Math.max(session.end, timestamp),
    events: session.events + 1,
  }
}
