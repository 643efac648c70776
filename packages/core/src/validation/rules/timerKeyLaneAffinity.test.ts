import { describe, expect, it } from 'vitest'
import type { ProcessorSupplier } from '../../processor/Processor.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import type { Deserializer } from '../../serde/Serde.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import { Produced } from '../../topology/Produced.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import type { Finding, ValidationInput } from '../Finding.js'
import { timerKeyLaneAffinity } from './timerKeyLaneAffinity.js'

const text = (key: string) => new TextEncoder().encode(key)
const unquote: Deserializer<string> = {
  id: 'unquoteKey',
  deserialize: (_topic, _headers, bytes) => JSON.parse(new TextDecoder().decode(bytes)),
}
const plain: ProcessorSupplier<any, any, any, any> = { get: () => ({ process() {} }) }
const sameKey: ProcessorSupplier<any, any, any, any> = { ...plain, sameKey: true }
const timers: ProcessorSupplier<any, any, any, any> = { ...plain, timers: ['event-time'] }

function check(
  topology: Topology,
  config: Record<string, unknown> = {},
  samples: Record<string, string[]> = {},
  extra: Partial<ValidationInput> = {},
): Finding[] {
  const parsed = parseConfig({ 'default.key.serde': 'string', 'lanes.count': 8, ...config })
  return timerKeyLaneAffinity.check({
    topology: topology.compile(parsed),
    config: parsed,
    samples: new Map(Object.entries(samples).map(([name, keys]) => [name, { keys: keys.map(text) }])),
    ...extra,
  })
}

const behind = (consumed: Consumed<any, any>) =>
  new Topology().addSource('clicks', consumed, 'a').addProcessor('watch', timers, 'clicks')
const reading = Consumed.deserializers(unquote, json())
const samples = { clicks: ['"k0"', '"k12"'] }

describe('[V1] [A1] a timer processor behind a deserializer', () => {
  const [finding] = check(behind(reading), {}, samples) as [Finding]

  it('is found, with the path and both places numbered', () => {
    expect(finding).toMatchObject({
      id: 'timer-key-lane-affinity:clicks:watch',
      rule: 'timer-key-lane-affinity',
      severity: 'warn',
      node: 'watch',
      nodes: ['clicks', 'watch'],
      path: [{ from: 'clicks', to: 'watch' }],
      places: [
        { node: 'clicks', title: 'Key read by a deserializer.', detail: 'No serde says how to write it.' },
        { node: 'watch', title: 'Timer key written by the default.', detail: 'default.key.serde is string.' },
      ],
      title: 'Timers of watch can fire on another lane than their records',
      message:
        'clicks reads its key with a deserializer and declares no serde. ' +
        'watch writes timer keys with the default, which writes other bytes.',
    })
  })

  it('proves each sample key', () => {
    expect(
      finding.proofs?.map(({ key, recordLane, timerLane, verdict }) => [key, recordLane, timerLane, verdict]),
    ).toEqual([
      ['k0', 0, 6, 'split'],
      ['k12', 0, 0, 'agrees-by-luck'],
    ])
  })

  it('carries a fix that writes every sample key as the topic holds it', () => {
    expect(finding.fixes).toEqual([
      {
        kind: 'declare-consumed',
        source: 'clicks',
        keySerde: 'json',
        valueSerde: 'json',
        title: 'Declare Consumed.with(json, json) on clicks',
        effect: 'Timers write 22 6b 30 22 too: both on lane 0.',
      },
    ])
    expect(finding.note).toBeUndefined()
  })

  it('is gone once the fix is made', () => {
    expect(check(behind(Consumed.with(json<string>(), json())), {}, samples)).toEqual([])
  })

  it('shows a key that splits in the effect, before one that agrees by luck', () => {
    const [other] = check(behind(reading), {}, { clicks: ['"k12"', '"k0"'] })
    expect(other?.fixes[0]?.effect).toContain('22 6b 30 22')
  })

  it('finds it through processors that keep the key, with the whole path', () => {
    const topology = new Topology()
      .addSource('clicks', reading, 'a')
      .addProcessor('p', sameKey, 'clicks')
      .addProcessor('watch', timers, 'p')
    expect(check(topology)[0]?.path).toEqual([
      { from: 'clicks', to: 'p' },
      { from: 'p', to: 'watch' },
    ])
  })

  it('computes lanes by the sub-topology of the processor', () => {
    const [other] = check(behind(reading.withNumberOfLanes(5)), {}, samples)
    expect(other?.proofs?.every((proof) => proof.laneCount === 5)).toBe(true)
  })

  it('says which key serde other than the default writes the timers', () => {
    const topology = new Topology()
      .addSource('clicks', reading, 'a')
      .addProcessor('watch', { ...timers, sameKey: true }, 'clicks')
      .addSink('k', 'o', Produced.with(long, json()), 'watch')
    const [other] = check(topology)
    expect(other?.places[1]).toEqual({
      node: 'watch',
      title: 'Timer key written by long.',
      detail: 'Produced on k declares it.',
    })
    expect(other?.message).toContain('watch writes timer keys with long, which may write other bytes.')
  })
})

describe('[V1] [A1] what is offered', () => {
  it('nothing without a sample key, and says what would help', () => {
    const [finding] = check(behind(reading))
    expect(finding?.fixes).toEqual([])
    expect(finding?.proofs).toEqual([])
    expect(finding?.message).toContain('which may write other bytes')
    expect(finding?.note).toBe('Give clicks a sample key: then a serde that writes its very bytes can be proposed.')
  })

  it('nothing when no serde rewrites the samples, and says so', () => {
    const [finding] = check(behind(reading), {}, { clicks: [' "k0"'] })
    expect(finding?.fixes).toEqual([])
    expect(finding?.note).toContain('No built-in serde reads the sample keys of clicks')
  })

  it('nothing when the samples cannot be read, and says why', () => {
    const [finding] = check(behind(reading), {}, { clicks: ['k0'] })
    expect(finding?.note).toContain('The sample key 6b 30 cannot be followed: ')
  })

  it("a serde of the user's own when it is given", () => {
    const mine = { ...json<string>(), id: 'mine' }
    const [finding] = check(behind(reading), {}, samples, { serdes: [mine] })
    expect(finding?.fixes[0]).toMatchObject({ keySerde: 'mine', valueSerde: 'json' })
  })

  it('for the value, the serde whose reading half is there, else JSON', () => {
    const value = (deserializer: Deserializer<any> | undefined, config = {}) =>
      check(behind(Consumed.deserializers(unquote, deserializer)), config, samples)[0]?.fixes[0]
    expect(value(long)).toMatchObject({ valueSerde: 'long', title: 'Declare Consumed.with(json, long) on clicks' })
    expect(value({ id: 'mine', deserialize: () => 1 })).toMatchObject({ valueSerde: 'json' })
    expect(value(undefined, { 'default.value.serde': 'uuid' })).toMatchObject({ valueSerde: 'uuid' })
  })

  it('still when the default writes the same bytes: nothing promises it', () => {
    const [finding] = check(behind(Consumed.deserializers(string, json())), {}, { clicks: ['k0'] })
    expect(finding?.message).toContain('which writes the same bytes for every sample key, but nothing promises')
    expect(finding?.proofs?.[0]?.verdict).toBe('same-bytes')
    expect(finding?.fixes[0]).toMatchObject({ keySerde: 'string', effect: 'Timers write 6b 30 too: both on lane 6.' })
  })
})

describe('[V1] [A1] at a boundary', () => {
  const topology = new Topology()
    .addSource('clicks', Consumed.with(string, json()), 'a')
    .addProcessor('rekey', plain, 'clicks')
    .addProcessor('pass', sameKey, 'rekey')
    .addProcessor('watch', timers, 'pass')
    .addSink('k', 'o', Produced.with(json(), json()), 'pass')

  it('is found where another key serde picks the lanes', () => {
    expect(check(topology)).toMatchObject([
      {
        id: 'timer-key-lane-affinity:rekey->pass:watch',
        node: 'watch',
        nodes: ['rekey', 'pass', 'watch'],
        path: [
          { from: 'rekey', to: 'pass' },
          { from: 'pass', to: 'watch' },
        ],
        places: [
          { node: 'pass', title: 'Lane picked by json.', detail: 'Produced on k declares it.' },
          { node: 'watch', title: 'Timer key written by the default.', detail: 'default.key.serde is string.' },
        ],
        fixes: [],
      },
    ])
  })

  it('is not found where both are written by one serde', () => {
    expect(check(topology, { 'default.key.serde': 'json' })).toEqual([])
  })

  it('[A8] is not found where a partitioner of the user picks the lanes', () => {
    const config = parseConfig({ 'default.key.serde': 'string', 'lanes.count': 8 })
    const compiled = topology.compile(config)
    const boundaries = compiled.boundaries.map((boundary) => ({ ...boundary, partitioner: () => 0 }))
    const input = { topology: { ...compiled, boundaries }, config, samples: new Map() }
    expect(timerKeyLaneAffinity.check(input)).toEqual([])
  })

  it('is not found when nothing can be written: that is another finding', () => {
    expect(check(topology, { 'default.key.serde': undefined })).toEqual([])
  })
})

describe('what is not found', () => {
  it('a source that declares its key, or leaves it to the default', () => {
    expect(check(behind(Consumed.with(string, json())))).toEqual([])
    expect(check(behind(Consumed.with<any, any>(undefined, undefined)))).toEqual([])
  })

  it('[T4] a source that reads bytes', () => {
    const bytes = { id: 'byteArray', deserialize: (_t: string, _h: unknown, raw: Uint8Array) => raw }
    expect(check(behind(Consumed.deserializers(bytes, json())))).toEqual([])
  })

  it('a processor without timers', () => {
    expect(check(new Topology().addSource('clicks', reading, 'a').addProcessor('p', plain, 'clicks'))).toEqual([])
  })

  it('[A8] a sub-topology of one lane', () => {
    expect(check(behind(reading), { 'lanes.count': 1 })).toEqual([])
    expect(check(behind(reading), { 'lanes.count': 2 })).toHaveLength(1)
  })

  it('[L11] a source laned by partition', () => {
    expect(check(behind(reading.laneBy('partition')))).toEqual([])
  })
})

describe('two sources of one processor', () => {
  const two = (other: Consumed<any, any>) =>
    new Topology()
      .addSource('clicks', reading, 'a')
      .addSource('views', other, 'b')
      .addProcessor('watch', timers, 'clicks', 'views')

  it('are judged each by itself', () => {
    expect(check(two(reading)).map((finding) => finding.id)).toEqual([
      'timer-key-lane-affinity:clicks:watch',
      'timer-key-lane-affinity:views:watch',
    ])
    expect(check(two(Consumed.with(json(), json()))).map((finding) => finding.nodes[0])).toEqual(['clicks'])
  })

  it('are both found when they declare different serdes and the default writes the timers', () => {
    const topology = new Topology()
      .addSource('clicks', Consumed.with(json(), json()), 'a')
      .addSource('views', Consumed.with(long, json()), 'b')
      .addProcessor('watch', timers, 'clicks', 'views')
    const findings = check(topology)
    expect(findings.map((finding) => finding.places[0]?.title)).toEqual([
      'Key declared as json.',
      'Key declared as long.',
    ])
    expect(findings[0]?.message).toContain('clicks says that its key is written by json.')
    expect(findings[0]?.note).toBe(
      'Declare the same key serde on clicks as for the timers, or set default.key.serde to it.',
    )
  })
})

describe('the verdict of the config', () => {
  const key = 'topology.validation.timer-key-lane-affinity'
  it('is the severity', () => {
    expect(check(behind(reading), { [key]: 'error' })[0]?.severity).toBe('error')
    expect(check(behind(reading), { [key]: 'warn' })[0]?.severity).toBe('warn')
  })
  it('is silence under off', () => expect(check(behind(reading), { [key]: 'off' })).toEqual([]))
})
