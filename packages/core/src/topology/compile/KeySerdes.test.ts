import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import type { CompiledTopology, ResolvedSerde } from '../CompiledTopology.js'
import { Consumed } from '../Consumed.js'
import { Produced } from '../Produced.js'
import { parseConfig } from '../parseConfig.js'
import { Topology } from '../Topology.js'

const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const timers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }
const timersSameKey: ProcessorSupplier<any, any, any, any> = { ...timers, sameKey: true }
const declared = Consumed.with(json<string>(), json())
const reading = Consumed.deserializers({ id: 'unquote', deserialize: () => 'k' }, json())

const compile = (topology: Topology, defaults: Record<string, unknown> = { 'default.key.serde': 'string' }) =>
  topology.compile(parseConfig(defaults))
const brief = ({ status, label, by, node }: ResolvedSerde) => [status, label, by, node]
const timerKey = (topology: Topology, defaults?: Record<string, unknown>) =>
  compile(topology, defaults).node('t').timerKey as ResolvedSerde
const verdicts = ({ candidates }: ResolvedSerde) => candidates.map(({ by, verdict }) => `${by}: ${verdict}`)
const edge = (compiled: CompiledTopology, from: string, to: string) =>
  brief(compiled.edges.find((one) => one.from === from && one.to === to)?.key as ResolvedSerde)

describe('[T4] the timer key serde', () => {
  it('is the one that Consumed declares', () => {
    const resolved = timerKey(new Topology().addSource('s', declared, 'a').addProcessor('t', timers, 's'))
    expect(brief(resolved)).toEqual(['declared', 'json', 'Consumed', 's'])
    expect(verdicts(resolved)[0]).toBe('Consumed: used')
    expect(verdicts(resolved).at(-1)).toBe('default.key.serde: not-reached')
  })

  it('comes through processors that keep the key', () => {
    const topology = new Topology()
      .addSource('s', declared, 'a')
      .addProcessor('p', sameKey, 's')
      .addProcessor('t', timers, 'p')
    expect(brief(timerKey(topology))).toEqual(['inherited', 'json', 'Consumed', 's'])
  })

  it('does not come through a processor that may change the key', () => {
    const topology = new Topology()
      .addSource('s', declared, 'a')
      .addProcessor('p', plain, 's')
      .addProcessor('t', timers, 'p')
    const resolved = timerKey(topology)
    expect(brief(resolved)).toEqual(['defaulted', 'string', 'default.key.serde', undefined])
    expect(resolved.candidates[0]).toEqual({ by: 'Consumed', node: 's', verdict: 'past-key-change' })
  })

  it('is the default behind a deserializer, with all that was looked at in its order', () => {
    const topology = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('t', timers, 's')
      .addSink('k', 'o', Produced.with(json(), json()), 't')
    expect(timerKey(topology).candidates).toEqual([
      { by: 'Consumed', node: 's', verdict: 'not-declared' },
      { by: 'Grouped', verdict: 'none-on-path' },
      { by: 'Repartitioned', verdict: 'none-on-path' },
      { by: 'Produced', verdict: 'past-key-change' },
      { by: 'Materialized', verdict: 'no-store-upstream' },
      { by: 'default.key.serde', verdict: 'used', serdeId: 'string' },
    ])
  })

  it('says that no Produced is on the path when there is no sink', () => {
    const topology = new Topology().addSource('s', reading, 'a').addProcessor('t', timers, 's')
    expect(verdicts(timerKey(topology))[3]).toBe('Produced: none-on-path')
  })

  it('comes from Produced downstream while the key stays', () => {
    const topology = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('t', timersSameKey, 's')
      .addProcessor('p', sameKey, 't')
      .addSink('k', 'o', Produced.with(json(), json()), 'p')
    const resolved = timerKey(topology)
    expect(brief(resolved)).toEqual(['inherited', 'json', 'Produced', 'k'])
    expect(verdicts(resolved).slice(0, 4)).toEqual([
      'Consumed: not-declared',
      'Grouped: none-on-path',
      'Repartitioned: none-on-path',
      'Produced: used',
    ])
  })

  it('does not come from Produced behind a key change downstream', () => {
    const topology = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('t', timersSameKey, 's')
      .addProcessor('p', plain, 't')
      .addSink('k', 'o', Produced.with(json(), json()), 'p')
    expect(verdicts(timerKey(topology))[3]).toBe('Produced: past-key-change')
  })

  it('prefers upstream to downstream', () => {
    const topology = new Topology()
      .addSource('s', declared, 'a')
      .addProcessor('t', timersSameKey, 's')
      .addSink('k', 'o', Produced.with(long, json()), 't')
    expect(brief(timerKey(topology))).toEqual(['declared', 'json', 'Consumed', 's'])
  })

  it('does not come from a store of the processor itself', () => {
    const topology = new Topology()
      .addSource('s', reading, 'a')
      .addProcessor('t', timers, 's')
      .addStateStore(Stores.keyValue('st', long, string), 't')
    expect(brief(timerKey(topology))).toEqual(['defaulted', 'string', 'default.key.serde', undefined])
  })

  it('is a byte-array serde behind a byte-array deserializer', () => {
    const bytes = Consumed.deserializers({ id: 'byteArray', deserialize: (_t, _h, raw) => raw }, json())
    const resolved = timerKey(new Topology().addSource('s', bytes, 'a').addProcessor('t', timers, 's'))
    expect(brief(resolved)).toEqual(['declared', 'byteArray', 'deserializer', 's'])
    expect(resolved.candidates[0]).toEqual({ by: 'Consumed', node: 's', verdict: 'used', serdeId: 'byteArray' })
  })

  it('is the one of two sources that agree, or that only one declares', () => {
    const two = (other: Consumed<any, any>) =>
      new Topology().addSource('s', other, 'a').addSource('r', declared, 'b').addProcessor('t', timers, 's', 'r')
    expect(brief(timerKey(two(declared)))).toEqual(['declared', 'json', 'Consumed', 's'])
    expect(brief(timerKey(two(reading)))).toEqual(['declared', 'json', 'Consumed', 'r'])
  })

  it('[B2] is the default when two sources disagree, and both are named', () => {
    const topology = new Topology()
      .addSource('s', declared, 'a')
      .addSource('r', Consumed.with(long, json()), 'b')
      .addProcessor('t', timers, 's', 'r')
    const resolved = timerKey(topology)
    expect(brief(resolved)).toEqual(['defaulted', 'string', 'default.key.serde', undefined])
    expect(resolved.candidates.slice(0, 2)).toEqual([
      { by: 'Consumed', node: 's', verdict: 'conflicting', serdeId: 'json' },
      { by: 'Consumed', node: 'r', verdict: 'conflicting', serdeId: 'long' },
    ])
  })

  it('is unresolved without a default', () => {
    const topology = new Topology().addSource('s', reading, 'a').addProcessor('t', timers, 's')
    const resolved = timerKey(topology, {})
    expect(resolved).toMatchObject({ status: 'unresolved', label: '?' })
    expect(resolved.serde).toBeUndefined()
    expect(verdicts(resolved).at(-1)).toBe('default.key.serde: not-declared')
  })
})

describe('[B2] the key serde of a boundary', () => {
  const boundary = (topology: Topology) => brief(compile(topology).boundaries[0]?.key as ResolvedSerde)
  const rekeyed = () => new Topology().addSource('s', declared, 'a').addProcessor('p', plain, 's')

  it('is never that of the key before the change', () => {
    expect(boundary(rekeyed().addProcessor('t', timers, 'p'))).toEqual([
      'defaulted',
      'string',
      'default.key.serde',
      undefined,
    ])
  })

  it('comes from Produced downstream, before any further key change', () => {
    const topology = rekeyed().addProcessor('t', timersSameKey, 'p').addSink('k', 'o', Produced.with(long, json()), 't')
    expect(boundary(topology)).toEqual(['inherited', 'long', 'Produced', 'k'])
    expect(brief(timerKey(topology))).toEqual(['inherited', 'long', 'Produced', 'k'])
  })

  it('does not come from Produced behind a further key change', () => {
    const topology = rekeyed().addProcessor('t', timers, 'p').addSink('k', 'o', Produced.with(long, json()), 't')
    expect(boundary(topology)).toEqual(['defaulted', 'string', 'default.key.serde', undefined])
  })

  it('is what a source declares where its key was not changed', () => {
    const topology = rekeyed().addProcessor('t', timers, 'p', 's')
    const key = compile(topology).boundaries.find(({ from }) => from === 's')?.key as ResolvedSerde
    expect(brief(key)).toEqual(['declared', 'json', 'Consumed', 's'])
  })
})

describe('[B4] serdes on edges, at sinks and in stores', () => {
  it('are declared beside the declaration and inherited further on', () => {
    const compiled = compile(
      new Topology()
        .addSource('s', declared, 'a')
        .addProcessor('p', sameKey, 's')
        .addProcessor('q', sameKey, 'p')
        .addSink('k', 'o', 'q'),
    )
    expect(edge(compiled, 's', 'p')).toEqual(['declared', 'json', 'Consumed', 's'])
    expect(edge(compiled, 'p', 'q')).toEqual(['inherited', 'json', 'Consumed', 's'])
    expect(brief(compiled.node('k').key)).toEqual(['inherited', 'json', 'Consumed', 's'])
    expect(compiled.node('k').sink?.keySerializer?.id).toBe('json')
  })

  it('are the default behind a deserializer, which reads but does not write', () => {
    const compiled = compile(new Topology().addSource('s', reading, 'a').addProcessor('p', plain, 's'))
    expect(edge(compiled, 's', 'p')).toEqual(['defaulted', 'string', 'default.key.serde', undefined])
    expect(compiled.node('s').source?.keyDeserializer?.id).toBe('unquote')
  })

  it('are what Produced says, before what the stream carries', () => {
    const compiled = compile(
      new Topology().addSource('s', declared, 'a').addSink('k', 'o', Produced.with(long, string), 's'),
    )
    expect(brief(compiled.node('k').key)).toEqual(['declared', 'long', 'Produced', 'k'])
    expect(brief(compiled.node('k').value)).toEqual(['declared', 'string', 'Produced', 'k'])
  })

  it('take each side of Produced by itself', () => {
    const compiled = compile(
      new Topology().addSource('s', declared, 'a').addSink('k', 'o', Produced.with(undefined, string), 's'),
    )
    expect(brief(compiled.node('k').key)).toEqual(['inherited', 'json', 'Consumed', 's'])
    expect(brief(compiled.node('k').value)).toEqual(['declared', 'string', 'Produced', 'k'])
  })

  it('end for values at every processor, also at one that keeps the key', () => {
    const compiled = compile(
      new Topology().addSource('s', declared, 'a').addProcessor('p', sameKey, 's').addSink('k', 'o', 'p'),
      { 'default.value.serde': 'long' },
    )
    expect(brief(compiled.node('p').value)).toEqual(['declared', 'json', 'Consumed', 's'])
    expect(brief(compiled.node('k').value)).toEqual(['defaulted', 'long', 'default.value.serde', undefined])
    expect(compiled.node('k').sink?.valueSerializer).toBe(long)
  })

  it("are a store's own, else the defaults, else unresolved", () => {
    const topology = new Topology()
      .addSource('s', declared, 'a')
      .addProcessor('p', plain, 's')
      .addStateStore(Stores.keyValue('own', long, long), 'p')
      .addStateStore(Stores.keyValue('open'), 'p')
    const [own, open] = compile(topology, { 'default.key.serde': 'string' }).stores
    expect([brief(own!.key), brief(own!.value)]).toEqual([
      ['declared', 'long', 'store', undefined],
      ['declared', 'long', 'store', undefined],
    ])
    expect([brief(open!.key), open!.value.status]).toEqual([
      ['defaulted', 'string', 'default.key.serde', undefined],
      'unresolved',
    ])
  })

  it('are applied from the config at compile time: one topology, two configs', () => {
    const topology = new Topology().addSource('s', undefined, undefined, 'a')
    expect(compile(topology, { 'default.key.serde': 'long' }).node('s').key.label).toBe('long')
    expect(compile(topology, { 'default.key.serde': 'uuid' }).node('s').key.label).toBe('uuid')
  })
})
