import { describe, expect, it } from 'vitest'
import type { StreamError } from '../../errors/StreamError.js'
import { long } from '../../serde/long.js'
import { string } from '../../serde/string.js'
import { parseConfig } from '../../topology/parseConfig.js'
import type { Topology } from '../../topology/Topology.js'
import { BufferConfig } from '../BufferConfig.js'
import { Grouped } from '../Grouped.js'
import { JoinWindows } from '../JoinWindows.js'
import type { KStream } from '../KStream.js'
import { Materialized } from '../Materialized.js'
import { StreamsBuilder } from '../StreamsBuilder.js'
import { Suppressed } from '../Suppressed.js'

const all = { 'topology.optimization': 'all' }
type Stream = KStream<any, any>

function built(
  tell: (stream: Stream, builder: StreamsBuilder) => void,
  config: Record<string, unknown> = all,
): Topology {
  const builder = new StreamsBuilder(config)
  tell(builder.stream<any, any>('in'), builder)
  return builder.build()
}

/** Each node with its parents, in the order in which they are written; a repartition by its base. */
function nodesOf(topology: Topology): string[] {
  const { definition } = topology
  return [...definition.nodes.values()].map((node) => `${node.name} <- ${definition.parentsOf(node).join(', ')}`)
}

function sinksOf(topology: Topology): string[] {
  return [...topology.definition.nodes.values()].filter(({ kind }) => kind === 'sink').map(({ name }) => name)
}

function refusal(build: () => unknown): StreamError {
  try {
    build()
  } catch (error) {
    return error as StreamError
  }
  throw new Error('It was not refused.')
}

const rekey = (stream: Stream): Stream => stream.selectKey((_key, value) => value)
const keep = (stream: Stream): Stream => stream.filter(() => true)
const count = (stream: Stream) => stream.groupByKey().count()

describe('[C.2] merge.repartition.topics', () => {
  it('makes one repartition of those behind one key change, right behind it, and calls it after the first', () => {
    const topology = built((stream) => {
      const rekeyed = rekey(stream)
      const ways = [keep(rekeyed), rekeyed.peek(() => {})]
      for (const way of ways) count(way)
    })
    const topic = 'KSTREAM-AGGREGATE-STATE-STORE-0000000004-repartition'
    expect(nodesOf(topology)).toEqual([
      'KSTREAM-SOURCE-0000000000 <- ',
      'KSTREAM-KEY-SELECT-0000000001 <- KSTREAM-SOURCE-0000000000',
      `${topic}-filter <- KSTREAM-KEY-SELECT-0000000001`,
      `${topic}-sink <- ${topic}-filter`,
      `${topic}-source <- `,
      `KSTREAM-FILTER-0000000002 <- ${topic}-source`,
      `KSTREAM-PEEK-0000000003 <- ${topic}-source`,
      'KSTREAM-AGGREGATE-0000000005 <- KSTREAM-FILTER-0000000002',
      'KSTREAM-AGGREGATE-0000000010 <- KSTREAM-PEEK-0000000003',
    ])
  })

  it('leaves them alone where it is not asked for', () => {
    const twice = (stream: Stream) => {
      const rekeyed = rekey(stream)
      count(rekeyed)
      count(rekeyed)
    }
    expect(sinksOf(built(twice))).toHaveLength(1)
    expect(sinksOf(built(twice, {}))).toHaveLength(2)
    expect(sinksOf(built(twice, { 'topology.optimization': 'reuse.ktable.source.topics' }))).toHaveLength(2)
    expect(sinksOf(built(twice, { 'topology.optimization': 'merge.repartition.topics' }))).toHaveLength(1)
  })

  it('reads the optimisations that build is given in place of those of the builder', () => {
    const builder = new StreamsBuilder(all)
    const rekeyed = rekey(builder.stream<any, any>('in'))
    count(rekeyed)
    count(rekeyed)
    expect(sinksOf(builder.build({ 'topology.optimization': 'none' }))).toHaveLength(2)
    expect(sinksOf(builder.build())).toHaveLength(1)
  })

  it('stops at a change of values, and does not see processValues as one (KAFKA-19668)', () => {
    const behind = (change: (stream: Stream) => Stream) => {
      const topology = built((stream) => {
        const changed = change(rekey(stream))
        const grouped = changed.groupByKey()
        grouped.count()
        grouped.count()
      })
      return sinksOf(topology).length
    }
    expect(behind((stream) => stream.mapValues((value) => value))).toBe(2)
    expect(behind((stream) => stream.flatMapValues((value) => [value]))).toBe(2)
    const single = built((stream) =>
      rekey(stream)
        .processValues(() => ({ process() {} }))
        .groupByKey()
        .count(),
    )
    expect(nodesOf(single)).toContain(
      'KSTREAM-PROCESSVALUES-0000000002 <- KSTREAM-AGGREGATE-STATE-STORE-0000000003-repartition-source',
    )
  })

  it('takes no process for a key change', () => {
    const topology = built((stream) => {
      const processed = stream.process(() => ({ process() {} }))
      count(processed)
      count(processed)
    })
    expect(sinksOf(topology)).toEqual(['KSTREAM-SINK-0000000004', 'KSTREAM-SINK-0000000009'])
  })

  it('never merges an explicit repartition()', () => {
    const topology = built((stream) => {
      const rekeyed = rekey(stream)
      rekeyed.repartition().foreach(() => {})
      rekeyed.repartition().foreach(() => {})
    })
    expect(sinksOf(topology)).toHaveLength(2)
  })

  it('moves them behind a merge that all of them are behind', () => {
    const topology = built((stream, builder) => {
      const merged = rekey(stream).merge(rekey(builder.stream<any, any>('other')))
      count(merged)
      count(merged.filter(() => true))
    })
    const topic = 'KSTREAM-AGGREGATE-STATE-STORE-0000000005-repartition'
    expect(sinksOf(topology)).toEqual([`${topic}-sink`])
    expect(nodesOf(topology)).toContain(`${topic}-filter <- KSTREAM-MERGE-0000000004`)
  })

  it('keeps what the repartitions declared, and the most lanes that one of them asks for', () => {
    const topology = built((stream) => {
      const rekeyed = rekey(stream)
      rekeyed.groupByKey(Grouped.with<any, any>(string, undefined).withNumberOfLanes(2)).count()
      rekeyed.groupByKey(Grouped.with<any, any>(undefined, long).withNumberOfLanes(3)).count()
    })
    const source = [...topology.definition.nodes.values()].find(
      (node) => node.kind === 'source' && node.repartition !== undefined,
    )
    expect(source).toMatchObject({
      repartition: { declared: { key: { id: 'string' }, value: { id: 'long' } }, numberOfLanes: 3 },
    })
  })

  it('allows two groupings of one name, which are refused without it (G-65)', () => {
    const twice = (stream: Stream) => {
      const rekeyed = rekey(stream)
      for (let i = 0; i < 2; i++) rekeyed.groupByKey(Grouped.as('G')).count()
    }
    expect(sinksOf(built(twice))).toEqual(['G-repartition-sink'])
    expect(() => built(twice, {})).toThrow('Processor G-repartition-filter is already added.')
  })

  it('finds the key change on whichever way into a merge it lies, the first way first', () => {
    const topology = built((stream) => {
      const mapped = stream.flatMap((key, value) => [[key, value] as const])
      const merged = mapped.process(() => ({ process() {} })).merge(stream)
      mapped.join(merged, (left, right) => `${left}${right}`, JoinWindows.ofTimeDifferenceWithNoGrace(10))
    })
    expect(sinksOf(topology)).toEqual(['KSTREAM-FLATMAP-0000000001-repartition-sink'])
  })

  it('shares the boundaries of one cogroup among its aggregations, and only there', () => {
    const cogrouped = (name: string | undefined, before: boolean) =>
      built((stream) => {
        const grouped = rekey(stream).groupByKey(name === undefined ? undefined : Grouped.as(name))
        if (before) grouped.count()
        const cogroup = grouped.cogroup((_key, value, sum: string) => sum + value)
        cogroup.aggregate(() => '')
        cogroup.aggregate(() => '')
      }, {})
    expect(sinksOf(cogrouped(undefined, false))).toHaveLength(1)
    expect(sinksOf(cogrouped('G', false))).toEqual(['G-repartition-sink'])
    expect(() => cogrouped('G', true)).toThrow('Processor G-repartition-filter is already added.')
  })

  it('tells apart the boundaries of one cogroup, which have one name until one of them is merged away', () => {
    const twoCogroups = (config: Record<string, unknown>) =>
      built((stream, builder) => {
        const rekeyed = rekey(builder.stream<any, any>('other'))
        const add = (_key: unknown, value: string, sum: string) => sum + value
        const cogroup = (first: Stream) => first.groupByKey().cogroup(add).cogroup(rekeyed.groupByKey(), add)
        cogroup(stream).aggregate(() => '')
        cogroup(stream.process(() => ({ process() {} }))).aggregate(() => '')
      }, config)
    const [first, second] = ['03', '11'].map((at) => `COGROUPKSTREAM-AGGREGATE-STATE-STORE-00000000${at}-repartition`)
    const nodes = nodesOf(twoCogroups(all))
    expect(nodes.filter((line) => line.startsWith('COGROUPKSTREAM-AGGREGATE-00'))).toEqual([
      'COGROUPKSTREAM-AGGREGATE-0000000007 <- KSTREAM-SOURCE-0000000000',
      `COGROUPKSTREAM-AGGREGATE-0000000008 <- ${first}-source`,
      `COGROUPKSTREAM-AGGREGATE-0000000018 <- ${second}-source`,
      `COGROUPKSTREAM-AGGREGATE-0000000019 <- ${first}-source`,
    ])
    expect(() => twoCogroups({})).toThrow('-repartition-filter is already added')
  })

  it('refuses two that lie behind one node, as Kafka Streams does', () => {
    const error = refusal(() =>
      built((stream) => {
        const grouped = keep(rekey(stream)).groupByKey()
        grouped.count()
        grouped.count()
      }),
    )
    expect(error).toMatchObject({
      code: 'TOPOLOGY_INVALID',
      context: {
        node: 'KSTREAM-KEY-SELECT-0000000001',
        topic: 'KSTREAM-AGGREGATE-STATE-STORE-0000000008-repartition',
      },
    })
  })

  it('is not fooled by a merged repartition that has the name of one that it replaces', () => {
    const topology = built((stream, builder) => {
      const keyed = rekey(builder.stream<any, any>('other'))
      const merged = keyed.merge(stream.merge(keyed))
      merged.groupByKey(Grouped.as('G')).count()
      count(keyed)
    })
    expect(nodesOf(topology)).toContain('KSTREAM-AGGREGATE-0000000006 <- KSTREAM-MERGE-0000000004')
    expect(nodesOf(topology)).toContain('KSTREAM-MERGE-0000000004 <- KSTREAM-MERGE-0000000003, G-repartition-source')
  })
})

describe('[C.2] reuse.ktable.source.topics', () => {
  const stores = (config: Record<string, unknown>) => {
    const builder = new StreamsBuilder(config)
    builder.table('t', Materialized.as<any, any>('s')).toStream().to('out')
    const defaults = parseConfig({ 'default.key.serde': 'string', 'default.value.serde': 'string' })
    return builder.build().compile(defaults).stores
  }

  it("lets a table's topic restore its store", () => {
    expect(stores(all)[0]).toMatchObject({ name: 's', sourceTopic: 't' })
    expect(stores({})[0]?.sourceTopic).toBeUndefined()
    expect(stores({ 'topology.optimization': 'merge.repartition.topics' })[0]?.sourceTopic).toBeUndefined()
  })
})

describe('[C.2] single.store.self.join', () => {
  const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)
  const joiner = (left: unknown, right: unknown) => `${left}/${right}`
  const storesOf = (topology: Topology) => [...topology.definition.stores.keys()]

  it.each(['join', 'leftJoin', 'outerJoin'] as const)('keeps a %s of a stream with itself in one store', (kind) => {
    const join = (stream: Stream, other: Stream) =>
      (stream[kind] as Stream['outerJoin']).call(stream, other, joiner as never, windows)
    const first = kind === 'outerJoin' ? 'OUTERTHIS' : 'JOINTHIS'
    const topology = built((stream) => join(stream, stream))
    expect(storesOf(topology)).toEqual([`KSTREAM-${first}-0000000003-store`])
    expect(nodesOf(topology)).toEqual([
      'KSTREAM-SOURCE-0000000000 <- ',
      'KSTREAM-WINDOWED-0000000001 <- KSTREAM-SOURCE-0000000000',
      'KSTREAM-MERGE-0000000005 <- KSTREAM-WINDOWED-0000000001',
    ])
    expect(storesOf(built((stream) => join(stream, stream), {})).length).toBeGreaterThan(1)
  })

  it('knows a stream that is read twice, and one behind a merged repartition', () => {
    const again = built((stream, builder) => stream.join(builder.stream<any, any>('in'), joiner, windows))
    expect(storesOf(again)).toHaveLength(1)
    const keyed = built((stream) => {
      const rekeyed = rekey(stream)
      rekeyed.join(rekeyed, joiner, windows)
    })
    expect(storesOf(keyed)).toHaveLength(1)
  })

  it('does not take a filtered stream for the stream itself', () => {
    expect(storesOf(built((stream) => keep(stream).join(stream, joiner, windows)))).toHaveLength(2)
  })
})

it('[C.1] a cogroup takes the streams that were added to it by the time it is aggregated', () => {
  const topology = built((stream, builder) => {
    const first = stream.groupByKey().cogroup((_key, value, sum: string) => sum + value)
    first.cogroup(builder.stream<any, any>('other').groupByKey(), (_key, value, sum) => sum + value)
    first.aggregate(() => '')
  }, {})
  expect(nodesOf(topology).at(-1)).toBe(
    'COGROUPKSTREAM-MERGE-0000000005 <- COGROUPKSTREAM-AGGREGATE-0000000003, COGROUPKSTREAM-AGGREGATE-0000000004',
  )
})

describe('[C.6] the order in which nodes are written', () => {
  it('puts a shared repartition where its last user asked for it', () => {
    const topology = built((stream) => {
      const rekeyed = rekey(stream)
      const grouped = rekeyed.groupByKey(Grouped.as('G'))
      grouped.count()
      keep(rekeyed)
      grouped.count()
    }, {})
    expect(nodesOf(topology).map((line) => line.split(' <- ')[0])).toEqual([
      'KSTREAM-SOURCE-0000000000',
      'KSTREAM-KEY-SELECT-0000000001',
      'KSTREAM-FILTER-0000000007',
      'G-repartition-filter',
      'G-repartition-sink',
      'G-repartition-source',
      'KSTREAM-AGGREGATE-0000000003',
      'KSTREAM-AGGREGATE-0000000009',
    ])
  })

  it('hangs what reads a topic again behind what hung on its source before', () => {
    const topology = built((stream, builder) => {
      const again = builder.stream<any, any>('in')
      again.merge(builder.stream<any, any>('other')).merge(stream)
    }, {})
    expect(nodesOf(topology)).toEqual([
      'KSTREAM-SOURCE-0000000000 <- ',
      'KSTREAM-SOURCE-0000000002 <- ',
      'KSTREAM-MERGE-0000000003 <- KSTREAM-SOURCE-0000000002, KSTREAM-SOURCE-0000000000',
      'KSTREAM-MERGE-0000000004 <- KSTREAM-MERGE-0000000003, KSTREAM-SOURCE-0000000000',
    ])
  })
})

describe('ensure.explicit.internal.resource.naming (KIP-1111)', () => {
  const strict = { 'ensure.explicit.internal.resource.naming': true }
  const lines = (tell: (stream: Stream, builder: StreamsBuilder) => void, config: Record<string, unknown> = strict) =>
    refusal(() => built(tell, config))
      .message.split('\n')
      .filter((line) => line.startsWith('Following'))

  it('lists changelogs, stores and repartitions, in this order', () => {
    const [store, table] = ['KSTREAM-AGGREGATE-STATE-STORE-0000000005', 't-STATE-STORE-0000000001']
    expect(
      lines((stream, builder) => {
        builder.table('t')
        count(rekey(stream))
      }),
    ).toEqual([
      `Following changelog topic(s) has not been named: ${table}-changelog, ${store}-changelog`,
      `Following state store(s) has not been named: ${table}, ${store}`,
      `Following repartition topic(s) has not been named: ${store}-repartition`,
    ])
  })

  it('takes a repartition in front of a named store as named, and one that the grouping names', () => {
    expect(() => built((stream) => rekey(stream).groupByKey().count(Materialized.as('c')), strict)).not.toThrow()
    expect(
      lines((stream) => rekey(stream).groupByKey(Grouped.as('G')).count()).some((line) => /repartition/.test(line)),
    ).toBe(false)
  })

  it('asks no changelog of a store that has none, and of a global table', () => {
    expect(lines((_stream, builder) => builder.globalTable('g'))).toEqual([
      'Following state store(s) has not been named: g-STATE-STORE-0000000001',
    ])
    expect(
      lines((stream) => stream.groupByKey().count(Materialized.with<any, number>(string, long).withLoggingDisabled())),
    ).toEqual(['Following state store(s) has not been named: KSTREAM-AGGREGATE-STATE-STORE-0000000002'])
  })

  it('asks the changelog alone of what suppress holds back, and none of it once it is named', () => {
    const held = (name?: string) => (stream: Stream) => {
      const limit = Suppressed.untilTimeLimit(10, BufferConfig.unbounded())
      stream
        .groupByKey()
        .count(Materialized.as('c'))
        .suppress(name === undefined ? limit : limit.withName(name))
    }
    expect(lines(held())).toEqual([
      'Following changelog topic(s) has not been named: KTABLE-SUPPRESS-STATE-STORE-0000000003-changelog',
    ])
    expect(() => built(held('s'), strict)).not.toThrow()
  })

  it('asks a name of a toTable and of a join by foreign key, whether they keep a store or not', () => {
    expect(lines((stream) => stream.toTable())[1]).toBe(
      'Following state store(s) has not been named: KSTREAM-TOTABLE-STATE-STORE-0000000002',
    )
    const joined = (_stream: Stream, builder: StreamsBuilder) => {
      const [left, right] = [Materialized.as<any, any>('l'), Materialized.as<any, any>('r')]
      builder.table<string, string>('a', left).join(
        builder.table<string, string>('b', right),
        (value: string) => value,
        (one: string, other: string) => one + other,
      )
    }
    expect(lines(joined)).toEqual([
      'Following changelog topic(s) has not been named: KTABLE-FK-JOIN-OUTPUT-STATE-STORE-0000000018-changelog',
      'Following state store(s) has not been named: KTABLE-FK-JOIN-OUTPUT-STATE-STORE-0000000018',
    ])
  })

  it('asks none of what is derived from a table', () => {
    expect(() =>
      built((_stream, builder) => {
        const table = builder.table('t', Materialized.as<any, any>('t'))
        table.filter(() => true, Materialized.with<any, any>(string, string))
        table.mapValues((value) => value, Materialized.with<any, any>(string, string))
      }, strict),
    ).not.toThrow()
  })

  it('names both repartitions that the optimiser would have merged, and both stores of a self-join', () => {
    expect(
      lines(
        (stream) => {
          const rekeyed = rekey(stream)
          count(rekeyed)
          count(rekeyed)
        },
        { ...strict, ...all },
      )[2],
    ).toBe(
      'Following repartition topic(s) has not been named: KSTREAM-AGGREGATE-STATE-STORE-0000000002-repartition, ' +
        'KSTREAM-AGGREGATE-STATE-STORE-0000000007-repartition',
    )
  })

  it('is off unless it is asked for', () => {
    expect(() => built((stream) => count(rekey(stream)), {})).not.toThrow()
  })
})

describe('[KIP-962] null keys at a boundary', () => {
  const windows = JoinWindows.ofTimeDifferenceWithNoGrace(10)
  const joiner = (left: unknown, right: unknown) => `${left}/${right}`
  const passes = (
    tell: (crossed: Stream, builder: StreamsBuilder) => unknown,
    config: Record<string, unknown> = {},
  ) => {
    const topology = built((stream, builder) => tell(stream.repartition(), builder), config)
    const [first] = [...topology.definition.nodes.values()].filter(
      (node) => node.kind === 'source' && node.repartition !== undefined,
    )
    return first?.kind === 'source' && first.repartition?.keepsNulls === true
  }
  const table = (builder: StreamsBuilder) => builder.table<any, any>('t')

  it('pass where a left or outer join of a stream is behind it, through whatever lies between', () => {
    expect(passes((crossed, builder) => crossed.leftJoin(table(builder), joiner))).toBe(true)
    expect(passes((crossed, builder) => keep(crossed.peek(() => {})).leftJoin(table(builder), joiner))).toBe(true)
    expect(passes((crossed, builder) => crossed.repartition().leftJoin(table(builder), joiner))).toBe(true)
    expect(passes((crossed, builder) => count(crossed).toStream().leftJoin(table(builder), joiner))).toBe(true)
    expect(
      passes((crossed, builder) => crossed.join(table(builder), joiner).leftJoin(builder.table<any, any>('u'), joiner)),
    ).toBe(true)
    expect(passes((crossed, builder) => builder.stream<any, any>('o').outerJoin(crossed, joiner, windows))).toBe(true)
    expect(
      passes((crossed, builder) => crossed.leftJoin(builder.globalTable<any, any>('g'), (key) => key, joiner)),
    ).toBe(true)
  })

  it('end there otherwise: inner joins, groupings, tables and joins of tables need a key', () => {
    expect(passes((crossed) => crossed.foreach(() => {}))).toBe(false)
    expect(passes((crossed, builder) => crossed.join(table(builder), joiner))).toBe(false)
    expect(passes((crossed, builder) => builder.stream<any, any>('o').join(crossed, joiner, windows))).toBe(false)
    expect(passes((crossed, builder) => crossed.join(builder.globalTable<any, any>('g'), (key) => key, joiner))).toBe(
      false,
    )
    expect(passes((crossed, builder) => crossed.toTable().leftJoin(table(builder), joiner))).toBe(false)
    expect(passes((crossed, builder) => builder.stream<any, any>('o').leftJoin(crossed.toTable(), joiner))).toBe(false)
  })

  it('pass a boundary that the optimiser has merged, too', () => {
    const topology = built((stream, builder) => {
      const rekeyed = rekey(stream)
      count(rekeyed)
      rekeyed.leftJoin(table(builder), joiner)
    })
    const source = [...topology.definition.nodes.values()].find(
      (node) => node.kind === 'source' && node.repartition !== undefined,
    )
    expect(source).toMatchObject({ repartition: { keepsNulls: true } })
  })
})
