import { StreamError } from '../../errors/index.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { Serde } from '../../serde/Serde.js'
import type { StoreInstance } from '../../state/StoreBuilder.js'
import { TimerService } from '../../timers/TimerService.js'
import type { CompiledStore } from '../../topology/CompiledTopology.js'
import { requireSerdes } from '../../topology/compile/requireSerdes.js'
import { emulates } from '../../topology/emulates.js'
import type { SavedClocks } from '../epoch/EpochRecord.js'
import { AffinityCheck } from '../guards/AffinityCheck.js'
import { NodeInstance } from '../nodes/NodeInstance.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import { SinkWriter } from '../nodes/SinkWriter.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { Assembly } from './assemble.js'
import { attachStoredTimers } from './attachStoredTimers.js'

/** Gives an assembled topology its stores, timers, checks, sinks and processors. */
export function equip(runner: TopologyRunner, assembly: Assembly, saved: SavedClocks | undefined): void {
  requireSerdes(runner.options.compiled, runner.config)
  for (const store of runner.options.compiled.stores) {
    runner.stores.set(store.name, buildStore(runner, assembly, store, saved?.stores[store.name]))
  }
  for (const node of assembly.nodes.values()) {
    if (node.compiled.sink !== undefined)
      node.sink = new SinkWriter(node.compiled, runner.options.topics, () => runner.clock.now())
    equipAffinity(runner, node)
    equipTimers(runner, node)
    equipProcessor(runner, node)
  }
}

function buildStore(
  runner: TopologyRunner,
  assembly: Assembly,
  store: CompiledStore,
  restoredObserved: number | undefined,
): StoreInstance<unknown, unknown> {
  const [key, value] = [store.key.serde as Serde<any>, store.value.serde as Serde<any>]
  const owner = store.nodes.map((name) => assembly.nodes.get(name)).find((node) => node !== undefined)?.clock
  const byClock = runner.config['time.mode'] === 'watermark'
  const clock = owner && (() => assembly.clocks.eventClock(owner.clockGroup, owner.subTopology.index))
  return store.builder.build({
    applicationId: runner.applicationId,
    keySerde: key,
    valueSerde: value,
    byteStores: runner.options.byteStores,
    ...(restoredObserved === undefined ? {} : { restoredObserved }),
    eventClock: byClock ? clock : undefined,
    heldClock: byClock || runner.options.driver ? undefined : clock,
    listening: (type) => runner.events.listening(type),
    emit: (event) => runner.events.emit(event),
    ...(runner.isKafkasDriver && {
      cacheBytes: runner.config['statestore.cache.max.bytes'],
      cacheSendsOn: store.nodes.some((name) => sendsFromCache(assembly.nodes.get(name), store.name)),
    }),
    emulates: (repair) => emulates(runner.config, repair),
    emulatesKafka: runner.emulatesKafka,
    countDropped: (reason) => runner.losses.countDropped(reason),
    countSilentLoss: (reason) => runner.losses.countSilent(reason),
    warn: (key, message) => runner.log.warnOncePerMinute(key, message),
    now: () => runner.clock.now(),
  })
}

/** Whether it sends on what the record cache of this store lets go: not where windows are sent on when they close. */
function sendsFromCache(node: NodeRuntime | undefined, store: string): boolean {
  return node?.compiled.aggregateStore === store && node.compiled.facts?.finalResults !== true
}

/** A processor with keyed timers gets its queues. */
function equipTimers(runner: TopologyRunner, node: NodeRuntime): void {
  const { timers } = node.compiled
  if (timers.length === 0 || node.affinity === undefined) return
  const sub = node.subTopology
  sub.timerNodes.push(node)
  const service = new TimerService(timers, sub.runningLanes, runner.timers.sequence)
  node.timers = service
  attachStoredTimers(runner, node, service)
}

/**
 * A processor with keyed timers gets the checks that keep them on its records' lanes (A2, A4); one with a store whose
 * records are laned in several places gets the sampled check, which finds the keys that come on two lanes (A9).
 */
function equipAffinity(runner: TopologyRunner, node: NodeRuntime): void {
  const { timers, timerKey } = node.compiled
  if (timerKey === undefined) return
  const sub = node.subTopology
  const mismatches = `timer_lane_mismatch_total{node="${node.name}"}`
  runner.counters.register(mismatches)
  node.affinity = new AffinityCheck(
    {
      node: node.name,
      laneCount: sub.laneCount,
      keeps: timers.length > 0 ? 'timers' : 'stores',
      serde: timerKey,
      topic: `${runner.applicationId}-${node.name}-timers-changelog`,
      guard: runner.config['timer.lane-affinity.guard'],
      sampled: runner.config['timer.lane-affinity.sampled-check'],
      everyRecord: runner.options.driver,
    },
    {
      now: () => runner.clock.monotonic(),
      countMismatch: () => runner.counters.add(mismatches),
      countSplit: () => {
        if (node.timers !== undefined) node.timers.counts.splits++
        runner.counters.add(`timer_lane_splits_total{node="${node.name}"}`)
      },
      event: (type, split, item) => {
        if (runner.events.listening(type)) runner.events.emit({ type, ...split, coordinates: item.coordinates })
      },
      log: (level, message) => runner.log.write(level, message, node.name),
    },
  )
}

/** One instance a running lane (L6). The same one twice would share fields between lanes, so it is refused. */
function equipProcessor(runner: TopologyRunner, node: NodeRuntime): void {
  const supplier = node.compiled.supplier
  if (supplier === undefined) return
  const seen = new Set<unknown>()
  for (const lane of node.subTopology.lanes) {
    const processor = make(node, supplier)
    if (seen.has(processor)) {
      throw invalid(
        node,
        'its supplier returned the same processor twice. Return a new one at each call: () => new MyProcessor().',
      )
    }
    seen.add(processor)
    if (typeof processor?.process !== 'function') {
      throw invalid(node, 'its supplier returned something without a process method.')
    }
    if (node.compiled.timers.length > 0 && processor.onTimer === undefined) {
      throw invalid(
        node,
        `it declares timers (${node.compiled.timers.join(', ')}) but its processor has no onTimer method.`,
      )
    }
    node.instances.push(new NodeInstance(node, lane, runner.nodeHost, processor))
  }
}

function make(node: NodeRuntime, supplier: ProcessorSupplier<unknown, unknown>): Processor<unknown, unknown> {
  try {
    return supplier.get()
  } catch (cause) {
    throw invalid(node, `its supplier threw: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

function invalid(node: NodeRuntime, problem: string, cause?: unknown): StreamError {
  return new StreamError(`Node "${node.name}" cannot run: ${problem}`, {
    code: 'TOPOLOGY_INVALID',
    kind: 'user',
    retriable: false,
    context: { node: node.name },
    cause,
  })
}
