import { describe, expect, it } from 'vitest'
import { TimerLaneAffinityException } from '../../errors/index.js'
import { fromHex } from '../../model/bytes.js'
import type { Serde } from '../../serde/Serde.js'
import { string } from '../../serde/string.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import { AffinityCheck, type AffinitySettings } from './AffinityCheck.js'

/** `"k0"` is lane 0 of 8, `k0` is lane 6 (L2). */
const QUOTED = fromHex('226b3022')
const PLAIN = fromHex('6b30')

function item(overrides: Partial<WorkItem> = {}): WorkItem {
  return {
    lane: 0,
    hashed: true,
    keyBytes: QUOTED,
    coordinates: { topic: 'in', partition: 3, offset: 9, timestamp: 5 },
    fatal: undefined,
    ...overrides,
  } as WorkItem
}

function check(overrides: Partial<AffinitySettings> = {}) {
  const seen = { mismatches: 0, splits: 0, events: [] as string[], logs: [] as string[] }
  const clock = { now: 0 }
  const affinity = new AffinityCheck(
    {
      node: 'timed',
      laneCount: 8,
      keeps: 'timers',
      serde: { status: 'declared', serde: string, label: 'string', by: 'Consumed', node: 'in', candidates: [] },
      topic: 'changelog',
      guard: 'error',
      sampled: 'warn',
      everyRecord: true,
      ...overrides,
    },
    {
      now: () => clock.now,
      countMismatch: () => void seen.mismatches++,
      countSplit: () => void seen.splits++,
      event: (type) => void seen.events.push(type),
      log: (level, message) => void seen.logs.push(`${level}: ${message}`),
    },
  )
  return { affinity, seen, clock }
}

const thrownBy = (run: () => void): unknown => {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

describe('the guard', () => {
  it('[A2] [A3] is fatal, says all, and leaves its mark on the item', () => {
    const { affinity, seen } = check()
    const at = item()
    const error = thrownBy(() => affinity.guard(at, 'k0', PLAIN)) as TimerLaneAffinityException
    expect(error).toBeInstanceOf(TimerLaneAffinityException)
    expect(error.split).toMatchObject({
      recordBytes: QUOTED,
      timerBytes: PLAIN,
      recordLane: 0,
      timerLane: 6,
      laneCount: 8,
    })
    expect(error.context).toMatchObject({ node: 'timed', lane: 0, key: 'k0', topic: 'in', partition: 3, offset: 9 })
    expect(error.message).toContain('(from Consumed on "in")')
    expect(at.fatal).toBe(error)
    expect(seen).toMatchObject({ splits: 1, mismatches: 0, events: ['lane-split-proven'] })
    expect(seen.logs).toEqual([`error: ${error.message}`])
  })

  it('[A2] compares lanes, not bytes', () => {
    const { affinity, seen } = check()
    affinity.guard(item({ lane: 6 }), 'k0', PLAIN)
    expect(seen.splits).toBe(0)
  })

  it('[A2] warn logs once a minute, with how many there were since', () => {
    const { affinity, seen, clock } = check({ guard: 'warn' })
    for (const now of [0, 1, 59_999, 60_000]) {
      clock.now = now
      affinity.guard(item(), 'k0', PLAIN)
    }
    expect(seen.splits).toBe(4)
    expect(seen.logs).toHaveLength(2)
    expect(seen.logs[0]).toContain('First such split')
    expect(seen.logs[1]).toContain('3 splits since the last line')
  })

  it.each([
    ['off', {}, {}],
    ['over one lane', { laneCount: 1 }, {}],
    ['where no hash picked the lane', {}, { hashed: false }],
    ['for a null key', {}, { keyBytes: null }],
  ] as const)('[A8] does not look %s', (name, settings, at) => {
    const off = name === 'off' ? ({ guard: 'off', sampled: 'off' } as const) : {}
    const { affinity, seen } = check({ sampled: 'error', ...settings, ...off })
    affinity.guard(item(at), 'k0', PLAIN)
    affinity.sample(item(at), 'k0')
    expect(seen).toMatchObject({ splits: 0, mismatches: 0, events: [] })
  })
})

describe('the sampled check', () => {
  it('[A4] warn counts and events each, and logs once per processor', () => {
    const { affinity, seen, clock } = check()
    for (const now of [0, 1_000_000]) {
      clock.now = now
      affinity.sample(item(), 'k0')
    }
    expect(seen).toMatchObject({ mismatches: 2, splits: 0, events: ['lane-split-sampled', 'lane-split-sampled'] })
    expect(seen.logs).toHaveLength(1)
  })

  it('[A4] [A3] error is fatal with coordinates, and leaves its mark; the first mark stays', () => {
    const { affinity } = check({ sampled: 'error' })
    const at = item()
    const first = thrownBy(() => affinity.sample(at, 'k0'))
    expect(first).toMatchObject({ context: { topic: 'in', partition: 3, offset: 9 } })
    thrownBy(() => affinity.sample(at, 'k0'))
    expect(at.fatal).toBe(first)
  })

  it('[A4] looks at the first 64 of each lane, then at one in 4,096', () => {
    const { affinity, seen } = check({ everyRecord: false })
    for (let i = 0; i < 64; i++) affinity.sample(item(), 'k0')
    expect(seen.mismatches).toBe(64)
    for (let i = 0; i < 4095; i++) affinity.sample(item(), 'k0')
    expect(seen.mismatches).toBe(64)
    affinity.sample(item(), 'k0')
    expect(seen.mismatches).toBe(65)
    affinity.sample(item({ lane: 1 }), 'k0')
    expect(seen.mismatches).toBe(66)
    for (let i = 0; i < 4096; i++) affinity.sample(item(), 'k0')
    expect(seen.mismatches).toBe(67)
  })

  it('[A4] says nothing of a key that the serde cannot write, nor of a null key', () => {
    const { affinity, seen } = check({ sampled: 'error' })
    for (const key of [42, null, undefined]) affinity.sample(item(), key)
    expect(seen.mismatches).toBe(0)
  })

  it('[A5] says nothing of encodings that share a lane', () => {
    const { affinity, seen } = check({ sampled: 'error' })
    affinity.sample(item({ lane: 6 }), 'k0')
    expect(seen.mismatches).toBe(0)
  })
})

describe('timer keys', () => {
  it('[T3] [T4] are written and read with the timer key serde; without one it says what to declare', () => {
    const { affinity } = check()
    expect(affinity.write('k0')).toEqual(PLAIN)
    expect(affinity.read(PLAIN)).toBe('k0')
    const { affinity: none } = check({ serde: { status: 'unresolved', label: '?', candidates: [] } })
    expect(() => none.write('k0')).toThrow(/"timed".*default.key.serde/)
    expect(none.tryWrite('k0')).toBeNull()
    expect(none.read(PLAIN)).toBeUndefined()
  })

  it('[T3] of a windowed key the inner key’s bytes pick the lane', () => {
    const inner: Serde<string> = { ...string, laneBytes: (bytes) => bytes.subarray(0, 2) }
    const { affinity } = check({ serde: { status: 'declared', serde: inner, label: 'windowed', candidates: [] } })
    expect(affinity.laneOfTimer(fromHex('6b30ff'))).toBe(6)
    // The whole of them would pick another one.
    expect(check().affinity.laneOfTimer(fromHex('6b30ff'))).toBe(1)
    expect(check().affinity.laneOfTimer(QUOTED)).toBe(0)
  })

  it('are shown as text, or as bytes where they cannot be read', () => {
    expect(check().affinity.textOf(PLAIN)).toBe('k0')
    const broken: Serde<string> = {
      ...string,
      deserialize: () => {
        throw new Error('no')
      },
    }
    const { affinity } = check({ serde: { status: 'declared', serde: broken, label: 'broken', candidates: [] } })
    expect(affinity.textOf(PLAIN)).toBe('6b 30')
  })
})

describe('the check of a node with a store', () => {
  it('[A9] speaks of the store and its ways in, not of timers', () => {
    const { affinity, seen } = check({ keeps: 'stores' })
    affinity.sample(item(), 'k0')
    expect(seen.logs).toHaveLength(1)
    const [line] = seen.logs as [string]
    for (const part of [
      'warn: ',
      '"timed" keeps a store',
      'on lane 0 of 8',
      'on lane 6',
      '22 6b 30 22',
      'writes 6b 30.',
      'repartition()',
    ])
      expect(line).toContain(part)
    expect(line).toContain('(from Consumed on "in")')
    expect(line).not.toContain('imer')
  })
})
