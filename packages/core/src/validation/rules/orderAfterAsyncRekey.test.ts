import { describe, expect, it } from 'vitest'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import { orderAfterAsyncRekey } from './orderAfterAsyncRekey.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sync: ProcessorSupplier<any, any, any, any> = { ...plain, sync: true }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const withTimers: ProcessorSupplier<any, any, any, any> = { ...sync, timers: ['event-time'] }
const strings = Consumed.with(string, string)
const store = () => Stores.keyValue('st', string, string)

function check(topology: Topology, config: Record<string, unknown> = {}) {
  const parsed = parseConfig({ 'default.key.serde': 'string', ...config })
  return orderAfterAsyncRekey.check({ topology: topology.compile(parsed), config: parsed, samples: new Map() })
}
const ids = (topology: Topology, config?: Record<string, unknown>) => check(topology, config).map(({ id }) => id)

/** s → call → sum, which has a store. */
function chain(call: ProcessorSupplier<any, any, any, any>, consumed: Consumed<any, any> = strings): Topology {
  return new Topology()
    .addSource('s', consumed, 'a')
    .addProcessor('call', call, 's')
    .addProcessor('sum', sync, 'call')
    .addStateStore(store(), 'sum')
}

describe('[V14] [L11] state behind a re-keying that may await', () => {
  it('is told with the processor that may await, the boundary and the way out', () => {
    expect(check(chain(plain))).toMatchObject([
      {
        id: 'order-after-async-rekey:call->sum:sum',
        severity: 'hint',
        node: 'sum',
        nodes: ['call', 'sum'],
        path: [{ from: 'call', to: 'sum' }],
        places: [
          { node: 'call', title: 'May await.' },
          { node: 'sum', title: 'Different keys become one here.' },
        ],
        title: 'sum may get records of one key in another order than they were read',
        note: expect.stringContaining(
          'If call never awaits, declare sync: true; if the key stays, declare sameKey: true.',
        ),
      },
    ])
  })

  it('is not told behind a synchronous processor, nor where the key stays and no boundary is', () => {
    expect(ids(chain(sync))).toEqual([])
    expect(ids(chain(sameKey))).toEqual([])
  })

  it('is not told of a boundary that no key was changed in front of', () => {
    const builder = new StreamsBuilder()
    builder.stream('a', strings).processValues(plain).repartition().groupByKey().count()
    expect(ids(builder.build())).toEqual([])
  })

  it('is told when the key changes further down than the processor that may await', () => {
    const builder = new StreamsBuilder()
    builder
      .stream<any, any>('a', strings)
      .processValues(plain)
      .selectKey((_key, value) => value)
      .groupByKey()
      .count()
    expect(ids(builder.build())).toHaveLength(1)
  })

  it('is not told of a node without state', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('call', plain, 's')
      .addProcessor('q', plain, 'call')
    expect(ids(topology)).toEqual([])
  })

  it('is told of the node with state alone, not of those that lead to it from the boundary', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('call', plain, 's')
      .addProcessor('mid', { ...sync, sameKey: true }, 'call')
      .addProcessor('sum', sync, 'mid')
      .addStateStore(store(), 'sum')
    expect(ids(topology)).toEqual(['order-after-async-rekey:call->mid:sum'])
  })

  it('is told of timers too', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('call', plain, 's')
      .addProcessor('q', withTimers, 'call')
    expect(ids(topology)).toEqual(['order-after-async-rekey:call->q:q'])
  })

  it('looks through earlier boundaries, and names all that may await, nearest first', () => {
    const topology = new Topology()
      .addSource('s', strings, 'a')
      .addProcessor('far', plain, 's')
      .addProcessor('near', plain, 'far')
      .addStateStore(store(), 'near')
      .addProcessor('sum', withTimers, 'near')
    const findings = check(topology)
    expect(findings.map(({ node }) => node)).toEqual(['near', 'sum'])
    expect(findings[1]).toMatchObject({
      nodes: ['near', 'far', 'sum'],
      note: expect.stringContaining('If near and far never await, declare sync: true;'),
    })
  })

  it('is not told where one lane, or the partition, keeps the order', () => {
    expect(ids(chain(plain, strings.withNumberOfLanes(1)))).toEqual([])
    expect(ids(chain(plain, strings.withNumberOfLanes(2)))).toHaveLength(1)
    expect(ids(chain(plain, strings.laneBy('partition')))).toEqual([])
    const mixed = new Topology()
      .addSource('s', strings.laneBy('partition'), 'a')
      .addSource('t', strings, 'b')
      .addProcessor('call', plain, 's', 't')
      .addProcessor('sum', sync, 'call')
      .addStateStore(store(), 'sum')
    expect(ids(mixed)).toHaveLength(1)
  })

  it('is as severe as the config says', () => {
    const key = 'topology.validation.order-after-async-rekey'
    expect(check(chain(plain), { [key]: 'error' })[0]?.severity).toBe('error')
    expect(ids(chain(plain), { [key]: 'off' })).toEqual([])
  })
})
