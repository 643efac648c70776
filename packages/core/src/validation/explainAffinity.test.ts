import { describe, expect, it } from 'vitest'
import { json } from '../serde/json.js'
import { string } from '../serde/string.js'
import { Consumed } from '../topology/Consumed.js'
import { Produced } from '../topology/Produced.js'
import { parseConfig } from '../topology/parseConfig.js'
import { Topology } from '../topology/Topology.js'
import { explainAffinity } from './explainAffinity.js'

const text = (key: string) => new TextEncoder().encode(key)
const unquote = {
  id: 'unquote',
  deserialize: (_topic: string, _headers: unknown, bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)),
}
const timers = { get: () => ({ process() {} }), timers: ['event-time'] as const }
const config = parseConfig({ 'default.key.serde': 'string', 'lanes.count': 8 })
const keys = Array.from({ length: 30 }, (_, i) => text(`"k${i + 1}"`))
const split = new Topology().addSource('s', unquote, json(), 'a').addProcessor('t', timers, 's').compile(config)

describe('[A7] explainAffinity', () => {
  it('counts, for each lane count asked for, what splits and what agrees by luck', () => {
    const { at, processor, lanedAt, unproven } = explainAffinity(split, 't', keys, [8, 1, 5])
    expect([processor, lanedAt, unproven]).toEqual(['t', 's', []])
    expect(at.map(({ laneCount, split, luck, same }) => [laneCount, split, luck, same])).toEqual([
      [8, 26, 4, 0],
      [1, 0, 30, 0],
      [5, 22, 8, 0],
    ])
    expect(at[0]?.proofs.map((proof) => proof.key).slice(0, 2)).toEqual(['k1', 'k2'])
    expect(at[2]?.proofs[0]?.laneCount).toBe(5)
  })

  it('counts the same bytes when the key serde is declared', () => {
    const declared = new Topology()
      .addSource('s', Consumed.with(json<string>(), json()), 'a')
      .addProcessor('t', timers, 's')
      .compile(config)
    const [at] = explainAffinity(declared, 't', keys, [8]).at
    expect([at?.split, at?.luck, at?.same]).toEqual([0, 0, 30])
  })

  it('reads keys at a boundary as the boundary writes them', () => {
    const behind = new Topology()
      .addSource('s', Consumed.with(string, json()), 'a')
      .addProcessor('p', { get: () => ({ process() {} }) }, 's')
      .addProcessor('q', { get: () => ({ process() {} }), sameKey: true }, 'p')
      .addProcessor('t', timers, 'q')
      .addSink('k', 'o', Produced.with(json(), json()), 'q')
      .compile(config)
    const { at, lanedAt } = explainAffinity(behind, 't', [text('"k0"')], [8])
    expect(lanedAt).toBe('q')
    expect(at[0]?.proofs[0]).toMatchObject({ key: 'k0', recordLane: 0, timerLane: 6, verdict: 'split' })
  })

  it('lists keys that cannot be read, and judges the others', () => {
    const { at, unproven } = explainAffinity(split, 't', [text('k0'), text('"k0"')], [8])
    expect(at[0]?.split).toBe(1)
    expect(unproven).toHaveLength(1)
    expect(unproven[0]?.bytes).toEqual(text('k0'))
    expect(unproven[0]?.reason).not.toBe('')
  })

  it('refuses a node without timers', () => {
    expect(() => explainAffinity(split, 's', keys, [8])).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE', context: { node: 's' } }),
    )
  })
})
