import { describe, expect, it } from 'vitest'
import { type Piped, storesOf, TableRun } from '../../../test/TableRun.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
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
