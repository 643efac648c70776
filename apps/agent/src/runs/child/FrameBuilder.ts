import type { Clock, EngineApi, EngineEventType } from '@lanescope/core'
import {
  type RunFrame,
  toRareEvent,
  toSample,
  toTimerEvent,
  toWireTimer,
  type UnnumberedRareEvent,
  valueText,
  type WireSample,
  type WireTimerEvent,
} from '@lanescope/shared'
import { HotKeys } from './HotKeys.js'
import { RareLog } from './RareLog.js'
import { Sampler } from './Sampler.js'

const SAMPLES = { most: 60, mostPerEdge: 12 }
const TIMER_EVENTS = { most: 120, mostPerLane: 16 }
const PENDING_PER_LANE = 8
const HOT_KEYS_PER_LANE = 3

const TIMER_EVENT_TYPES: readonly EngineEventType[] = [
  'timer-registered',
  'timer-replaced',
  'timer-deleted',
  'timer-fired',
]

const RARE_EVENT_TYPES: readonly EngineEventType[] = [
  'lane-split-proven',
  'lane-split-sampled',
  'segment-created',
  'segment-expired',
  'partition-idle',
  'partition-returned',
  'future-timestamp',
  'record-dropped',
  'silent-loss',
  'epoch-committed',
  'epoch-aborted',
  'state-changed',
  'log',
  'error',
]

export interface FrameBuilderOptions {
  readonly runId: string
  readonly engine: Pick<EngineApi, 'events' | 'snapshot' | 'inspectTimers'>
  readonly clock: Clock
  /** Frames that make up a second. */
  readonly framesPerSecond: number
  /** Told of each record that goes to a node. */
  readonly onEnter: (node: string, lane: number, key: string) => void
}

/** Sums up what the engine tells about itself since the last frame. */
export class FrameBuilder {
  readonly #options: FrameBuilderOptions
  readonly #rare = new RareLog()
  readonly #samples = new Sampler<WireSample>(SAMPLES.most, SAMPLES.mostPerEdge)
  readonly #timerEvents = new Sampler<WireTimerEvent>(TIMER_EVENTS.most, TIMER_EVENTS.mostPerLane)
  readonly #hotKeys: HotKeys
  #seq = 0

  constructor(options: FrameBuilderOptions) {
    this.#options = options
    this.#hotKeys = new HotKeys(options.framesPerSecond, HOT_KEYS_PER_LANE)
    this.#listen()
  }

  /** Adds a rare event that does not come from the engine. */
  note(event: UnnumberedRareEvent): void {
    this.#rare.add(event)
  }

  build(): RunFrame {
    const { runId, engine, clock } = this.#options
    const samples = this.#samples.take()
    const timerEvents = this.#timerEvents.take()
    const pending = engine.inspectTimers(PENDING_PER_LANE)
    return {
      runId,
      seq: ++this.#seq,
      at: clock.now(),
      snapshot: engine.snapshot(),
      hotKeys: this.#hotKeys.take(),
      samples: samples.kept,
      timerEvents: timerEvents.kept,
      pendingTimers: pending.timers.map(toWireTimer),
      rare: this.#rare.take(),
      leftOut: {
        frames: 0,
        samples: samples.leftOut,
        timerEvents: timerEvents.leftOut,
        pendingTimers: pending.leftOut,
      },
    }
  }

  #listen(): void {
    const { engine, clock, onEnter } = this.#options
    const { events } = engine
    events.on(['record-dispatched'], (event) => {
      if (event.type === 'record-dispatched') this.#hotKeys.count(event.subTopology, event.lane, event.key)
    })
    events.on(['record-forwarded'], (event) => {
      if (event.type !== 'record-forwarded') return
      onEnter(event.to, event.lane, typeof event.key === 'string' ? event.key : valueText(event.key))
      this.#samples.offer(`${event.from}\n${event.to}`, () => toSample(event, clock.now()))
    })
    events.on(TIMER_EVENT_TYPES, (event) => {
      switch (event.type) {
        case 'timer-registered':
        case 'timer-replaced':
        case 'timer-deleted':
        case 'timer-fired':
          this.#timerEvents.offer(`${event.node}\n${event.lane}`, () => toTimerEvent(event, clock.now()))
      }
    })
    events.on(RARE_EVENT_TYPES, (event) => {
      const rare = toRareEvent(event, clock.now())
      if (rare) this.#rare.add(rare)
    })
  }
}
