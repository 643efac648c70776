import { describe, expect, it } from 'vitest'
import { BufferConfig } from '../../dsl/BufferConfig.js'
import { EmitStrategy } from '../../dsl/EmitStrategy.js'
import { JoinWindows } from '../../dsl/JoinWindows.js'
import type { KGroupedStream } from '../../dsl/KGroupedStream.js'
import { Materialized } from '../../dsl/Materialized.js'
import { SessionWindows } from '../../dsl/SessionWindows.js'
import { SlidingWindows } from '../../dsl/SlidingWindows.js'
import { StreamsBuilder } from '../../dsl/StreamsBuilder.js'
import { Suppressed } from '../../dsl/Suppressed.js'
import { TimeWindows } from '../../dsl/TimeWindows.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { ValidationRule } from '../Finding.js'
import { defaultGrace } from './defaultGrace.js'
import { retentionTooSmall } from './retentionTooSmall.js'
import { suppressWithoutGrace } from './suppressWithoutGrace.js'

type Grouped = KGroupedStream<string, string>

function check(rule: ValidationRule, tell: (grouped: Grouped, builder: StreamsBuilder) => unknown, config = {}) {
  const builder = new StreamsBuilder()
  tell(builder.stream('in', Consumed.with(string, string, { nulls: 'drop' })).groupByKey(), builder)
  const parsed = parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string', ...config })
  return rule.check({ topology: builder.build().compile(parsed), config: parsed, samples: new Map() })
}

describe('[V8] a store that forgets too soon', () => {
  const tumbling = (retentionMs: number) => (grouped: Grouped) =>
    grouped
      .windowedBy(TimeWindows.ofSizeAndGrace(10, 5))
      .count(Materialized.as(Stores.window('w', { retentionMs, windowSizeMs: 10 })))

  it('is one that was picked with less than window and grace: at equality nothing is lost', () => {
    expect(check(retentionTooSmall, tumbling(15))).toEqual([])
    expect(check(retentionTooSmall, tumbling(14))).toMatchObject([
      {
        severity: 'warn',
        node: 'KSTREAM-AGGREGATE-0000000001',
        title: 'w forgets windows that KSTREAM-AGGREGATE-0000000001 still takes records for',
        note: expect.stringContaining('at least 15 ms'),
      },
    ])
  })

  it('counts a sliding window twice, as its store must keep the windows on both sides of a record', () => {
    const sliding = (retentionMs: number) => (grouped: Grouped) =>
      grouped
        .windowedBy(SlidingWindows.ofTimeDifferenceAndGrace(10, 5))
        .count(Materialized.as(Stores.window('w', { retentionMs, windowSizeMs: 10 })))
    expect(check(retentionTooSmall, sliding(25))).toEqual([])
    expect(check(retentionTooSmall, sliding(24))).toHaveLength(1)
  })

  it('is never one that the builder made itself', () => {
    expect(check(retentionTooSmall, (g) => g.windowedBy(TimeWindows.ofSizeAndGrace(10, 5)).count())).toEqual([])
    const session = SessionWindows.ofInactivityGapAndGrace(10, 5)
    expect(check(retentionTooSmall, (grouped) => grouped.windowedBy(session).count())).toEqual([])
  })

  it('is as severe as the config says', () => {
    const key = 'topology.validation.retention-too-small'
    expect(check(retentionTooSmall, tumbling(14), { [key]: 'error' })[0]?.severity).toBe('error')
    expect(check(retentionTooSmall, tumbling(14), { [key]: 'off' })).toEqual([])
  })
})

describe('[V10] final results of windows without grace', () => {
  const closes = Suppressed.untilWindowCloses(BufferConfig.unbounded())
  const counted = (graceMs: number) => (grouped: Grouped) =>
    grouped.windowedBy(TimeWindows.ofSizeAndGrace(10, graceMs)).count()

  it('are told of at the suppress, with the windows that it waits for', () => {
    const [finding] = check(suppressWithoutGrace, (grouped) => counted(0)(grouped).suppress(closes))
    expect(finding).toMatchObject({
      node: 'KTABLE-SUPPRESS-0000000003',
      severity: 'warn',
      nodes: ['KSTREAM-AGGREGATE-0000000002', 'KTABLE-SUPPRESS-0000000003'],
      path: [{ from: 'KSTREAM-AGGREGATE-0000000002', to: 'KTABLE-SUPPRESS-0000000003' }],
    })
  })

  it('are given about a tenth of a window as grace by their fix, or all of one', () => {
    const fixes = (sizeMs: number) =>
      check(suppressWithoutGrace, (grouped) =>
        grouped.windowedBy(TimeWindows.ofSizeWithNoGrace(sizeMs)).count().suppress(closes),
      )[0]?.fixes
    expect(fixes(300_000)).toEqual([
      {
        kind: 'set-grace',
        node: 'KSTREAM-AGGREGATE-0000000002',
        graceMs: 30_000,
        title: 'Give KSTREAM-AGGREGATE-0000000002 30 s of grace',
        effect: 'Windows take records for 30 s after their end, and their results come as much later.',
      },
      expect.objectContaining({ graceMs: 300_000 }),
    ])
    const graces = (sizeMs: number) => fixes(sizeMs)?.map((fix) => fix.kind === 'set-grace' && fix.graceMs)
    expect(graces(299_999)).toEqual([10_000, 299_999])
    expect(graces(86_400_000)).toEqual([3_600_000, 86_400_000])
    expect(graces(10)).toEqual([1_000])
  })

  it('are found through what lies between, and where an aggregation itself waits', () => {
    const between = check(suppressWithoutGrace, (grouped) =>
      counted(0)(grouped)
        .filter(() => true)
        .suppress(closes),
    )
    expect(between).toMatchObject([{ nodes: ['KSTREAM-AGGREGATE-0000000002', 'KTABLE-SUPPRESS-0000000004'] }])
    const windows = TimeWindows.ofSizeWithNoGrace(10)
    const emitted = check(suppressWithoutGrace, (grouped) =>
      grouped.windowedBy(windows).emitStrategy(EmitStrategy.onWindowClose()).count(),
    )
    expect(emitted).toMatchObject([{ node: 'KSTREAM-AGGREGATE-0000000002', path: [] }])
  })

  it('are none where there is a grace, or where updates go on', () => {
    expect(check(suppressWithoutGrace, (grouped) => counted(1)(grouped).suppress(closes))).toEqual([])
    expect(check(suppressWithoutGrace, counted(0))).toEqual([])
    const limit = Suppressed.untilTimeLimit(10, BufferConfig.unbounded())
    expect(check(suppressWithoutGrace, (grouped) => counted(0)(grouped).suppress(limit))).toEqual([])
  })

  it('are as severe as the config says', () => {
    const key = 'topology.validation.suppress-without-grace'
    const write = (grouped: Grouped) => counted(0)(grouped).suppress(closes)
    expect(check(suppressWithoutGrace, write, { [key]: 'hint' })[0]?.severity).toBe('hint')
    expect(check(suppressWithoutGrace, write, { [key]: 'off' })).toEqual([])
  })
})

describe('[V11] a grace that nobody gave', () => {
  const joined = (windows: JoinWindows) => (_grouped: Grouped, builder: StreamsBuilder) =>
    builder.stream<string, string>('l').join(builder.stream<string, string>('r'), (l, r) => `${l}${r}`, windows)

  it("is Kafka's old default of a day, at each node of the join", () => {
    const found = check(defaultGrace, joined(JoinWindows.of(10)))
    expect(found.length).toBeGreaterThan(0)
    expect(found[0]).toMatchObject({ severity: 'warn', message: expect.stringContaining('86399980 ms') })
  })

  it('is none where the grace is said, or that there is none', () => {
    expect(check(defaultGrace, joined(JoinWindows.ofTimeDifferenceAndGrace(10, 5)))).toEqual([])
    expect(check(defaultGrace, joined(JoinWindows.ofTimeDifferenceWithNoGrace(10)))).toEqual([])
  })

  it('is as severe as the config says', () => {
    const key = 'topology.validation.default-grace'
    expect(check(defaultGrace, joined(JoinWindows.of(10)), { [key]: 'error' })[0]?.severity).toBe('error')
    expect(check(defaultGrace, joined(JoinWindows.of(10)), { [key]: 'off' })).toEqual([])
  })
})
