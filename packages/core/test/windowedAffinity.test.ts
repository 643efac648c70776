import {
  Consumed,
  explainAffinity,
  json,
  laneOf,
  parseConfig,
  StreamsBuilder,
  string,
  TimeWindows,
  validate,
  type Windowed,
} from '@lanescope/core'
import { TopologyTestDriver } from '@lanescope/core/testing'
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

  it('[A2] [A4] fire on the lanes of their windows’ records, whichever those are', async () => {
    const builder = new StreamsBuilder()
    const fired: string[] = []
    builder
      .stream('in', Consumed.with(string, string))
      .groupByKey()
      .windowedBy(TimeWindows.ofSizeWithNoGrace(10))
      .count()
      .toStream()
      .process<Windowed<string>, unknown>({
        timers: ['event-time'],
        get: () => ({
          process: ({ key }, ctx) => ctx.timers.register({ key, at: key.window.end, domain: 'event-time' }),
          onTimer: ({ key, at }) => void fired.push(`${(key as Windowed<string>).key} ${at}`),
        }),
      })
    const config = { 'application.id': 'a', 'lanes.count': 8, 'timer.lane-affinity.sampled-check': 'error' }
    const driver = new TopologyTestDriver(builder.build(), config)
    const lanes: number[] = []
    driver.events.on(['timer-registered'], (event) => event.type === 'timer-registered' && lanes.push(event.lane))
    const input = driver.createInputTopic('in', string, string)
    const keys = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5']
    for (const key of keys) await input.pipeInput(key, 'x', 5)
    expect(lanes).toEqual(keys.map((key) => laneOf(text(key), 8)))
    expect(new Set(lanes).size).toBeGreaterThan(1)
    await input.pipeInput('k0', 'x', 10)
    expect(fired.sort()).toEqual(keys.map((key) => `${key} 10`))
    await driver.close()
  })
})
