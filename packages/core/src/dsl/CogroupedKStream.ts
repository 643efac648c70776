import type { Windowed } from '../model/Windowed.js'
import type { AggregateArguments } from './aggregateArguments.js'
import type { DslPlan } from './DslPlan.js'
import type { KGroupedStream } from './KGroupedStream.js'
import type { KTable } from './KTable.js'
import { SessionWindows } from './SessionWindows.js'
import type { SlidingWindows } from './SlidingWindows.js'
import type { Sync } from './sync.js'
import type { Windows } from './Windows.js'
import { type Aggregator, type Cogroup, cogroupByKey, cogroupByWindow } from './windows/cogroup.js'
import type { WindowKind } from './windows/WindowKind.js'
import { windowKindOf } from './windows/windowKindOf.js'

/**
 * Streams of one type of key that are aggregated together: each record is added to the aggregate of its key by its own
 * stream's function. As in Kafka Streams `cogroup` adds to this very object: an aggregation takes all streams that were
 * added by then.
 */
export class CogroupedKStream<K, A> {
  /** @internal use `KGroupedStream.cogroup` */
  constructor(
    private readonly plan: DslPlan,
    private readonly group: Cogroup,
  ) {}

  /** One more stream, and how its records are added. */
  cogroup<V>(
    grouped: KGroupedStream<K, V>,
    aggregator: (key: K, value: NonNullable<V>, aggregate: A) => Sync<A>,
  ): CogroupedKStream<K, A> {
    this.group.streams.set(grouped.grouping, aggregator as unknown as Aggregator)
    return this
  }

  /** Per key. The initializer gives what a key's first record, of whichever stream, is added to. Null deletes. */
  aggregate(initializer: () => Sync<A>, ...args: AggregateArguments<K, NonNullable<A>>): KTable<K, A> {
    return cogroupByKey({ plan: this.plan, cogroup: this.group, initializer }, args)
  }

  /** Per key and session. */
  windowedBy(windows: SessionWindows): SessionWindowedCogroupedKStream<K, A>
  /** Per key and window. Each stream has a clock of its own, by which its records are late (`kafka-streams.md` A.7). */
  windowedBy(windows: Windows | SlidingWindows): TimeWindowedCogroupedKStream<K, A>
  windowedBy(
    windows: Windows | SlidingWindows | SessionWindows,
  ): TimeWindowedCogroupedKStream<K, A> | SessionWindowedCogroupedKStream<K, A> {
    const kind = windowKindOf(windows)
    if (windows instanceof SessionWindows) return new SessionWindowedCogroupedKStream(this.plan, this.group, kind)
    return new TimeWindowedCogroupedKStream(this.plan, this.group, kind)
  }
}

/** Cogrouped streams cut into time windows, or sliding ones. */
export class TimeWindowedCogroupedKStream<K, A> {
  /** @internal use `CogroupedKStream.windowedBy` */
  constructor(
    private readonly plan: DslPlan,
    private readonly group: Cogroup,
    private readonly kind: WindowKind,
  ) {}

  aggregate(initializer: () => Sync<A>, ...args: AggregateArguments<K, NonNullable<A>>): KTable<Windowed<K>, A> {
    return cogroupByWindow({ plan: this.plan, cogroup: this.group, initializer }, this.kind, args)
  }
}

/** Cogrouped streams cut into sessions. */
export class SessionWindowedCogroupedKStream<K, A> {
  /** @internal use `CogroupedKStream.windowedBy` */
  constructor(
    private readonly plan: DslPlan,
    private readonly group: Cogroup,
    private readonly kind: WindowKind,
  ) {}

  /** @param merger what the aggregates of two sessions that become one come to */
  aggregate(
    initializer: () => Sync<A>,
    merger: (key: K, one: A, other: A) => Sync<A>,
    ...args: AggregateArguments<K, NonNullable<A>>
  ): KTable<Windowed<K>, A> {
    return cogroupByWindow({ plan: this.plan, cogroup: this.group, initializer, merger }, this.kind, args)
  }
}
