import { describe, expect, it } from 'vitest'
import { TableRun } from '../../../test/TableRun.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Consumed } from '../../topology/Consumed.js'
import type { KTable } from '../KTable.js'
import { Materialized } from '../Materialized.js'
import type { StreamsBuilder } from '../StreamsBuilder.js'

type Table = KTable<string, string | null>
const table = (builder: StreamsBuilder, topic: string) => builder.table<string, string | null>(topic) as Table
const to = (made: KTable<any, any>) => made.toStream().to('out')
const slash = (left: string | null, right: string | null) => `${left}/${right}`

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

  it('[B.8] writes no right row that nobody wants, whatever its type, in Kafka Streams', async () => {
    const run = new TableRun(
      (builder) => {
        const lengths = table(builder, 'r').mapValues((value) => value?.length ?? null) as unknown as Table
        to(table(builder, 'l').join(lengths, key, slash))
      },
      string,
      string,
      { compat: 'kafka-streams' },
    )
    expect(await run.pipe(['l', '1', 'f', 1], ['r', 'g', 'B', 2])).toEqual(['', ''])
    await expect(run.pipe(['r', 'f', 'B', 3])).rejects.toThrow(/writes strings, not the number 1/)
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
