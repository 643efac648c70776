import type { TraceEntry } from '@lanescope/core/simulation'
import type { CasePlan, CountPlan } from './CasePlan.js'
import type { Breach } from './Probe.js'

/** Holds each record that is dropped as late against the greatest time that was read before it (W3): no clock was later. */
export class Lateness {
  readonly breaches: Breach[] = []
  /** The greatest time read so far, by source. */
  readonly #reached = new Map<string, number>()
  /** What that was when a record was read. */
  readonly #whenRead = new Map<string, number>()

  constructor(private readonly plan: CasePlan) {}

  onTrace(entry: TraceEntry): void {
    if (entry.what !== 'event') return
    const { event } = entry
    if (event.type === 'record-dispatched') {
      const reached = this.#reached.get(event.source) ?? -1
      this.#whenRead.set(placeOf(event.coordinates), reached)
      this.#reached.set(event.source, Math.max(reached, event.coordinates.timestamp))
    } else if (event.type === 'record-dropped' && event.reason === 'late_window' && event.coordinates !== null) {
      this.#judge(event.coordinates)
    }
  }

  #judge(at: {
    readonly topic: string
    readonly partition: number
    readonly offset: number
    readonly timestamp: number
  }) {
    const place = placeOf(at)
    const clock = this.#clock(this.#whenRead.get(place) ?? Number.POSITIVE_INFINITY)
    const source = this.plan.sources.find(({ topic }) => topic === at.topic)?.name
    const closes = this.plan.counts
      .filter((count) => count.source === source)
      .map((count) => closesAt(count, at.timestamp))
    if (closes.some((closing) => closing <= clock)) return
    this.breaches.push({
      rule: 'W3',
      what: `${place} of ${at.timestamp} is dropped as late; its window closes at ${Math.min(...closes)}, and the clock was ${clock} at most when it was read`,
    })
  }

  #clock(reached: number): number {
    const { config } = this.plan
    return config['time.mode'] === 'watermark' ? reached - (config['time.max-out-of-orderness-ms'] as number) : reached
  }
}

/** When the window that a record falls into takes no more. */
function closesAt({ window }: CountPlan, timestamp: number): number {
  if (window === undefined) return Number.POSITIVE_INFINITY
  return timestamp - (timestamp % window.sizeMs) + window.sizeMs + window.graceMs
}

function placeOf({ topic, partition, offset }: { topic: string; partition: number; offset: number }): string {
  return `${topic}-${partition}@${offset}`
}
