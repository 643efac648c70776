import { describe, expect, it } from 'vitest'
import { type Piped, storesOf, TableRun } from '../../../test/TableRun.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Produced } from '../../topology/Produced.js'
import { Grouped } from '../Grouped.js'
import type { KTable } from '../KTable.js'
import { Materialized } from '../Materialized.js'
import type { StreamsBuilder } from '../StreamsBuilder.js'
import type { ValueTransformerContext } from '../ValueTransformer.js'

type Table = KTable<string, string | null>
const table = (builder: StreamsBuilder, topic: string, kept?: Materialized<any, any>) =>
  builder.table<string, string | null>(topic, kept as never) as Table
const to = (made: KTable<any, any>) => made.toStream().to('out')
const startsWithA = (_key: string, value: string) => value.startsWith('a')

const updates: readonly Piped[] = [
  ['t', '1', 'a', 0],
  ['t', '2', 'b', 5],
  ['t', '1', 'b', 6],
  ['t', '1', 'b', 7],
  ['t', '1', null, 8],
  ['t', '3', null, 9],
]

describe('a table of a topic (kafka-streams.md B.8)', () => {
  it('hands on every row, deletions as null, also of what never was', async () => {
    const run = new TableRun((builder) => to(table(builder, 't')))
    expect(await run.pipe(...updates)).toEqual(['1=a@0', '2=b@5', '1=b@6', '1=b@7', '1=null@8', '3=null@9'])
  })

  it('[G3] drops a null key, with or without a store, and counts it', async () => {
    for (const kept of [undefined, Materialized.as('s')]) {
      const run = new TableRun((builder) => to(table(builder, 't', kept)))
      expect(await run.pipe(['t', null, 'a', 1], ['t', '', 'b', 2])).toEqual(['', '=b@2'])
      expect(run.dropped('null_key')).toBe(1)
    }
  })

  it('[G-101] takes a row that is older than the one it replaces, and says so; one of the same time it takes in silence', async () => {
    const run = new TableRun((builder) => to(table(builder, 't', Materialized.as('s'))))
    const logged: string[] = []
    run.driver.events.on(['log'], (event) => logged.push((event as any).message))
    await run.pipe(['t', 'k', 'a', 100], ['t', 'k', 'b', 100])
    expect(logged).toEqual([])
    await run.pipe(['t', 'k', 'c', 99])
    expect(logged).toEqual([
      'Detected out-of-order KTable update for s, old timestamp=[100] new timestamp=[99]. topic=[t] partition=[0] offset=[2].',
    ])
    expect(await run.rows('s')).toEqual(['k=c@99'])
  })

  it('has a store only where one is named, or somebody downstream must know what it holds or held', () => {
    const source = 't-STATE-STORE-0000000000'
    expect(storesOf((b) => to(table(b, 't')))).toEqual([])
    expect(storesOf((b) => to(table(b, 't', Materialized.with(string, string))))).toEqual([])
    expect(storesOf((b) => to(table(b, 't', Materialized.as('s'))))).toEqual(['s'])
    expect(storesOf((b) => to(table(b, 't').filter(startsWithA)))).toEqual([])
    expect(storesOf((b) => to(table(b, 't').filter(startsWithA, Materialized.as('f'))))).toEqual(['f'])
    expect(storesOf((b) => to(table(b, 't').filter(startsWithA, Materialized.with(string, string))))).toEqual([])
    expect(
      storesOf((b) =>
        to(
          table(b, 't')
            .mapValues((v) => v)
            .groupBy((k, v) => [v, k])
            .count(),
        ),
      ),
    ).toEqual([source, 'KTABLE-AGGREGATE-STATE-STORE-0000000005'])
    const mapped = Materialized.as<string, string>('m')
    expect(
      storesOf((b) =>
        to(
          table(b, 't')
            .mapValues((v) => v, mapped)
            .groupBy((k, v) => [v, k])
            .count(),
        ),
      ),
    ).toEqual(['m', 'KTABLE-AGGREGATE-STATE-STORE-0000000005'])
    expect(storesOf((b) => to(table(b, 't').join(table(b, 'u', mapped).filter(startsWithA), (l, r) => l + r)))).toEqual(
      [source, 'm'],
    )
  })

  it('loses times in a persistent store that keeps none, and in memory has room for them', async () => {
    for (const [store, at] of [
      [Stores.keyValue<string, string>('s'), -1],
      [Stores.inMemoryKeyValue<string, string>('s'), 7],
      [Stores.lruMap<string, string>('s', 2), 7],
    ] as const) {
      const run = new TableRun((builder) => to(table(builder, 't', Materialized.as(store))))
      await run.pipe(['t', 'k', 'a', 7])
      expect(await run.rows('s')).toEqual([`k=a@${at}`])
    }
  })

  it('forgets the row used longest ago in a bounded map, and a read is a use', async () => {
    const kept = Materialized.as<string, string>(Stores.lruMap('s', 2))
    const run = new TableRun((builder) => to(table(builder, 't', kept).filter(startsWithA)))
    await run.pipe(['t', 'a', 'a', 1], ['t', 'b', 'a', 2], ['t', 'a', 'a', 3], ['t', 'c', 'a', 4])
    expect(await run.rows('s')).toEqual(['a=a@3', 'c=a@4'])
    // What fell out was never there: its deletion is none.
    expect(await run.pipe(['t', 'b', 'b', 5], ['t', 'a', 'b', 6], ['t', 'b', 'a', 7], ['t', 'b', 'b', 8])).toEqual([
      '',
      '',
      'b=a@7',
      'b=null@8',
    ])
  })

  it('is read by the serdes of Consumed, else by those of Materialized, and kept by the same', async () => {
    const run = new TableRun(
      (b) => to(b.table('t', Materialized.as<any, any>('s').withValueSerde(json()))),
      string,
      json(),
    )
    expect(await run.pipe(['t', 'k', '{"n":1}', 1])).toEqual(['k={"n":1}@1'])
    expect(await run.rows('s')).toEqual(['k={"n":1}@1'])
  })
})

describe('filter of a table (kafka-streams.md G-98)', () => {
  const filtered = async (source: Materialized<any, any> | undefined, own: Materialized<any, any> | undefined) =>
    new TableRun((builder) => to(table(builder, 't', source).filter(startsWithA, own as never))).pipe(...updates)

  it('deletes what never was there where neither it nor its table has a store', async () => {
    expect(await filtered(undefined, undefined)).toEqual([
      '1=a@0',
      '2=null@5',
      '1=null@6',
      '1=null@7',
      '1=null@8',
      '3=null@9',
    ])
  })

  it('does so too where only it has one', async () => {
    expect(await filtered(undefined, Materialized.as('f'))).toEqual([
      '1=a@0',
      '2=null@5',
      '1=null@6',
      '1=null@7',
      '1=null@8',
      '3=null@9',
    ])
  })

  it.each([undefined, Materialized.as<string, string>('f')])(
    'tells only what changes where its table has one (%#)',
    async (own) => {
      expect(await filtered(Materialized.as('s'), own)).toEqual(['1=a@0', '', '1=null@6', '', '', ''])
    },
  )

  it('keeps in its own store what is left, and knows by it where somebody asks for old values', async () => {
    const run = new TableRun((builder) => {
      const kept = table(builder, 't').filter(startsWithA, Materialized.as('f'))
      to(kept)
      kept.groupBy((key, value) => [value, key]).count()
    })
    expect(await run.pipe(...updates)).toEqual(['1=a@0', '', '1=null@6', '', '', ''])
    expect(await run.rows('f')).toEqual([])
  })

  it('tells every row of a versioned table, whose old rows it may know no better', async () => {
    const versions = () => Materialized.as<string, string>(Stores.versionedKeyValue('v', { historyRetentionMs: 100 }))
    expect(await filtered(versions(), undefined)).toEqual([
      '1=a@0',
      '2=null@5',
      '1=null@6',
      '1=null@7',
      '1=null@8',
      '3=null@9',
    ])
  })

  it('keeps the others with filterNot', async () => {
    const run = new TableRun((builder) => to(table(builder, 't', Materialized.as('s')).filterNot(startsWithA)))
    expect(await run.pipe(...updates)).toEqual(['', '2=b@5', '1=b@6', '1=b@7', '1=null@8', ''])
  })
})

describe('mapValues and transformValues of a table', () => {
  it('map rows and no deletions; null from the mapper deletes', async () => {
    const run = new TableRun((builder) =>
      to(
        table(builder, 't').mapValues((value, key) => (value === 'b' ? null : `${key}${value}`), Materialized.as('m')),
      ),
    )
    expect(await run.pipe(['t', '1', 'a', 1], ['t', '1', 'b', 2], ['t', '1', null, 3], ['t', '2', 'c', 4])).toEqual([
      '1=1a@1',
      '1=null@2',
      '1=null@3',
      '2=2c@4',
    ])
    expect(await run.rows('m')).toEqual(['2=2c@4'])
  })

  const counting = () => {
    let calls = 0
    return { transform: (key: string, value: string | null) => `${key}${value}#${++calls}` }
  }

  it('transform deletions too, each row once', async () => {
    const run = new TableRun((builder) => to(table(builder, 't').transformValues(counting)))
    expect(await run.pipe(['t', 'k', 'a', 1], ['t', 'k', null, 2])).toEqual(['k=ka#1@1', 'k=knull#2@2'])
  })

  it('transform the old value as well where somebody asks for it and no store holds it', async () => {
    const made = (kept?: Materialized<any, any>) =>
      new TableRun((builder) => {
        const transformed = table(builder, 't').transformValues(counting, ...(kept === undefined ? [] : [kept]))
        to(transformed)
        transformed.groupBy((key, value) => [value, key]).count()
      })
    const piped: Piped[] = [
      ['t', 'k', 'a', 1],
      ['t', 'k', 'b', 2],
    ]
    expect(await made().pipe(...piped)).toEqual(['k=ka#1@1', 'k=kb#3@2'])
    expect(await made(Materialized.as('m')).pipe(...piped)).toEqual(['k=ka#1@1', 'k=kb#2@2'])
  })

  it('transform for a join that reads through them by one instance of its own', async () => {
    const run = new TableRun((builder) => {
      const transformed = table(builder, 't').transformValues(counting)
      to(table(builder, 'u').leftJoin(transformed, (left, right) => `${left}/${right}`))
    })
    await run.pipe(['t', 'k', 'a', 1], ['t', 'k', 'b', 2], ['t', 'k', 'c', 3])
    expect(await run.pipe(['u', 'k', 'x', 4], ['u', 'k', 'y', 5])).toEqual(['k=x/kc#1@4', 'k=y/kc#2@5'])
  })

  it('transform with a store, and for a join that reads through them, with an instance of its own', async () => {
    const counts = Stores.keyValue<string, number>('counts', string, long)
    const transformer = {
      transform(key: string, value: string | null, ctx: ValueTransformerContext) {
        const count = ctx.store(counts).compute(key, (before) => (before ?? 0) + 1)
        return value === null ? null : `${value}${count}`
      },
    }
    const run = new TableRun((builder) => {
      const transformed = table(builder, 't').transformValues({ get: () => ({ ...transformer }), stores: [counts] })
      to(table(builder, 'u').leftJoin(transformed, (left, right) => `${left}/${right}`))
    })
    expect(await run.pipe(['t', 'k', 'a', 1])).toEqual([''])
    // Once for the row itself, once for the join that reads it.
    expect(await run.pipe(['u', 'k', 'x', 2])).toEqual(['k=x/a2@2'])
  })
})

describe('a grouped table (kafka-streams.md B.8)', () => {
  const byFirst = (key: string, value: string) => [value.slice(0, 1), key + value] as const
  const reduced = (builder: StreamsBuilder) =>
    table(builder, 't')
      .groupBy(byFirst)
      .reduce(
        (all, one) => `${all}+${one}`,
        (all, one) => `${all}-${one}`,
        Materialized.as('r'),
      )

  it('takes the old row out first, then puts the new one in: as one change within a group, else as two', async () => {
    const run = new TableRun((builder) => to(reduced(builder)))
    expect(
      await run.pipe(
        ['t', '1', 'a', 1],
        ['t', '2', 'a', 2],
        ['t', '1', 'ab', 3],
        ['t', '1', 'b', 4],
        ['t', '1', null, 5],
      ),
    ).toEqual(['a=1a@1', 'a=1a+2a@2', 'a=1a+2a-1a+1ab@3', 'a=1a+2a-1a+1ab-1ab@4 b=1b@4', 'b=1b-1b@5'])
    expect(run.silent('null_key_after_rekey')).toBe(0)
  })

  it('bears the greatest time of what a group was made from', async () => {
    const run = new TableRun((builder) => to(reduced(builder)))
    expect(await run.pipe(['t', '1', 'a', 9], ['t', '2', 'a', 4], ['t', '2', null, 5], ['t', '2', 'b', 3])).toEqual([
      'a=1a@9',
      'a=1a+2a@9',
      'a=1a+2a-2a@9',
      'b=2b@3',
    ])
  })

  it('[G-100] counts a group that has lost its last row as 0, and deletes it by null from the subtractor alone', async () => {
    const counted = new TableRun((b) => to(table(b, 't').groupBy(byFirst).count()), string, long)
    expect(await counted.pipe(['t', '1', 'a', 1], ['t', '1', null, 2], ['t', '1', 'a', 3])).toEqual([
      'a=1@1',
      'a=0@2',
      'a=1@3',
    ])
    const nulled = new TableRun((b) =>
      to(
        table(b, 't')
          .groupBy(byFirst)
          .reduce(
            (all: string, one: string) => `${all}+${one}` as string | null,
            () => null,
          ),
      ),
    )
    expect(await nulled.pipe(['t', '1', 'a', 1], ['t', '1', null, 2], ['t', '1', 'a', 3])).toEqual([
      'a=1a@1',
      'a=null@2',
      'a=1a@3',
    ])
  })

  it('starts an aggregate as the initializer says, again after it was deleted, and not for what is taken out', async () => {
    let starts = 0
    const run = new TableRun((builder) =>
      to(
        table(builder, 't')
          .groupBy(byFirst)
          .aggregate<string | null>(
            () => {
              starts++
              return '.'
            },
            (key, value, all) => `${all}+${key}${value}`,
            (_key, value, all) => (value.endsWith('ax') ? null : `${all}-${value}`),
            Materialized.with(string, string) as never,
          ),
      ),
    )
    expect(
      await run.pipe(
        ['t', '1', 'ax', 1],
        ['t', '1', null, 2],
        ['t', '2', null, 3],
        ['t', '1', 'a', 4],
        ['t', '1', 'a', 5],
      ),
    ).toEqual(['a=.+a1ax@1', 'a=null@2', '', 'a=.+a1a@4', 'a=.+a1a-1a+a1a@5'])
    expect(starts).toBe(2)
  })

  it('takes nothing out of a group that has no aggregate, and tells its deletion once more', async () => {
    const taken: string[] = []
    const run = new TableRun((builder) =>
      to(
        table(builder, 't')
          .groupBy(byFirst)
          .aggregate<string | null>(
            () => '',
            (_key, value, all) => (value.endsWith('x') ? null : `${all}+${value}`),
            (_key, value, all) => {
              taken.push(value)
              return `${all}-${value}`
            },
            Materialized.with(string, string) as never,
          ),
      ),
    )
    expect(await run.pipe(['t', '1', 'ax', 1], ['t', '1', 'ay', 2], ['t', '2', 'ax', 3], ['t', '1', null, 4])).toEqual([
      'a=null@1',
      'a=+1ay@2',
      'a=null@3',
      'a=null@4',
    ])
    expect(taken).toEqual([])
  })

  it('[G3] puts a row of no group nowhere and tells so once, and takes it out of the one it was in', async () => {
    const run = new TableRun(
      (builder) =>
        to(
          table(builder, 't')
            .groupBy((key, value) => [value === 'x' ? null : value, key])
            .count(),
        ),
      string,
      long,
    )
    expect(await run.pipe(['t', '1', 'a', 1], ['t', '1', 'x', 2], ['t', '1', null, 3])).toEqual(['a=1@1', 'a=0@2', ''])
    expect(run.silent('null_key_after_rekey')).toBe(1)
  })

  it('knows a group by the content of its key', async () => {
    const keys = json<{ readonly group: string }>()
    const run = new TableRun(
      (builder) =>
        table(builder, 't')
          .groupBy((key, value) => [{ group: value.slice(0, 1) }, key], Grouped.with(keys, string))
          .count()
          .toStream()
          .to('out', Produced.with(keys, long)),
      keys,
      long,
    )
    expect(await run.pipe(['t', '1', 'a1', 1], ['t', '1', 'a2', 2])).toEqual(['{"group":"a"}=1@1', '{"group":"a"}=1@2'])
  })

  it('sends old values on to a table grouped out of it', async () => {
    const run = new TableRun(
      (builder) =>
        to(
          table(builder, 't')
            .groupBy((key, value) => [value, key])
            .count()
            .groupBy((_key, count) => [String(count), 'x'])
            .count(),
        ),
      string,
      long,
    )
    expect(await run.pipe(['t', '1', 'a', 1], ['t', '2', 'a', 2], ['t', '2', 'b', 3])).toEqual([
      '1=1@1',
      '1=0@2 2=1@2',
      '2=0@3 1=1@3 1=2@3',
    ])
  })
})

describe('toTable', () => {
  it('takes records of a stream as rows, behind a boundary where the key was changed', async () => {
    const run = new TableRun((builder) => {
      const stream = builder.stream<string, string>('t')
      to(stream.selectKey((_key, value) => value?.slice(0, 1) ?? null).toTable(Materialized.as('tt')))
    })
    expect(await run.pipe(['t', '1', 'ab', 2], ['t', '2', 'ac', 1], ['t', '1', null, 3])).toEqual([
      'a=ab@2',
      'a=ac@1',
      '',
    ])
    expect(await run.rows('tt')).toEqual(['a=ac@1'])
    expect(run.silent('null_key_after_rekey')).toBe(1)
  })

  it('keeps nothing unless somebody needs it', () => {
    expect(storesOf((b) => to(b.stream<string, string>('t').toTable()))).toEqual([])
    expect(
      storesOf((b) =>
        to(
          b
            .stream<string, string>('t')
            .toTable()
            .join(table(b, 'u'), (l, r) => `${l}${r}`),
        ),
      ),
    ).toEqual(['KSTREAM-TOTABLE-STATE-STORE-0000000002', 'u-STATE-STORE-0000000003'])
  })
})
