import { StreamError } from '../../errors/index.js'
import type { TimerDomain } from '../../events/EngineEvent.js'
import type { EventHub } from '../../events/EventHub.js'
import { toHex } from '../../model/bytes.js'
import { keyText } from '../../model/keyText.js'
import type { Clock } from '../../time/Clock.js'
import type { TimerRegistration, TimerTarget } from '../../timers/Timer.js'
import { compareTimers, type PendingTimer } from '../../timers/TimerQueue.js'
import { TimerSequence } from '../../timers/TimerService.js'
import type { ClockBoard } from '../clocks/ClockBoard.js'
import type { EpochBuffer } from '../epoch/EpochBuffer.js'
import type { NodeInstance } from '../nodes/NodeInstance.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import { WorkItem } from '../nodes/WorkItem.js'
import type { RunnerOptions } from '../RunnerOptions.js'
import type { Lane } from '../scheduling/Lane.js'
import type { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'

/** Timers that a pass has itself made are bounded to so many before a waiting record gets its turn (T5). */
const OWN_TIMERS_A_PASS = 1000
/** What a change of a timer takes in memory until the cut, besides its key, about. */
const TIMER_BYTES = 100

/** A pass over a lane's due timers: where its own registrations begin, and how many of those it has fired (T5). */
interface TimerPass {
  start: number
  own: number
}

export interface TimerDeskHost {
  readonly clock: Clock
  readonly clocks: ClockBoard
  readonly events: EventHub
  readonly epoch: EpochBuffer
  readonly subTopologies: readonly SubTopologyRuntime[]
  /** A cut is under way: what comes before boundary items must not wait for it. */
  readonly cutting: boolean
  readonly options: Pick<RunnerOptions, 'blamedTimer' | 'onTimerWaits'>
  /** A processing-time timer is to fire at this wall-clock time. */
  planned(at: number): void
}

/** Registers, deletes and fires the keyed timers of a running topology, on the lanes of their keys. */
export class TimerDesk {
  readonly sequence = new TimerSequence()
  readonly #passes = new Map<Lane, TimerPass>()
  /** The open epoch has begun for the timer that is to blame, whatever other lanes have done in it by now: it may fire. */
  #isCut = false
  /** Lanes on which a timer waits for that. */
  readonly #waiting = new Set<Lane>()
  /** An item that nobody holds any more: the next timer gets it. */
  #spare: WorkItem | undefined
  readonly #fired = (item: WorkItem, forwarded: number) => {
    if (!this.host.events.listening('timer-fired')) return
    const facts = this.#facts(item.entry, item.timer as NonNullable<WorkItem['timer']>, item.keyBytes as Uint8Array)
    this.host.events.emit<'timer-fired'>({ type: 'timer-fired', forwarded, ...facts })
  }

  constructor(private readonly host: TimerDeskHost) {}

  /**
   * The next due timer of a lane, unless a waiting record has its turn first (T5); `wait` where one comes first that waits
   * for the epoch to be cut (E4).
   */
  takeDue(lane: Lane, sub: SubTopologyRuntime, recordsWait: boolean): WorkItem | 'wait' | undefined {
    let node: NodeRuntime | undefined
    let domain: TimerDomain = 'event-time'
    let at = Number.POSITIVE_INFINITY
    for (const candidate of sub.timerNodes) {
      if (candidate.timers === undefined) continue
      for (const of of candidate.compiled.timers) {
        const next = candidate.timers.nextAt(of, lane.index)
        if (next > at || next > this.#clockOf(candidate, of)) continue
        // Few nodes have timers at one time, so keys and names seldom have to be looked at.
        if (next === at && node !== undefined && !isBefore(candidate, of, node, domain, lane)) continue
        node = candidate
        domain = of
        at = next
      }
    }
    const pass = this.#passOf(lane)
    if (node === undefined || (recordsWait && this.#hasHadItsShare(node, domain, lane, pass))) {
      pass.start = this.sequence.upcoming
      pass.own = 0
      return undefined
    }
    if (this.#isBlamed(node, domain, lane) && this.#mustWait(lane)) return 'wait'
    return this.#item(node, domain, lane)
  }

  /** A cut begins: what has still to cross a boundary on a lane whose timer waits is not to wait with it (E8). */
  yieldToCut(): void {
    for (const lane of this.#waiting) lane.makeReady()
  }

  /** Lanes may start again after a cut. */
  resumed(): void {
    this.#isCut = this.#waiting.size > 0
    this.#waiting.clear()
  }

  #isBlamed(node: NodeRuntime, domain: TimerDomain, lane: Lane): boolean {
    const blamedTimer = this.host.options.blamedTimer?.()
    if (blamedTimer === undefined || blamedTimer.node !== node.name) return false
    const timer = node.timers?.peek(domain, lane.index)
    return timer !== undefined && keyText(this.#readKey(node, timer, lane.index)) === blamedTimer.key
  }

  /** What the epoch has done so far is to be committed first: with the timer it might never be. */
  #mustWait(lane: Lane): boolean {
    const { cutting, epoch } = this.host
    if (this.#isCut || cutting || epoch.isEmpty) return false
    this.#waiting.add(lane)
    this.host.options.onTimerWaits?.()
    return true
  }

  /** Whether the next timer is one that this pass has made itself, beyond what those are bounded to (T5). */
  #hasHadItsShare(node: NodeRuntime, domain: TimerDomain, lane: Lane, pass: TimerPass): boolean {
    const sequence = node.timers?.peek(domain, lane.index)?.sequence ?? -1
    return sequence >= pass.start && ++pass.own > OWN_TIMERS_A_PASS
  }

  fire(item: WorkItem, lane: Lane): void | Promise<void> {
    const node = item.entry
    const instance = node.instances[lane.index] as NodeInstance
    return instance.onTimer(item.timer as NonNullable<WorkItem['timer']>, item, this.#fired)
  }

  /** The item of a timer has run to its end without a promise: it serves again. */
  spare(item: WorkItem): void {
    this.#spare = item
  }

  register(node: NodeRuntime, timer: TimerRegistration<unknown>, keyBytes: Uint8Array): void {
    const { events, epoch } = this.host
    const running = node.subTopology.running(laneOfKey(node, keyBytes))
    const due = timer.at <= this.#clockOf(node, timer.domain)
    const registered = node.timers?.register(timer.domain, running, keyBytes, timer.at, timer.name, due)
    epoch.touch(TIMER_BYTES + keyBytes.length)
    if (registered?.outcome === 'added' && events.listening('timer-registered')) {
      events.emit<'timer-registered'>({ type: 'timer-registered', ...this.#facts(node, timer, keyBytes) })
    }
    if (registered?.outcome === 'replaced' && events.listening('timer-replaced')) {
      const { previousAt } = registered
      events.emit<'timer-replaced'>({ type: 'timer-replaced', previousAt, ...this.#facts(node, timer, keyBytes) })
    }
    // It may be due already, on a lane that has nothing else to do (T7).
    if (due) (node.subTopology.lanes[running] as Lane).makeReady()
    else if (timer.domain === 'processing-time') this.host.planned(timer.at)
  }

  delete(node: NodeRuntime, timer: TimerTarget<unknown>, keyBytes: Uint8Array): void {
    const { events, epoch } = this.host
    const running = node.subTopology.running(laneOfKey(node, keyBytes))
    const gone = node.timers?.delete(timer.domain, running, keyBytes, timer.at ?? 0, timer.name)
    if (gone === undefined) return
    epoch.touch()
    if (!events.listening('timer-deleted')) return
    const { at, name } = gone
    const deleted = { key: timer.key, domain: timer.domain, at, ...(name === undefined ? {} : { name }) }
    events.emit<'timer-deleted'>({ type: 'timer-deleted', ...this.#facts(node, deleted, keyBytes) })
  }

  /** A clock has moved: lanes with a due timer get to run. */
  wakeDue(): void {
    for (const sub of this.host.subTopologies) {
      for (const node of sub.timerNodes) {
        if (node.timers === undefined || node.timers.pending === 0) continue
        for (const domain of node.compiled.timers) {
          const clock = this.#clockOf(node, domain)
          for (const lane of sub.lanes) if (node.timers.nextAt(domain, lane.index) <= clock) lane.makeReady()
        }
      }
    }
  }

  /** The earliest processing-time timer of all; undefined when there is none. */
  earliestByWallClock(): number | undefined {
    let earliest: number | undefined
    for (const sub of this.host.subTopologies) {
      for (const node of sub.timerNodes) {
        if (!node.compiled.timers.includes('processing-time')) continue
        const at = node.timers?.earliest('processing-time')
        if (at !== undefined && (earliest === undefined || at < earliest)) earliest = at
      }
    }
    return earliest
  }

  #passOf(lane: Lane): TimerPass {
    const known = this.#passes.get(lane)
    if (known !== undefined) return known
    const pass = { start: this.sequence.upcoming, own: 0 }
    this.#passes.set(lane, pass)
    return pass
  }

  #clockOf(node: NodeRuntime, domain: TimerDomain): number {
    const { clock, clocks } = this.host
    return domain === 'event-time' ? clocks.eventClock(node.clockGroup, node.subTopology.index) : clock.now()
  }

  #item(node: NodeRuntime, domain: TimerDomain, lane: Lane): WorkItem | undefined {
    const { clocks } = this.host
    const timer = node.timers?.takeDue(domain, lane.index, this.#clockOf(node, domain))
    const affinity = node.affinity
    if (timer === undefined || affinity === undefined) return undefined
    const key = this.#readKey(node, timer, lane.index)
    const sub = node.subTopology.index
    const stamp = clocks.stampFor(sub)
    clocks.hold(stamp, sub)
    const { at, name, keyBytes } = timer
    const firing = name === undefined ? { key, at, domain } : { key, at, domain, name }
    const itsLane = affinity.laneOfTimer(keyBytes)
    const spare = this.#spare
    if (spare === undefined) return new WorkItem(node, undefined, keyBytes, true, itsLane, stamp, null, null, firing)
    this.#spare = undefined
    return spare.firesAgain(node, keyBytes, itsLane, stamp, firing)
  }

  /** Nothing is ever decoded as a different key in silence (T9): what cannot be read stops the run. */
  #readKey(node: NodeRuntime, timer: PendingTimer, lane: number): NonNullable<unknown> {
    try {
      const key = node.affinity?.read(timer.keyBytes)
      if (key === null || key === undefined) throw new TypeError('the serde gave no key for it')
      return key
    } catch (cause) {
      throw new StreamError(
        `The key of a timer of node "${node.name}" at ${timer.at} cannot be read back from its bytes ${toHex(timer.keyBytes, ' ')}: ` +
          `${cause instanceof Error ? cause.message : String(cause)}. The timer key serde must read what it writes.`,
        { code: 'DESERIALIZATION_FAILED', kind: 'user', retriable: false, context: { node: node.name, lane }, cause },
      )
    }
  }

  #facts(
    node: NodeRuntime,
    timer: { readonly key: unknown; readonly at: number; readonly domain: TimerDomain; readonly name?: string },
    keyBytes: Uint8Array,
  ) {
    return {
      node: node.name,
      lane: laneOfKey(node, keyBytes),
      domain: timer.domain,
      at: timer.at,
      key: keyText(timer.key),
      keyBytes,
      ...(timer.name === undefined ? {} : { name: timer.name }),
    }
  }
}

function laneOfKey(node: NodeRuntime, keyBytes: Uint8Array): number {
  return node.affinity?.laneOfTimer(keyBytes) ?? 0
}

/** Whether the next timer of one node comes before another's (T5). */
function isBefore(node: NodeRuntime, domain: TimerDomain, other: NodeRuntime, of: TimerDomain, lane: Lane): boolean {
  const timer = node.timers?.peek(domain, lane.index)
  const than = other.timers?.peek(of, lane.index)
  return timer !== undefined && than !== undefined && compareTimers(timer, than) < 0
}
