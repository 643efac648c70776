import { describe, expect, it } from 'vitest'
import { type Piped, TableRun } from '../../../test/TableRun.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import type { KTable } from '../KTable.js'
import { Materialized } from '../Materialized.js'
import type { StreamsBuilder } from '../StreamsBuilder.js'

type Table = KTable<string, string | null>
type Kind = 'join' | 'leftJoin' | 'outerJoin'
const table = (builder: StreamsBuilder, topic: string, kept?: Materialized<any, any>) =>
  builder.table<string, string | null>(topic, kept as never) as Table
const to = (made: KTable<any, any>) => made.toStream().to('out')
const slash = (left: string | null, right: string | null) => `${left}/${right}`

function joined(kind: Kind, left: Table, right: Table, kept?: Materialized<any, any>): KTable<string, string | null> {
  if (kind === 'join') return left.join(right, slash, kept)
  return kind === 'leftJoin' ? left.leftJoin(right, slash, kept) : left.outerJoin(right, slash, kept)
}

const versioned = (name: string, historyRetentionMs: number) =>
  Materialized.as<string, string>(Stores.versionedKeyValue(name, { historyRetentionMs }))

describe('a join of two tables by key (kafka-streams.md B.8)', () => {
  const updates: readonly Piped[] = [
    ['l', 'k', 'a', 1],
    ['r', 'k', 'B', 2],
    ['l', 'k', 'c', 3],
    ['l', 'k', null, 4],
    ['l', 'k', null, 5],
    ['r', 'k', null, 6],
    ['r', 'k', null, 7],
    ['r', 'k', 'D', 8],
  ]
  const results: { readonly [kind in Kind]: readonly string[] } = {
    // A deleted row that has no partner tells nothing; one that has one does, though its result is gone already.
    join: ['', 'k=a/B@2', 'k=c/B@3', 'k=null@4', 'k=null@5', '', '', ''],
    leftJoin: ['k=a/null@1', 'k=a/B@2', 'k=c/B@3', 'k=null@4', 'k=null@5', '', '', ''],
    outerJoin: ['k=a/null@1', 'k=a/B@2', 'k=c/B@3', 'k=null/B@4', 'k=null/B@5', 'k=null@6', '', 'k=null/D@8'],
  }

  it.each(['join', 'leftJoin', 'outerJoin'] as const)(
    '%s tells each change once, and no more than may change',
    async (kind) => {
      const run = new TableRun((builder) => to(joined(kind, table(builder, 'l'), table(builder, 'r'))))
      expect(await run.pipe(...updates)).toEqual(results[kind])
    },
  )

  it.each(['join', 'leftJoin', 'outerJoin'] as const)('%s keeps its result where it has a store', async (kind) => {
    const kept = Materialized.as<string, string>('j')
    const run = new TableRun((builder) => to(joined(kind, table(builder, 'l'), table(builder, 'r'), kept)))
    await run.pipe(['l', 'a', 'x', 9], ['r', 'a', 'y', 4], ['l', 'b', 'x', 5], ['r', 'c', 'y', 6])
    expect(await run.rows('j')).toEqual(
      { join: ['a=x/y@9'], leftJoin: ['a=x/y@9', 'b=x/null@5'], outerJoin: ['a=x/y@9', 'b=x/null@5', 'c=null/y@6'] }[
        kind
      ],
    )
  })

  it.each([
    ['leftJoin', ['k=a/null@1', 'k=null@2', '', '', '']],
    ['outerJoin', ['k=a/null@1', 'k=null@2', '', 'm=null/B@4', 'm=null@5']],
  ] as const)('%s takes a result back that had no partner, and no result that never was', async (kind, expected) => {
    const run = new TableRun((builder) => to(joined(kind, table(builder, 'l'), table(builder, 'r'))))
    const changes: Piped[] = [
      ['l', 'k', 'a', 1],
      ['l', 'k', null, 2],
      ['l', 'k', null, 3],
      ['r', 'm', 'B', 4],
      ['r', 'm', null, 5],
    ]
    expect(await run.pipe(...changes)).toEqual(expected)
  })

  it('bears the later time of both rows, whichever comes last', async () => {
    const run = new TableRun((builder) => to(joined('outerJoin', table(builder, 'l'), table(builder, 'r'))))
    expect(
      await run.pipe(
        ['l', 'k', 'a', 9],
        ['r', 'k', 'B', 4],
        ['r', 'k', 'C', 12],
        ['l', 'k', 'd', 11],
        ['r', 'k', null, 3],
      ),
    ).toEqual(['k=a/null@9', 'k=a/B@9', 'k=a/C@12', 'k=d/C@12', 'k=d/null@11'])
  })

  it('deletes by a joiner that gives null', async () => {
    const run = new TableRun((builder) =>
      to(table(builder, 'l').join(table(builder, 'r'), (left, right) => (left === 'x' ? null : left + right))),
    )
    expect(await run.pipe(['r', 'k', 'B', 1], ['l', 'k', 'x', 2], ['l', 'k', 'a', 3])).toEqual([
      '',
      'k=null@2',
      'k=aB@3',
    ])
  })

  it('gives the joiner the key last, for either side', async () => {
    const keyed = (left: string, right: string, key: string) => `${key}:${left}${right}`
    const run = new TableRun((builder) => to(table(builder, 'l').join(table(builder, 'r'), keyed)))
    expect(await run.pipe(['l', 'k', 'a', 1], ['r', 'k', 'B', 2], ['l', 'k', 'c', 3])).toEqual([
      '',
      'k=k:aB@2',
      'k=k:cB@3',
    ])
  })

  it.each(['join', 'leftJoin', 'outerJoin'] as const)(
    '%s tells old results to a table grouped out of it',
    async (kind) => {
      for (const kept of [undefined, Materialized.as<string, string>('j')]) {
        const run = new TableRun(
          (builder) =>
            to(
              joined(kind, table(builder, 'l'), table(builder, 'r'), kept)
                .groupBy((_key, value) => [value, 'one'])
                .count(),
            ),
          string,
          long,
        )
        await run.pipe(['l', '1', 'a', 1], ['r', '1', 'B', 2], ['l', '2', 'a', 3], ['r', '2', 'B', 4])
        expect(await run.pipe(['l', '1', 'c', 5])).toEqual(['a/B=1@5 c/B=1@5'])
        expect(await run.pipe(['r', '1', null, 6])).toEqual([kind === 'join' ? 'c/B=0@6' : 'c/B=0@6 c/null=1@6'])
        expect(await run.pipe(['l', '2', null, 7])).toEqual([kind === 'outerJoin' ? 'a/B=0@7 null/B=1@7' : 'a/B=0@7'])
      }
    },
  )

  it.each([
    ['join', ['s/null@1', 's/a/B@2', 's/null@5']],
    ['leftJoin', ['s/a/null@1', 's/a/B@2', 's/null@5']],
    ['outerJoin', ['s/a/null@1', 's/a/B@2', 's/null/B@5']],
  ] as const)('%s is read through by another join, though it has no store', async (kind, expected) => {
    const run = new TableRun((builder) => {
      const inner = joined(kind, table(builder, 'l'), table(builder, 'r'))
      to(table(builder, 's').leftJoin(inner, slash))
    })
    // Each row of `s` asks what the inner join holds by then.
    const asks = async (change: Piped, at: number) => {
      await run.pipe(change)
      return (await run.pipe(['s', 'k', 's', at]))[0]?.slice(2)
    }
    expect([
      await asks(['l', 'k', 'a', 1], 1),
      await asks(['r', 'k', 'B', 2], 1),
      await asks(['l', 'k', null, 6], 5),
    ]).toEqual(expected)
  })

  it('joins a table with itself', async () => {
    const run = new TableRun((builder) => {
      const own = table(builder, 'l')
      to(own.join(own, slash))
    })
    expect(await run.pipe(['l', 'k', 'a', 1], ['l', 'k', 'b', 2])).toEqual(['k=a/a@1 k=a/a@1', 'k=b/b@2 k=b/b@2'])
  })
})

describe('a versioned table (kafka-streams.md A.10, B.8)', () => {
  it('does not tell what its store refused, and tells what came late as such', async () => {
    const run = new TableRun((builder) => to(table(builder, 'l', versioned('v', 10))))
    expect(await run.pipe(['l', 'k', 'a', 20], ['l', 'k', 'b', 10], ['l', 'k', 'c', 9])).toEqual([
      'k=a@20',
      'k=b@10',
      '',
    ])
    expect(run.dropped('expired_put')).toBe(1)
  })

  it('leaves late rows out of a join, counted, also through a filter; those of a plain table it takes', async () => {
    const run = new TableRun((builder) => {
      const left = table(builder, 'l', versioned('v', 100)).filter(() => true)
      to(left.leftJoin(table(builder, 'r'), slash))
    })
    expect(
      await run.pipe(
        ['l', 'k', 'a', 50],
        ['r', 'k', 'B', 60],
        ['l', 'k', 'old', 40],
        ['r', 'k', 'C', 30],
        ['l', 'k', 'd', 50],
      ),
    ).toEqual(['k=a/null@50', 'k=a/B@60', '', 'k=a/C@50', 'k=d/C@50'])
    expect(run.dropped('out_of_order')).toBe(1)
  })

  it('is no longer versioned behind a Materialized that names no store, as in Kafka Streams', async () => {
    const run = new TableRun((builder) => {
      const left = table(builder, 'l', versioned('v', 100)).filter(() => true, Materialized.with(string, string))
      to(left.leftJoin(table(builder, 'r'), slash))
    })
    expect(await run.pipe(['l', 'k', 'a', 50], ['l', 'k', 'late', 40])).toEqual(['k=a/null@50', 'k=late/null@40'])
  })

  it('is no longer versioned once a plain store keeps what is made of it', async () => {
    const run = new TableRun((builder) => {
      const left = table(builder, 'l', versioned('v', 100)).mapValues((value) => value, Materialized.as('m'))
      to(left.leftJoin(table(builder, 'r'), slash))
    })
    expect(await run.pipe(['l', 'k', 'a', 50], ['l', 'k', 'old', 40])).toEqual(['k=a/null@50', 'k=old/null@40'])
    expect(run.dropped('out_of_order')).toBe(0)
  })

  it('that is made of a plain one goes by what its own store makes of each row', async () => {
    const run = new TableRun((builder) => {
      const left = table(builder, 'l').mapValues((value) => value, versioned('m', 10))
      to(left.leftJoin(table(builder, 'r'), slash))
    })
    expect(await run.pipe(['l', 'k', 'a', 50], ['l', 'k', 'b', 45], ['l', 'z', 'x', 100], ['l', 'k', 'c', 60])).toEqual(
      ['k=a/null@50', '', 'z=x/null@100', ''],
    )
    expect([run.dropped('out_of_order'), run.dropped('expired_put')]).toEqual([1, 1])
  })

  it('leaves late rows out of a group, and out of a foreign-key join on either side', async () => {
    const grouped = new TableRun(
      (builder) =>
        to(
          table(builder, 'l', versioned('v', 100))
            .groupBy((key, value) => [value, key])
            .count(),
        ),
      string,
      long,
    )
    expect(await grouped.pipe(['l', 'k', 'a', 50], ['l', 'k', 'b', 40], ['l', 'k', 'c', 60])).toEqual([
      'a=1@50',
      '',
      'a=0@60 c=1@60',
    ])
    const foreign = new TableRun((builder) =>
      to(
        table(builder, 'l', versioned('v', 100)).join(
          table(builder, 'r', versioned('w', 100)),
          (value) => value,
          slash,
        ),
      ),
    )
    expect(
      await foreign.pipe(
        ['r', 'f', 'B', 50],
        ['l', 'k', 'f', 50],
        ['l', 'k', 'g', 40],
        ['r', 'f', 'old', 40],
        ['r', 'f', 'C', 60],
      ),
    ).toEqual(['', 'k=f/B@50', '', '', 'k=f/C@60'])
    expect(foreign.dropped('out_of_order')).toBe(2)
  })

  it('can be the store of an aggregate, and of a join', async () => {
    const run = new TableRun((builder) =>
      to(
        builder
          .stream<string, string>('l')
          .groupByKey()
          .reduce((all, one) => all + one, versioned('v', 10)),
      ),
    )
    expect(await run.pipe(['l', 'k', 'a', 5], ['l', 'z', 'x', 30], ['l', 'k', 'b', 6], ['l', 'k', 'c', 20])).toEqual([
      'k=a@5',
      'z=x@30',
      '',
      'k=ac@20',
    ])
  })
})
