import type { DropReason, EngineApi, EngineSnapshot, EngineState, SilentLossReason } from '@lanescope/core'
import { type EngineMonitor, PHASES } from './EngineMonitor.js'
import { MetricsText } from './MetricsText.js'
import type { RestoreWatch } from './RestoreWatch.js'

/** Shown from the beginning, so that an alert on an increase sees the first one. */
const DROP_REASONS: { readonly [R in DropReason]: true } = {
  null_key: true,
  null_value: true,
  late_window: true,
  late_session: true,
  expired_segment: true,
  expired_put: true,
  negative_timestamp: true,
  deserialization: true,
  processing: true,
  production: true,
  no_partition: true,
  out_of_order: true,
  stale_response: true,
  future_timestamp: true,
  dropped_null: true,
}
const LOSS_REASONS: { readonly [R in SilentLossReason]: true } = {
  null_key_after_rekey: true,
  grey_zone: true,
  before_unlimited_window: true,
}
const STATES: { readonly [S in EngineState]: true } = {
  created: true,
  starting: true,
  running: true,
  stopping: true,
  stopped: true,
  failed: true,
}

/** The engine's own counters by name, and what each counts. */
const COUNTERS: { readonly [name: string]: string } = {
  dropped_records_total: 'Records that did not go on, by reason',
  silent_loss_total: 'Records that Kafka Streams would lose without counting them, by reason',
  future_timestamp_total: 'Records further ahead than their bound, by verdict',
  reread_records_total: 'Records that came again and were left out',
  stale_calls_total: 'Calls of callbacks that an earlier incarnation has left behind',
  ticks_total: 'Ticks of scheduled sources',
  timer_lane_mismatch_total: 'Sampled keys whose timers would run on another lane',
  timer_lane_splits_total: 'Timers registered for their own key whose bytes choose another lane',
}

/**
 * All metrics of a run and of this process, as Prometheus reads them. Made when asked for: between two scrapes it costs
 * nothing.
 */
export function scrape(monitor: EngineMonitor, applicationId: string): string {
  const { user, system } = process.cpuUsage()
  const out = new MetricsText()
  out.gauge('lanescope_info', 'Which application this is', 1, { application_id: applicationId })
  for (const state of Object.keys(STATES)) {
    out.gauge('lanescope_state', '1 for the state that it is in', state === monitor.state ? 1 : 0, { state })
  }
  out.gauge('lanescope_ready', 'Whether it is restored, running, and reaches its log', monitor.isReady ? 1 : 0)
  out.gauge('lanescope_log_unreachable_seconds', 'How long the brokers have not answered', monitor.outageMs / 1000)
  out.counter('lanescope_restarts_total', 'In-place restarts after a fault', monitor.restarts)
  out.counter('lanescope_epochs_committed_total', 'Epochs that were committed', monitor.committed)
  out.counter('lanescope_epochs_aborted_total', 'Faults that discarded the live epochs', monitor.aborted)
  for (const phase of PHASES) {
    const help = 'How long committed epochs took, by phase'
    out.histogram('lanescope_epoch_duration_seconds', help, monitor.times(phase), { phase })
  }
  writeRestore(out, monitor.restore)
  out.gauge('process_resident_memory_bytes', 'Memory of the process', process.memoryUsage.rss())
  out.counter('process_cpu_seconds_total', 'CPU time of the process', (user + system) / 1e6)
  if (monitor.engine !== undefined && monitor.isReadable) {
    const snapshot = monitor.engine.snapshot()
    writeCounters(out, snapshot)
    writeClocks(out, snapshot)
    writeNodes(out, snapshot)
    writeTimers(out, snapshot, monitor.engine)
    writeLanes(out, snapshot)
    writeStores(out, snapshot)
  }
  return out.toString()
}

function writeRestore(out: MetricsText, restore: RestoreWatch): void {
  const { storesLeft = 0, leftMs = 0 } = restore.now ?? {}
  out.gauge('lanescope_restore_stores_left', 'Stores that are not rebuilt yet', storesLeft)
  out.gauge('lanescope_restore_left_seconds', 'About how long rebuilding all of them takes', leftMs / 1000)
  for (const { store, records, bytes, left, leftMs: ofStore } of restore.stores) {
    out.counter('lanescope_restore_records_total', 'Records read to rebuild a store', records, { store })
    out.counter('lanescope_restore_bytes_total', 'Bytes of keys and values read to rebuild a store', bytes, { store })
    out.gauge('lanescope_restore_left_records', 'Offsets of its changelog still to be read', left, { store })
    if (ofStore === undefined) continue
    out.gauge('lanescope_restore_store_left_seconds', 'About how long rebuilding a store takes', ofStore / 1000, {
      store,
    })
  }
}

function writeCounters(out: MetricsText, { counters }: EngineSnapshot): void {
  const initial = [
    ...Object.keys(DROP_REASONS).map((reason) => `dropped_records_total{reason="${reason}"}`),
    ...Object.keys(LOSS_REASONS).map((reason) => `silent_loss_total{reason="${reason}"}`),
    'reread_records_total',
    'stale_calls_total',
  ]
  const all = { ...Object.fromEntries(initial.map((name) => [name, 0])), ...counters }
  for (const [full, value] of Object.entries(all)) {
    const [, name = full, label, of = ''] = /^(\w+)(?:\{(\w+)="(.*)"\})?$/.exec(full) ?? []
    out.counter(`lanescope_${name}`, COUNTERS[name] ?? name, value, label === undefined ? {} : { [label]: of })
  }
}

function writeClocks(out: MetricsText, { uptimeMs, epoch, clocks }: EngineSnapshot): void {
  out.gauge('lanescope_uptime_seconds', 'Time since the start', uptimeMs / 1000)
  out.gauge('lanescope_epoch_open', 'Number of the epoch that is open', epoch.number)
  out.gauge('lanescope_epoch_committed', 'Number of the last epoch committed', epoch.committed)
  for (const { source, topic, partition, lag, position, idle, watermark } of clocks.partitions) {
    const labels = { source, topic, partition }
    out.gauge('lanescope_partition_lag_records', 'Records not yet done', lag, labels)
    out.gauge('lanescope_partition_position', 'Offset up to which all is done', position, labels)
    out.gauge('lanescope_partition_idle', 'Whether it no longer holds the watermark back', idle ? 1 : 0, labels)
    if (watermark < 0) continue
    out.gauge('lanescope_partition_watermark_seconds', 'Event time that it has promised', watermark / 1000, labels)
  }
}

function writeNodes(out: MetricsText, { nodes }: EngineSnapshot): void {
  for (const { node, in: taken, out: put, busyMs } of nodes) {
    out.counter('lanescope_node_records_in_total', 'Records that a node was given', taken, { node })
    out.counter('lanescope_node_records_out_total', 'Records that a node passed on', put, { node })
    out.counter('lanescope_node_busy_seconds_total', 'Time that callbacks of a node took', busyMs / 1000, { node })
  }
}

function writeTimers(out: MetricsText, { nodes, clocks }: EngineSnapshot, engine: EngineApi): void {
  const late = new Map<string, number>()
  const eventClocks = new Map(nodes.map(({ node, eventClock }) => [node, eventClock]))
  for (const { node, domain, at } of engine.inspectTimers(1).timers) {
    const now = domain === 'event-time' ? (eventClocks.get(node) ?? -1) : clocks.wall
    late.set(node, Math.max(late.get(node) ?? 0, now - at))
  }
  for (const { node, timers } of nodes) {
    if (timers === undefined) continue
    out.gauge('lanescope_timers_pending', 'Timers that have not fired', timers.pending, { node })
    out.counter('lanescope_timers_fired_total', 'Timers that have fired', timers.fired, { node })
    out.counter('lanescope_timers_replaced_total', 'Timers that were set anew', timers.replaced, { node })
    out.counter('lanescope_timers_deleted_total', 'Timers that were deleted', timers.deleted, { node })
    const seconds = (late.get(node) ?? 0) / 1000
    out.gauge('lanescope_timers_late_seconds', 'How long the earliest timer has been due', seconds, { node })
  }
}

function writeLanes(out: MetricsText, { lanes }: EngineSnapshot): void {
  for (const { subTopology, lane, queued, capacity, processed, busyMs, awaitingMs } of lanes) {
    const labels = { sub_topology: subTopology, lane }
    out.gauge('lanescope_lane_queue_records', 'Records that wait in a lane', queued, labels)
    out.gauge('lanescope_lane_queue_capacity', 'Records that may wait in a lane', capacity, labels)
    out.counter('lanescope_lane_records_total', 'Records that a lane has worked off', processed, labels)
    out.counter('lanescope_lane_busy_seconds_total', 'Time that a lane has worked', busyMs / 1000, labels)
    out.gauge('lanescope_lane_awaiting_seconds', 'How long its callback has been pending', awaitingMs / 1000, labels)
  }
}

function writeStores(out: MetricsText, { stores }: EngineSnapshot): void {
  for (const { name, entries, bytes, windowed } of stores) {
    out.gauge('lanescope_store_entries', 'Entries of a store', entries, { store: name })
    out.gauge('lanescope_store_bytes', 'Bytes of keys and values of a store', bytes, { store: name })
    if (windowed === undefined) continue
    out.gauge('lanescope_store_segments', 'Segments of a windowed store', windowed.segments.length, { store: name })
  }
}
