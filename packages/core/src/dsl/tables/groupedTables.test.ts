import { describe, expect, it } from 'vitest'
import { storesOf, TableRun } from '../../../test/TableRun.js'
import { json } from '../../serde/json.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { Produced } from '../../topology/Produced.js'
import { Grouped } from '../Grouped.js'
import type { KTable } from '../KTable.js'
import { Materialized } from '../Materialized.js'
import type { StreamsBuilder } from '../StreamsBuilder.js'

type Table = KTable<string, string | null>
const table = (builder: StreamsBuilder, topic: string, kept?: Materialized<any, any>) =>
  builder.table<string, string | null>(topic, kept as never) as Table
const to = (made: KTable<any, any>) => made.toStream().to('out')
const _startsWithA = (_key: string, value: string) => value.startsWith('a')

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
