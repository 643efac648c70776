import type { EngineApi, EngineSnapshot, EngineState, RecordLog, TimerDomain } from '@lanescope/core'
import { EventHub, ManualClock } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { parsePrometheus } from '../../test/prometheusText.js'
import { EngineMonitor } from './EngineMonitor.js'
import { scrape } from './scrape.js'

const WALL = 1_000_000
const partition = { source: 's', topic: 'in', maxTimestamp: 1, idle: false, position: 7, lag: 3 }
const timers = { pending: 4, fired: 3, replaced: 2, deleted: 1, splits: 0 }
const lane = { queued: 5, capacity: 300, processed: 6, timersFired: 0, current: null }
const SNAPSHOT: EngineSnapshot = {
  at: WALL,
  state: 'running',
  uptimeMs: 1500,
  epoch: { number: 9, committed: 8, lastCommitMs: 3 },
  clocks: {
    mode: 'watermark',
    wall: WALL,
    reference: WALL,
    partitions: [
      { ...partition, partition: 0, watermark: 2500 },
      { ...partition, partition: 1, watermark: -1, idle: true },
      { ...partition, partition: 2, watermark: 0 },
    ],
  },
  nodes: [
    { node: 's', in: 1, out: 2, busyMs: 3000, eventClock: 500 },
    { node: 'a "b"', in: 3, out: 4, busyMs: 0, eventClock: 5000, timers },
  ],
  edges: [],
  lanes: [{ ...lane, subTopology: 1, lane: 2, busyMs: 250, awaitingMs: 1250 }],
  stores: [
    { name: 'kv', kind: 'key-value', entries: 11, bytes: 12 },
    {
      name: 'w',
      kind: 'window',
      entries: 1,
      bytes: 2,
      windowed: {
        retentionMs: 1,
        segmentIntervalMs: 1,
        observed: 1,
        movedBy: null,
        readableAbove: 0,
        segments: [{ store: 'w', segment: 0, from: 0, to: 1, entries: 1, bytes: 2 }],
      },
    },
  ],
  counters: { 'dropped_records_total{reason="null_key"}': 2, 'timer_lane_splits_total{node="a "b""}': 1 },
}

function lines(
  earliest: readonly { readonly domain: TimerDomain; readonly at: number }[] = [],
  state: EngineState = 'running',
  log?: Pick<RecordLog, 'outage'>,
) {
  const monitor = new EngineMonitor(new ManualClock(5_000))
  monitor.watch(
    {
      events: new EventHub(),
      state,
      snapshot: () => SNAPSHOT,
      inspectTimers: () => ({
        timers: earliest.map((each) => ({ node: 'a "b"', lane: 0, key: 'k', keyBytes: new Uint8Array(), ...each })),
        leftOut: 0,
      }),
    } as unknown as EngineApi,
    log,
  )
  return scrape(monitor, 'app').split('\n')
}
const LATE = 'lanescope_timers_late_seconds{node="a \\"b\\""}'

describe('a scrape', () => {
  it('is what the page of Prometheus’ text format allows, to the letter', () => {
    const families = parsePrometheus(lines([{ domain: 'event-time', at: 0 }]).join('\n'))
    expect(
      families
        .get('lanescope_timer_lane_splits_total')
        ?.samples.get(String.raw`lanescope_timer_lane_splits_total{node="a \"b\""}`),
    ).toBe(1)
    expect(families.get('lanescope_epoch_duration_seconds')?.type).toBe('histogram')
  })

  it('says for how long the log has not answered', () => {
    expect(lines()).toContain('lanescope_log_unreachable_seconds 0')
    const outage = { since: 3_500, reason: 'gone' }
    const found = lines([], 'running', { outage })
    expect(found).toContain('lanescope_log_unreachable_seconds 1.5')
    expect(found).toContain('lanescope_ready 0')
    expect(lines([], 'running', { outage: { since: 9_000, reason: 'the clock went back' } })).toContain(
      'lanescope_log_unreachable_seconds 0',
    )
  })

  it('has clocks, nodes, lanes and stores in the units of Prometheus', () => {
    const found = lines()
    for (const line of [
      'lanescope_info{application_id="app"} 1',
      'lanescope_uptime_seconds 1.5',
      'lanescope_epoch_open 9',
      'lanescope_epoch_committed 8',
      'lanescope_partition_lag_records{source="s",topic="in",partition="0"} 3',
      'lanescope_partition_position{source="s",topic="in",partition="0"} 7',
      'lanescope_partition_idle{source="s",topic="in",partition="0"} 0',
      'lanescope_partition_idle{source="s",topic="in",partition="1"} 1',
      'lanescope_partition_watermark_seconds{source="s",topic="in",partition="0"} 2.5',
      'lanescope_partition_watermark_seconds{source="s",topic="in",partition="2"} 0',
      'lanescope_node_records_in_total{node="s"} 1',
      'lanescope_node_records_out_total{node="s"} 2',
      'lanescope_node_busy_seconds_total{node="s"} 3',
      'lanescope_timers_pending{node="a \\"b\\""} 4',
      'lanescope_timers_fired_total{node="a \\"b\\""} 3',
      'lanescope_timers_replaced_total{node="a \\"b\\""} 2',
      'lanescope_timers_deleted_total{node="a \\"b\\""} 1',
      'lanescope_lane_queue_records{sub_topology="1",lane="2"} 5',
      'lanescope_lane_queue_capacity{sub_topology="1",lane="2"} 300',
      'lanescope_lane_records_total{sub_topology="1",lane="2"} 6',
      'lanescope_lane_busy_seconds_total{sub_topology="1",lane="2"} 0.25',
      'lanescope_lane_awaiting_seconds{sub_topology="1",lane="2"} 1.25',
      'lanescope_store_entries{store="kv"} 11',
      'lanescope_store_bytes{store="kv"} 12',
      'lanescope_store_segments{store="w"} 1',
    ]) {
      expect(found).toContain(line)
    }
    // What is not there is not told of: no watermark yet, no timers, no segments.
    expect(
      found.filter((line) => /watermark_seconds.*partition="1"|timers_\w+\{node="s"|segments\{store="kv"/.test(line)),
    ).toEqual([])
  })

  it('has memory and CPU time of the process', () => {
    const found = lines()
    const of = (name: string) => Number(found.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1))
    // In bytes and in seconds: more than 10 MB, and less CPU than a day.
    expect(of('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    const seconds = of('process_cpu_seconds_total')
    const { user, system } = process.cpuUsage()
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual((user + system) / 1e6)
  })

  it('[G3] has every counter with its labels, and those of losses from 0 on', () => {
    const found = lines()
    expect(found).toContain('lanescope_dropped_records_total{reason="null_key"} 2')
    expect(found).toContain('lanescope_dropped_records_total{reason="late_window"} 0')
    expect(found).toContain('lanescope_silent_loss_total{reason="grey_zone"} 0')
    expect(found).toContain('lanescope_reread_records_total 0')
    expect(found).toContain('lanescope_timer_lane_splits_total{node="a \\"b\\""} 1')
    expect(found.filter((line) => line.startsWith('# TYPE lanescope_dropped_records_total'))).toHaveLength(1)
  })

  it('tells how long the earliest timer has been due, by the clock of its domain', () => {
    expect(lines()).toContain(`${LATE} 0`)
    expect(lines([{ domain: 'event-time', at: 4000 }])).toContain(`${LATE} 1`)
    expect(lines([{ domain: 'event-time', at: 6000 }])).toContain(`${LATE} 0`)
    expect(lines([{ domain: 'processing-time', at: WALL - 3000 }])).toContain(`${LATE} 3`)
    expect(lines([{ domain: 'processing-time', at: WALL + 3000 }])).toContain(`${LATE} 0`)
    const both = [
      { domain: 'processing-time', at: WALL - 3000 },
      { domain: 'event-time', at: 4000 },
    ] as const
    expect(lines(both)).toContain(`${LATE} 3`)
  })

  it('has no more than the state of the process while nothing else can be read', () => {
    for (const state of ['starting', 'failed'] as const) {
      const found = lines([], state)
      expect(found).toContain(`lanescope_state{state="${state}"} 1`)
      expect(found).toContain('lanescope_state{state="running"} 0')
      expect(found).toContain('lanescope_ready 0')
      expect(found.filter((line) => line.startsWith('lanescope_node'))).toEqual([])
    }
    expect(lines([], 'stopping').some((line) => line.startsWith('lanescope_node'))).toBe(true)
  })
})
