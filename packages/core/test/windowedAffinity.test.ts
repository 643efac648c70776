import {
  Consumed,
  explainAffinity,
  json,
  parseConfig,
  StreamsBuilder,
  string,
  TimeWindows,
  validate,
} from '@lanescope/core'
import { describe, expect, it } from 'vitest'

const timers = { get: () => ({ process() {} }), timers: ['event-time'] as const }
const text = (key: string) => new TextEncoder().encode(key)

/** A timer processor behind a windowed count; its keys are windowed. */
function counted(consumed: Consumed<any, any>, config: Record<string, unknown> = {}) {
  const builder = new StreamsBuilder()
  const counts = builder
    .stream('in', consumed.withName('in'))
    .groupByKey()
    .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
    .count()
  counts.toStream().process(timers)
  const parsed = parseConfig({
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'lanes.count': 8,
    ...config,
  })
  return { topology: builder.build().compile(parsed), config: parsed }
}

function affinityFindings(consumed: Consumed<any, any>, keys: readonly string[]) {
  const { topology, config } = counted(consumed)
  const findings = validate({ topology, config, samples: new Map([['in', { keys: keys.map(text) }]]) })
  return findings.filter(({ rule }) => rule === 'timer-key-lane-affinity')
}

describe('[T3] timers behind a windowed aggregation go by the inner key', () => {
  it('agree where the source declares the key', () => {
    expect(affinityFindings(Consumed.with(json<string>(), string), ['"k0"'])).toEqual([])
    const { topology } = counted(Consumed.with(json<string>(), string))
    const processor = topology.nodes.find((node) => node.timers.length > 0)
    const [at] = explainAffinity(topology, processor?.name ?? '', [text('"k0"'), text('"k12"')], [8]).at
    expect([at?.split, at?.luck, at?.same]).toEqual([0, 0, 2])
  })

  it('split where a deserializer reads it and the default writes it', () => {
    const unquote = {
      deserialize: (_topic: string, _headers: unknown, bytes: Uint8Array) =>
        JSON.parse(new TextDecoder().decode(bytes)),
    }
    const [finding] = affinityFindings(Consumed.deserializers(unquote, string), ['"k0"'])
    expect(finding?.proofs?.[0]).toMatchObject({
      timerBytes: text('k0'),
      recordLane: 0,
      timerLane: 6,
      verdict: 'split',
    })
    expect(finding?.places[1]?.detail).toBe('default.key.serde is string.')
  })
})
