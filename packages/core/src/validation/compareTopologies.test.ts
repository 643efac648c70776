import { describe, expect, it } from 'vitest'
import { Materialized } from '../dsl/Materialized.js'
import { Named } from '../dsl/Named.js'
import { StreamsBuilder } from '../dsl/StreamsBuilder.js'
import { TimeWindows } from '../dsl/TimeWindows.js'
import type { ProcessorSupplier } from '../processor/Processor.js'
import { json } from '../serde/json.js'
import { long } from '../serde/long.js'
import { string } from '../serde/string.js'
import { Stores } from '../state/builders/Stores.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { Consumed } from '../topology/Consumed.js'
import { parseConfig } from '../topology/parseConfig.js'
import { compareTopologies } from './compareTopologies.js'
import { stateFormatChange } from './rules/stateFormatChange.js'

const config = parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string' })
const read = Consumed.with(string, string)
const waits: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }), timers: ['event-time'] }

function compiled(tell: (builder: StreamsBuilder) => void): CompiledTopology {
  const builder = new StreamsBuilder()
  tell(builder)
  return builder.build().compile(config)
}

const counted = compiled((b) => b.stream('in', read).groupByKey().count())

describe('[V12] a change of the topology', () => {
  it('loses nothing where nothing that is kept changes', () => {
    const filtered = compiled((b) => {
      b.stream('in', read).groupByKey().count()
      b.stream('in', read).foreach(() => {})
    })
    expect(compareTopologies(counted, filtered)).toEqual({ stores: [], topics: [], timers: [], losesState: false })
  })

  it('[G-57] renames a numbered store by a filter in front of it, and its changelog', () => {
    const filtered = compiled((b) =>
      b
        .stream('in', read)
        .filter(() => true)
        .groupByKey()
        .count(),
    )
    const [from, to] = ['KSTREAM-AGGREGATE-STATE-STORE-0000000001', 'KSTREAM-AGGREGATE-STATE-STORE-0000000002']
    expect(compareTopologies(counted, filtered)).toEqual({
      stores: [{ kind: 'renamed', from, to }],
      topics: [{ kind: 'renamed', from: `${from}-changelog`, to: `${to}-changelog` }],
      timers: [],
      losesState: true,
    })
  })

  it('resets a store whose values are written by another serde', () => {
    const store = (value: typeof long | ReturnType<typeof json<number>>) =>
      compiled((b) =>
        b.stream('in', read).groupByKey().count(Materialized.as<string, number>('c').withValueSerde(value)),
      )
    const { stores, losesState } = compareTopologies(store(long), store(json<number>()))
    expect(stores).toMatchObject([{ kind: 'reset', name: 'c', differences: [{ what: 'value serde' }] }])
    expect(losesState).toBe(true)
  })

  it('resets a windowed store by another size or retention, and says both', () => {
    const store = (sizeMs: number) =>
      compiled((b) =>
        b.stream('in', read).groupByKey().windowedBy(TimeWindows.ofSizeWithNoGrace(sizeMs)).count(Materialized.as('c')),
      )
    expect(compareTopologies(store(10), store(20)).stores).toEqual([
      {
        kind: 'reset',
        name: 'c',
        differences: [
          { what: 'window size', before: '10', after: '20' },
          { what: 'retention', before: '10', after: '20' },
        ],
      },
    ])
  })

  it('strands what is gone for good, and adds what is new', () => {
    const keyed = (name: string, value: typeof string | typeof long) =>
      compiled((b) => {
        b.addStateStore(Stores.keyValue(name, string, value as typeof string))
        b.stream('in', read).process(() => ({ process() {} }), name)
      })
    const { stores, losesState } = compareTopologies(keyed('a', string), keyed('b', long))
    expect(stores).toEqual([
      { kind: 'stranded', name: 'a' },
      { kind: 'added', name: 'b' },
    ])
    expect(losesState).toBe(true)
    const added = compareTopologies(
      compiled((b) => b.stream('in', read).to('out')),
      counted,
    )
    expect(added.losesState).toBe(false)
    expect(added.stores).toEqual([{ kind: 'added', name: 'KSTREAM-AGGREGATE-STATE-STORE-0000000001' }])
  })

  it('pairs several renamed ones in order, each once', () => {
    const two = (...before: string[]) =>
      compiled((b) => {
        for (const name of before) b.addStateStore(Stores.keyValue(name, string, string))
        b.stream('in', read).process(() => ({ process() {} }), ...before)
      })
    expect(compareTopologies(two('a', 'b'), two('c', 'd', 'e')).stores).toEqual([
      { kind: 'renamed', from: 'a', to: 'c' },
      { kind: 'renamed', from: 'b', to: 'd' },
      { kind: 'added', name: 'e' },
    ])
  })

  it('renames the timers of a numbered processor, and resets those of another key serde', () => {
    const numbered = compiled((b) => b.stream('in', read).process(waits))
    const moved = compiled((b) =>
      b
        .stream('in', read)
        .filter(() => true)
        .process(waits),
    )
    expect(compareTopologies(numbered, moved).timers).toEqual([
      {
        kind: 'renamed',
        from: 'KSTREAM-PROCESSOR-0000000001 (event-time)',
        to: 'KSTREAM-PROCESSOR-0000000002 (event-time)',
      },
    ])
    const other = compiled((b) => b.stream('in', Consumed.with(json<string>(), string)).process(waits))
    expect(compareTopologies(numbered, other).timers).toMatchObject([
      { kind: 'reset', differences: [{ what: 'key serde', before: 'string', after: 'json' }] },
    ])
  })
})

describe('[V12] the finding', () => {
  const named = compiled((b) => b.stream('in', read).process(waits, Named.as('work')))
  const check = (deployed: CompiledTopology | undefined, topology: CompiledTopology, extra: object = {}) =>
    stateFormatChange.check({
      topology,
      config: parseConfig({ ...extra }),
      samples: new Map(),
      ...(deployed && { deployed }),
    })

  it('is not made without a topology to compare with', () => {
    expect(check(undefined, counted)).toEqual([])
  })

  it('tells of a store once, without its changelog, and of timers', () => {
    const gone = compiled((b) => b.stream('in', read).to('out'))
    expect(check(counted, gone).map(({ title }) => title)).toEqual([
      'The store KSTREAM-AGGREGATE-STATE-STORE-0000000001 would be left behind',
    ])
    expect(check(named, gone).map(({ title }) => title)).toEqual(['The timers work (event-time) would be left behind'])
  })

  it('stands at the node that keeps the state now, and is as severe as the config says', () => {
    const filtered = compiled((b) =>
      b
        .stream('in', read)
        .filter(() => true)
        .groupByKey()
        .count(),
    )
    expect(check(counted, filtered)).toMatchObject([{ node: 'KSTREAM-AGGREGATE-0000000003', severity: 'warn' }])
    const key = 'topology.validation.state-format-change'
    expect(check(counted, filtered, { [key]: 'error' })[0]?.severity).toBe('error')
    expect(check(counted, filtered, { [key]: 'off' })).toEqual([])
    expect(check(filtered, filtered)).toEqual([])
  })
})
