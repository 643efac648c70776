import { describe, expect, it } from 'vitest'
import { type Piped, TableRun } from '../../../test/TableRun.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
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

describe('a join of two tables by a foreign key (kafka-streams.md B.8, C.5)', () => {
  const key = (value: string) => (value.startsWith('none') ? null : (value.split('-')[0] as string))
  const foreign = (kind: 'join' | 'leftJoin', kept?: Materialized<any, any>) =>
    new TableRun((builder) => {
      const left = table(builder, 'l')
      const right = table(builder, 'r')
      to(kind === 'join' ? left.join(right, key, slash, kept) : left.leftJoin(right, key, slash, kept))
    })

  it('joins when either row comes, and takes results back when one goes', async () => {
    const run = foreign('join')
    expect(
      await run.pipe(
        ['l', '1', 'f-a', 1],
        ['r', 'f', 'B', 2],
        ['l', '2', 'f-b', 3],
        ['r', 'f', 'C', 4],
        ['l', '1', null, 5],
        ['r', 'f', null, 6],
      ),
    ).toEqual(['', '1=f-a/B@2', '2=f-b/B@3', '1=f-a/C@4 2=f-b/C@4', '1=null@5', '2=null@6'])
  })

  it('moves a row to another key: joined there, or one deletion, whether or not it was joined before', async () => {
    const run = foreign('join')
    expect(
      await run.pipe(
        ['r', 'f', 'F', 1],
        ['r', 'g', 'G', 2],
        ['l', '1', 'f-a', 3],
        ['l', '1', 'g-a', 4],
        ['l', '1', 'h-a', 5],
        ['l', '1', 'i-a', 6],
        ['r', 'g', 'H', 7],
        ['r', 'i', 'I', 8],
      ),
    ).toEqual(['', '', '1=f-a/F@3', '1=g-a/G@4', '1=null@5', '1=null@6', '', '1=i-a/I@8'])
  })

  it('tells nothing of a changed row that keeps a key without a right row', async () => {
    const run = foreign('join')
    expect(await run.pipe(['l', '1', 'f-a', 1], ['l', '1', 'f-b', 2], ['r', 'f', 'F', 3])).toEqual([
      '',
      '',
      '1=f-b/F@3',
    ])
  })

  it('[G-43] drops a row without a key, counted, and takes its result back; a later key joins', async () => {
    const run = foreign('join')
    expect(
      await run.pipe(
        ['r', 'f', 'F', 1],
        ['l', '1', 'none', 2],
        ['l', '1', 'f-a', 3],
        ['l', '1', 'none', 4],
        ['l', '1', null, 5],
      ),
    ).toEqual(['', '', '1=f-a/F@3', '1=null@4', ''])
    expect(run.dropped('null_key')).toBe(2)
  })

  it('[G-42] gives a left join one row for each change, also without a key or a partner', async () => {
    const run = foreign('leftJoin')
    expect(
      await run.pipe(
        ['l', '1', 'none', 1],
        ['l', '1', 'f-a', 2],
        ['r', 'f', 'F', 3],
        ['l', '1', 'g-a', 4],
        ['l', '1', 'none', 5],
        ['l', '1', null, 6],
        ['l', '1', null, 7],
        ['l', '9', null, 8],
      ),
    ).toEqual(['1=none/null@1', '1=f-a/null@2', '1=f-a/F@3', '1=g-a/null@4', '1=none/null@5', '1=null@6', '', ''])
    expect(run.dropped('null_key')).toBe(0)
    expect(await run.pipe(['l', '1', 'f-b', 9], ['r', 'f', null, 10])).toEqual(['1=f-b/F@9', '1=f-b/null@10'])
  })

  it('bears the later time of both rows where the left one asks, and that of the right one where it changes', async () => {
    const run = foreign('join')
    expect(await run.pipe(['r', 'f', 'F', 9], ['l', '1', 'f-a', 4], ['r', 'f', 'G', 2], ['l', '1', 'f-b', 5])).toEqual([
      '',
      '1=f-a/F@9',
      '1=f-a/G@2',
      '1=f-b/G@5',
    ])
  })

  it('tells a right row to all that want it, by their keys, and to none of a key that begins like it', async () => {
    const run = foreign('join')
    await run.pipe(['l', 'b', 'f', 1], ['l', 'a', 'f', 2], ['l', 'c', 'ff', 3], ['l', 'd', '', 4])
    expect(await run.pipe(['r', 'f', 'F', 5], ['r', '', 'E', 6])).toEqual(['a=f/F@5 b=f/F@5', 'd=/E@6'])
  })

  it('has keys of other types on both sides, and sees the key of the row', async () => {
    const run = new TableRun((builder) => {
      const left = builder.table('l', Consumed.with(string, json<{ readonly at: number }>()))
      const right = builder.table('r', Consumed.with(json<number>(), string))
      to(
        left.join(
          right,
          (value, own) => value.at + own.length,
          (value, other, own) => `${own}:${value.at}/${other}`,
          Materialized.with(string, string),
        ),
      )
    })
    expect(await run.pipe(['l', 'kk', '{"at":5}', 1], ['r', '7', 'seven', 2], ['l', 'kk', '{"at":4}', 3])).toEqual([
      '',
      'kk=kk:5/seven@2',
      'kk=null@3',
    ])
  })

  it('keeps its result where it has a store, and tells old results to a table grouped out of it', async () => {
    const run = foreign('leftJoin', Materialized.as('j'))
    await run.pipe(['r', 'f', 'F', 1], ['l', '1', 'f', 2], ['l', '2', 'g', 3], ['l', '1', null, 4])
    expect(await run.rows('j')).toEqual(['2=g/null@3'])
    const counted = new TableRun(
      (builder) =>
        to(
          table(builder, 'l')
            .leftJoin(table(builder, 'r'), key, slash)
            .groupBy((_key, value) => [value, 'one'])
            .count(),
        ),
      string,
      long,
    )
    expect(await counted.pipe(['l', '1', 'f', 1], ['r', 'f', 'F', 2])).toEqual(['f/null=1@1', 'f/null=0@2 f/F=1@2'])
  })

  it('[B3] says at its first record which serde it lacks', async () => {
    const run = new TableRun(
      (builder) => {
        const left = builder.table('l', Consumed.with(string, string)).mapValues((value) => value)
        to(
          left.join(
            builder.table('r', Consumed.with(string, string)),
            (value) => value,
            slash,
            Materialized.with(string, string),
          ),
        )
      },
      string,
      string,
      { 'default.key.serde': undefined, 'default.value.serde': undefined },
    )
    await expect(run.pipe(['l', '1', 'f', 1])).rejects.toThrow(/must write values and has no serde/)
  })
})
