import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { days, hours } from '../../time/durations.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { futureTimestamp } from './futureTimestamp.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const strings = Consumed.with(string, string)
const windows = (name: string, retentionMs: number) =>
  Stores.window(name, { retentionMs, windowSizeMs: 1 }, string, string)

function check(topology: Topology, config: Record<string, unknown> = {}) {
  const parsed = parseConfig({ 'default.key.serde': 'string', ...config })
  return futureTimestamp.check({ topology: topology.compile(parsed), config: parsed, samples: new Map() })
}

const counting = (consumed: Consumed<any, any> = strings) =>
  new Topology()
    .addSource('orders', consumed, 'a')
    .addProcessor('p', plain, 'orders')
    .addProcessor('daily', plain, 'p')
    .addStateStore(windows('per-day', days(30)), 'daily')

describe('[V2] [F1] a source without a bound', () => {
  it('that leads to a store with retention carries the mark, with the path and the fix', () => {
    expect(check(counting())).toEqual([
      {
        id: 'future-timestamp:orders',
        rule: 'future-timestamp',
        severity: 'warn',
        node: 'orders',
        nodes: ['orders', 'daily'],
        path: [
          { from: 'orders', to: 'p' },
          { from: 'p', to: 'daily' },
        ],
        places: [
          { node: 'orders', title: 'No bound on how far ahead.', detail: 'No withMaxAhead is declared.' },
          { node: 'daily', title: 'per-day keeps 30 d.', detail: 'All of it would expire.' },
        ],
        title: 'One record of orders from the future would expire every segment of per-day',
        message:
          'orders takes records of any time and declares no bound. One far in the future would expire every segment ' +
          'of per-day. While running, the default of 1 h guards against it, but nobody chose that for this source.',
        why: expect.stringContaining('Event time only goes forward.'),
        fixes: [
          {
            kind: 'bound-source',
            source: 'orders',
            maxAheadMs: 3_600_000,
            title: 'Bound orders to 1 h ahead',
            effect: 'A record more than 1 h ahead of the clock stays out when it would destroy something.',
          },
        ],
        endangered: [
          { what: 'store', name: 'per-day', detail: 'keeps 30 d; a record more than that ahead expires every segment' },
        ],
      },
    ])
  })

  it('that leads to event-time timers is found too, and both are named', () => {
    const topology = counting().addProcessor('t', { ...plain, timers: ['event-time'] }, 'daily')
    const [finding] = check(topology)
    expect(finding?.title).toBe(
      'One record of orders from the future would expire every segment of per-day and make every timer of t due',
    )
    expect(finding?.endangered?.map(({ what, name }) => [what, name])).toEqual([
      ['store', 'per-day'],
      ['timers', 't'],
    ])
    expect(finding?.nodes).toEqual(['orders', 'daily', 't'])
  })

  it('names a shared store once, and the nearest first', () => {
    const builder = windows('w', hours(2))
    const topology = new Topology()
      .addSource('orders', strings, 'a')
      .addProcessor('p', plain, 'orders')
      .addProcessor('q', plain, 'p')
      .addStateStore(builder, 'p', 'q')
      .addStateStore(windows('v', hours(3)), 'q')
    const [finding] = check(topology)
    expect(finding?.title).toContain('expire every segment of w and v')
    expect(finding?.path).toEqual([{ from: 'orders', to: 'p' }])
  })

  it('shows the shortest way there', () => {
    const topology = new Topology()
      .addSource('orders', strings, 'a')
      .addProcessor('p', plain, 'orders')
      .addProcessor('q', plain, 'orders', 'p')
      .addStateStore(windows('w', 5), 'q')
    expect(check(topology)[0]?.path).toEqual([{ from: 'orders', to: 'q' }])
  })

  it('is told with the default of the config', () => {
    expect(check(counting(), { 'future-timestamp.max-ahead-ms': 60_000 })[0]?.message).toContain('the default of 1 min')
  })

  it('each carries its own mark', () => {
    const topology = new Topology()
      .addSource('a', strings, 'a')
      .addSource('b', strings.withMaxAhead(1), 'b')
      .addSource('c', strings, 'c')
      .addProcessor('p', plain, 'a', 'b', 'c')
      .addStateStore(windows('w', 5), 'p')
    expect(check(topology).map((finding) => finding.node)).toEqual(['a', 'c'])
  })
})

describe('what is not found', () => {
  it('a source with a bound, even of 0 ms', () => expect(check(counting(strings.withMaxAhead(0)))).toEqual([]))

  it('a source that leads to neither', () => {
    const topology = new Topology()
      .addSource('orders', strings, 'a')
      .addProcessor('p', { ...plain, timers: ['processing-time'] }, 'orders')
      .addStateStore(Stores.keyValue('kv', string, string), 'p')
    expect(check(topology)).toEqual([])
  })
})

describe('the verdict of the config', () => {
  const key = 'topology.validation.future-timestamp'
  it('is the severity', () => expect(check(counting(), { [key]: 'error' })[0]?.severity).toBe('error'))
  it('is silence under off', () => expect(check(counting(), { [key]: 'off' })).toEqual([]))
})
